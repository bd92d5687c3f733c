"""One token."""

from dataclasses import dataclass

from tokkit.places import Place


@dataclass(frozen=True)
class Token:
    """A piece of text, what it is, where it begins, and at which offset."""

    kind: str
    text: str
    place: Place
    start: int

    @property
    def end(self) -> int:
        """The offset behind it."""
        return self.start + len(self.text)

    def is_text(self, *texts: str) -> bool:
        """Whether it is one of these texts. Keywords are compared without regard to case."""
        return self.text in texts or (self.kind == "keyword" and self.text.lower() in map(str.lower, texts))
