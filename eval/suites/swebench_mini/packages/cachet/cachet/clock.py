"""Where caches read the time."""

from cachet.errors import SettingError


class ManualClock:
    """A clock that stands still. Calling it gives its time in seconds, as calling `time.monotonic` does."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        """Moves on; no clock goes back."""
        if seconds < 0:
            raise SettingError("seconds", seconds, "a number from 0")
        self.now += seconds
