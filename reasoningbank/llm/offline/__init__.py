"""Models that need no network: scripted for tests, simulated for whole runs."""
