"""The simulated model at work in a repository: it reads what its commands printed, and decides on the next one."""
