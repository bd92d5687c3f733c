"""`python -m eval doctor`: whether a configuration can be run, told without spending anything."""
