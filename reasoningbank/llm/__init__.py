"""Models: how they are called, retried and accounted for, and those that need no network."""
