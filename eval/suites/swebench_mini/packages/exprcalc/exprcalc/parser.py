"""Tokens to nodes, by the strength of operators."""

from exprcalc._operators import INFIX, PREFIX
from exprcalc.errors import SyntaxFault
from exprcalc.lexer import Token, tokens
from exprcalc.nodes import Call, Infix, Name, Node, Number, Prefix


class Parser:
    """One pass over the tokens of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.place = 0

    @property
    def token(self) -> Token:
        """The one that comes next."""
        return self.tokens[self.place]

    def take(self) -> Token:
        """Steps over the next one."""
        self.place += 1
        return self.tokens[self.place - 1]

    def need(self, symbol: str) -> None:
        """Steps over this symbol. SyntaxFault where something else stands."""
        if self.token.kind != "symbol" or self.token.text != symbol:
            raise SyntaxFault(self.text, self.token.position, repr(symbol))
        self.take()

    def expression(self, least: int = 0) -> Node:
        """All that is held together by operators of at least this strength."""
        left = self.operand()
        while self.token.kind == "symbol" and self.token.text in INFIX:
            strength, side = INFIX[self.token.text]
            if strength < least:
                break
            symbol = self.take().text
            right = self.expression(strength if side == "right" else strength + 1)
            left = Infix(symbol, left, right)
        return left

    def operand(self) -> Node:
        """A number, a name, a call, something in parentheses, or one of them behind a prefix."""
        token = self.take()
        if token.kind == "number":
            return Number(float(token.text))
        if token.kind == "name":
            return Call(token.text, self.arguments()) if self.token.text == "(" else Name(token.text)
        if token.text == "(":
            inner = self.expression()
            self.need(")")
            return inner
        if token.text in PREFIX:
            return Prefix(token.text, self.expression(PREFIX[token.text][0]))
        raise SyntaxFault(self.text, token.position, "a value")

    def arguments(self) -> tuple[Node, ...]:
        """What stands between the parentheses of a call."""
        self.need("(")
        found: list[Node] = []
        if self.token.text != ")":
            found.append(self.expression())
            while self.token.text == ",":
                self.take()
                found.append(self.expression())
        self.need(")")
        return tuple(found)


def parse(text: str) -> Node:
    """The expression of a text. SyntaxFault where it is none."""
    parser = Parser(text)
    node = parser.expression()
    if parser.token.kind != "end":
        raise SyntaxFault(text, parser.token.position, "an operator")
    return node
