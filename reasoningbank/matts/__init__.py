"""Memory-aware test-time scaling: how many attempts a task gets, how they run, and which of them stands for it."""
