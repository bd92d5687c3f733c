"""The errors of this library."""


class CacheError(Exception):
    """Base of all errors of cachet."""


class MissingKeyError(CacheError, KeyError):
    """A key that is not in the cache, or no longer."""

    def __init__(self, key: object) -> None:
        super().__init__(f"{key!r} is not in the cache")
        self.key = key


class SettingError(CacheError, ValueError):
    """A capacity, a time to live or a policy that cannot be."""

    def __init__(self, name: str, value: object, wanted: str) -> None:
        super().__init__(f"{name}={value!r}: {wanted} is needed")
        self.name = name
        self.value = value
