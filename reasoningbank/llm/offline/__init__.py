"""Models that need no network: `scripted` for tests; `simulated`, which `llm=offline` builds, for whole runs."""

from reasoningbank.llm.offline.simulated import SimulatedLLM

__all__ = ["SimulatedLLM"]
