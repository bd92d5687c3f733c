"""Task templates: each makes its tasks with their gold from a world's database. Pages play no part in it."""
