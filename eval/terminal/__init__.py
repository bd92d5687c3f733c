"""How programs read and print at a terminal."""
