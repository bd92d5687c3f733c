"""Texts in colour. STYLES has the colour of each kind of token; an empty one leaves the text as it is."""

from tokkit.language import Language
from tokkit.scanner import tokenize

STYLES = {
    "comment": "grey",
    "string": "green",
    "percent": "cyan",
    "hex": "cyan",
    "number": "cyan",
    "variable": "yellow",
    "keyword": "bold",
    "name": "",
    "operator": "blue",
}


def highlight(text: str, of: str | Language) -> str:
    """The text with each token in tags of its colour: `<cyan>12</cyan>`."""
    pieces, position = [], 0
    for token in tokenize(text, of):
        style = STYLES.get(token.kind, "")
        pieces.append(text[position : token.start])
        pieces.append(f"<{style}>{token.text}</{style}>" if style else token.text)
        position = token.end
    return "".join([*pieces, text[position:]])
