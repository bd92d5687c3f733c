"""Tasks in a repository: the sandbox for commands, an attempt's environment, and what its patch is worth."""
