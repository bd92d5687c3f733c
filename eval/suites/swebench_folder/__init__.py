"""Suites of repairs that are made from packages of others, each in a folder of its own."""

from eval.suites.swebench_folder.suite import SwebenchFolder

__all__ = ["SwebenchFolder"]
