"""The simulated model at work in a repository: it reads what its commands printed, and decides on the next one."""

from reasoningbank.llm.offline.coding import distilling, judging, policy, runs

__all__ = ["distilling", "judging", "policy", "runs"]
