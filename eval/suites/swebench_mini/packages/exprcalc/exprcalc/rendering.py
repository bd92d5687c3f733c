"""Nodes to texts, with no more parentheses than needed."""

from exprcalc._operators import INFIX, PREFIX
from exprcalc.nodes import Call, Infix, Name, Node, Number, Prefix

ATOM = 100
"""The strength of what no operator can take apart."""


def strength(node: Node) -> int:
    """How strongly a node holds together."""
    if isinstance(node, Infix):
        return INFIX[node.symbol][0]
    return PREFIX[node.symbol][0] if isinstance(node, Prefix) else ATOM


def enclosed(node: Node, least: int) -> str:
    """The text of a part, in parentheses where it is weaker than what is around it."""
    text = show(node)
    return text if strength(node) >= least else f"({text})"


def show(node: Node) -> str:
    """The text of an expression; parsed, it is the same expression again."""
    if isinstance(node, Number):
        return f"{node.value:.15g}"
    if isinstance(node, Name):
        return node.name
    if isinstance(node, Call):
        return f"{node.name}({', '.join(map(show, node.arguments))})"
    own = strength(node)
    if isinstance(node, Prefix):
        return node.symbol + enclosed(node.operand, own)
    from_right = INFIX[node.symbol][1] == "right"
    left = enclosed(node.left, own + 1 if from_right else own)
    right = enclosed(node.right, own if from_right or isinstance(node.right, Prefix) else own + 1)
    return f"{left} {node.symbol} {right}"
