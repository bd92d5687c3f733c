"""SWE-bench itself: its published sets of instances, attempts in its containers, and its own evaluation."""

from eval.suites.swebench.suite import SweBench

__all__ = ["SweBench"]
