"""Known solutions, used by tests and by the printed profile: they work through the pages and see neither gold nor database."""
