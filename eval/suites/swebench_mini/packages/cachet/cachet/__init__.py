"""Caches with a capacity, a time to live and a policy."""

from cachet.cache import Cache
from cachet.clock import ManualClock
from cachet.errors import CacheError, MissingKeyError, SettingError
from cachet.memo import cached, memoize
from cachet.policies import POLICIES, FirstIn, LeastFrequent, LeastRecent, MostRecent, Policy
from cachet.stats import Stats

__all__ = [
    "POLICIES",
    "Cache",
    "CacheError",
    "FirstIn",
    "LeastFrequent",
    "LeastRecent",
    "ManualClock",
    "MissingKeyError",
    "MostRecent",
    "Policy",
    "SettingError",
    "Stats",
    "cached",
    "memoize",
]
