"""The back office of a shop, "Harbor & Pine Admin": its world, its pages, its WSGI application."""
