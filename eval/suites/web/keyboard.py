"""The names of keys, as Playwright reads them (its layout is the American one)."""

from __future__ import annotations

from typing import NamedTuple

from eval.suites.web.dom import words

MODIFIERS = ("Alt", "Control", "Meta", "Shift")
PAD = "a key of the number pad with Shift"
"""In the place of such a key: what it gives depends on the machine."""
_PLAIN = "`1234567890-=[]\\;',./ "
_SHIFTED = '~!@#$%^&*()_+{}|:"<>? '
_NAMES = (
    *("Backquote", *(f"Digit{digit}" for digit in "1234567890"), "Minus", "Equal", "BracketLeft", "BracketRight"),
    *("Backslash", "Semicolon", "Quote", "Comma", "Period", "Slash", "Space"),
)
_SILENT = words(
    "Enter Tab Escape Backspace Delete Insert Home End PageUp PageDown ArrowUp ArrowDown ArrowLeft ArrowRight CapsLock "
    "AltGraph ContextMenu PrintScreen ScrollLock Pause NumLock F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12"
)
_ALSO = {
    **{"ControlOrMeta": "Control", "\n": "Enter", "\r": "Enter", "NumpadEnter": "Enter", "NumpadDecimal": "Delete"},
    **{f"{name}{side}": name for name in MODIFIERS for side in ("Left", "Right")},
    **{"NumpadDivide": "/", "NumpadMultiply": "*", "NumpadSubtract": "-", "NumpadAdd": "+", "Numpad5": "Clear"},
    **{"Numpad0": "Insert", "Numpad1": "End", "Numpad2": "ArrowDown", "Numpad3": "PageDown", "Numpad4": "ArrowLeft"},
    **{"Numpad6": "ArrowRight", "Numpad7": "Home", "Numpad8": "ArrowUp", "Numpad9": "PageUp"},
}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_CODES = {
    **{name: (plain, shifted) for name, plain, shifted in zip(_NAMES, _PLAIN, _SHIFTED, strict=True)},
    **{f"Key{letter.upper()}": (letter, letter.upper()) for letter in _LETTERS},
    **{f"Numpad{name}": (_ALSO[f"Numpad{name}"], PAD) for name in (*"0123456789", "Decimal")},
}
"""What a key that is named by where it is gives, without Shift and with it."""
TYPED = frozenset((*_PLAIN, *_SHIFTED, *_LETTERS, *_LETTERS.upper()))
"""What can be typed. Any other letter is no key."""


class Stroke(NamedTuple):
    """A key goes down while modifiers are held."""

    key: str
    """A letter, or the key's name."""
    held: frozenset[str]


def strokes(keys: str) -> list[Stroke] | None:
    """The keys of a combination such as `Control+a`, one after the other; None where one is no key."""
    found: list[Stroke] = []
    held: frozenset[str] = frozenset()
    for name in _split(keys):
        key = _CODES[name]["Shift" in held] if name in _CODES else _ALSO.get(name, name)
        if key not in MODIFIERS and key not in _SILENT and key not in TYPED and key not in ("Clear", PAD):
            return None
        if key in MODIFIERS:
            held |= {key}
        found.append(Stroke(key, held))
    return found


def _split(keys: str) -> list[str]:
    names, name = [], ""
    for letter in keys:
        if letter == "+" and name:
            names.append(name)
            name = ""
        else:
            name += letter
    return [*names, name]
