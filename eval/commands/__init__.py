"""The commands of `python -m eval`: a module here is a command, with a one-line `HELP` and `main(argv) -> int`."""
