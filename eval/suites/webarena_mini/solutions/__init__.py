"""Known solutions, for tests and the profile: they work through the pages and see neither gold nor database."""
