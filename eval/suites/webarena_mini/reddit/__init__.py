"""The forum: boards with posts, comments and votes, as a web application on seeded data."""
