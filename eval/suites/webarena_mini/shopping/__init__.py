"""The embedded shop "Harbor & Pine": a seeded SQLite world and the Flask site that shows it."""
