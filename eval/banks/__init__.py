"""Banks as they are looked at, and those made of stored attempts."""
