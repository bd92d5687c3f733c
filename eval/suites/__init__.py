"""Suites of tasks, with their environments and evaluators; the only holders of gold."""
