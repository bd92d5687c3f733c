"""Task templates. A template looks into a world's database and makes its tasks with their gold; pages play no part in it."""
