"""The embedded suite of repairs: small libraries with a defect each, in the schema of SWE-bench."""

from eval.suites.swebench_mini.suite import SwebenchMini

__all__ = ["SwebenchMini"]
