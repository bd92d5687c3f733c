"""Source distributions that are made here, as small as can be."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

LIBRARY = '''"""Small things with words."""

from shelf._inner import limit


def widest(words, least=2):
    """The longest words, of `least` letters or more."""
    found = [word for word in words if len(word) >= least]
    if not found:
        return []
    most = max(len(word) for word in found)
    return [word for word in found if len(word) == most]


def counted(words):
    """How often each word occurs, in order."""
    counts = {}
    for word in sorted(words):
        counts[word] = counts.get(word, 0) + 1
    return counts


def shortened(text, size=10):
    """A text with an end."""
    if size < 1:
        raise ValueError("size must be 1 or more")
    return text if len(text) <= size else text[: limit(size)] + "~"


def never_tested(words):
    """No test runs it."""
    return [word for word in words if word and word != "x"]
'''
INNER = '''"""Inside."""


def limit(size):
    """Room for a text beside its end."""
    return size - 1
'''
TESTS = """import unittest

import shelf as sh
from shelf import counted, shortened, widest


def test_widest():
    assert widest(["a", "bb", "cc"]) == ["bb", "cc"]


def test_widest_of_none():
    assert widest(["a"]) == []


def test_counted():
    for words, wanted in [(["b", "a", "b"], {"a": 1, "b": 2}), ([], {})]:
        assert counted(words) == wanted
        assert list(counted(words)) == list(wanted)


class Shortened(unittest.TestCase):
    def test_long(self):
        self.assertEqual(sh.shortened("abcdef", 4), "abc~")

    def test_exact(self):
        self.assertEqual(shortened("abcd", size=4), "abcd")

    def test_refused(self):
        with self.assertRaises(ValueError):
            shortened("a", 0)


def test_that_always_fails():
    assert widest([]) is None


def test_kept():
    assert sh.__doc__ == "Small things with words."
"""
FILES = {
    "PKG-INFO": "Metadata-Version: 2.1\nName: small-shelf\nVersion: 1.2\n",
    "setup.py": "raise SystemExit('nothing of this is run')\n",
    "README.md": "Words.\n",
    "shelf/__init__.py": LIBRARY,
    "shelf/_inner.py": INNER,
    "tests/__init__.py": "",
    "tests/test_shelf.py": TESTS,
}


def sdist(folder: Path, files: Mapping[str, str] = FILES, *, top: str = "small_shelf-1.2/") -> Path:
    """An archive of these files below `top`."""
    path = folder / "small_shelf-1.2.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        for name, text in files.items():
            member = tarfile.TarInfo(f"{top}{name}")
            member.size = len(text.encode())
            tar.addfile(member, io.BytesIO(text.encode()))
    return path
