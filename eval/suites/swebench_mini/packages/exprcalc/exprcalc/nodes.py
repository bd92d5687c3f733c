"""What expressions consist of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    """A number that was written."""

    value: float


@dataclass(frozen=True)
class Name:
    """A constant, or a value that the caller gives."""

    name: str


@dataclass(frozen=True)
class Prefix:
    """An operator before its operand."""

    symbol: str
    operand: Node


@dataclass(frozen=True)
class Infix:
    """An operator between its operands."""

    symbol: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Call:
    """A function and its arguments."""

    name: str
    arguments: tuple[Node, ...]


Node = Number | Name | Prefix | Infix | Call


def children(node: Node) -> tuple[Node, ...]:
    """The parts of a node, from left to right."""
    if isinstance(node, Prefix):
        return (node.operand,)
    if isinstance(node, Infix):
        return (node.left, node.right)
    return node.arguments if isinstance(node, Call) else ()
