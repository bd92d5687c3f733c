"""Agents: one loop, and for each kind of environment how its prompt is written and its actions are read."""
