"""From YAML and a command line to checked settings."""
