"""What a command is going to take."""
