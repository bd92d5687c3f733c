"""Tokens, wider than the visible tests."""

import pytest
from tokkit import Language, LexError, Place, Places, highlight, strip_comments, tokenize


def pairs(text: str, of: str | Language) -> list[tuple[str, str]]:
    return [(token.kind, token.text) for token in tokenize(text, of)]


def test_numbers() -> None:
    assert pairs("1 2.5 30%", "calc") == [("number", "1"), ("number", "2.5"), ("percent", "30%")]
    assert pairs("1,2", "calc") == [("number", "1"), ("operator", ","), ("number", "2")]
    for text in ("1x", "1.2.3", "2."):
        with pytest.raises(LexError):
            tokenize(text, "calc")


def test_hexadecimal_numbers() -> None:
    assert pairs("0x1F + 0XaB", "calc") == [("hex", "0x1F"), ("operator", "+"), ("hex", "0XaB")]
    assert pairs("0 x1", "calc") == [("number", "0"), ("name", "x1")]
    for text in ("0x", "0xG", "0x1Fg"):
        with pytest.raises(LexError):
            tokenize(text, "calc")


def test_hexadecimal_numbers_in_colour() -> None:
    assert highlight("0x1F", "calc").count("0x1F") == 1


def test_variables() -> None:
    assert pairs("path = $home", "ini")[-1] == ("variable", "$home")
    assert pairs("${user_2}=1", "ini")[0] == ("variable", "${user_2}")
    assert [kind for kind, _ in pairs("$a $b", "calc")] == ["variable", "variable"]
    for text in ("$", "$1", "${}", "${a", "$ a"):
        with pytest.raises(LexError):
            tokenize(text, "ini")


def test_names_and_keywords() -> None:
    assert pairs("selected Select _x été", "sql") == [
        ("name", "selected"),
        ("keyword", "Select"),
        ("name", "_x"),
        ("name", "été"),
    ]
    assert pairs("select", "calc") == [("name", "select")]


def test_keywords_of_conditions() -> None:
    words = "a BETWEEN 1 AND 2 OR b IS NOT NULL AND c LIKE 'x' AND d IN (1)"
    found = [text for kind, text in pairs(words, "sql") if kind == "keyword"]
    assert found == ["BETWEEN", "AND", "OR", "IS", "NOT", "NULL", "AND", "LIKE", "AND", "IN"]
    assert pairs("between", "sql") == [("keyword", "between")]


def test_strings() -> None:
    assert pairs("'a b' 'c'", "sql") == [("string", "'a b'"), ("string", "'c'")]
    assert pairs("''", "sql") == [("string", "''")]
    assert pairs("'-- no comment'", "sql") == [("string", "'-- no comment'")]
    assert pairs("'two\nlines'", "sql") == [("string", "'two\nlines'")]


def test_backslashes_in_strings() -> None:
    assert pairs('"say \\"hi\\"" 1', "json") == [("string", '"say \\"hi\\""'), ("number", "1")]
    assert pairs('"a\\\\" 1', "json") == [("string", '"a\\\\"'), ("number", "1")]
    assert pairs('"\\\\\\"" "b"', "json") == [("string", '"\\\\\\""'), ("string", '"b"')]
    assert pairs('"\\n"', "json") == [("string", '"\\n"')]
    assert [kind for kind, _ in pairs('["\\\\", "\\\\"]', "json")].count("string") == 2


def test_strings_that_do_not_end() -> None:
    for text in ("'", "'abc", "'abc\\'", "a 'b' 'c"):
        with pytest.raises((LexError, ValueError, EOFError)):
            tokenize(text, "sql")


def test_comments() -> None:
    assert pairs("a -- b\nc", "sql") == [("name", "a"), ("comment", "-- b"), ("name", "c")]
    assert pairs("a - - b", "sql")[1:3] == [("operator", "-"), ("operator", "-")]
    assert pairs("; only\n", "ini") == [("comment", "; only")]


def test_both_comments_of_ini_files() -> None:
    assert pairs("a=1 # one\n; two\n#three", "ini")[3:] == [
        ("comment", "# one"),
        ("comment", "; two"),
        ("comment", "#three"),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["unix", "windows", "mac"])
def test_line_ends(end: str) -> None:
    text = f"; first{end}a = 1 ; one{end}{end}  b = 2"
    tokens = tokenize(text, "ini")
    assert [token.text for token in tokens] == ["; first", "a", "=", "1", "; one", "b", "=", "2"]
    assert [token.place.line for token in tokens] == [1, 2, 2, 2, 2, 4, 4, 4]
    assert tokens[5].place == Place(4, 3)
    assert strip_comments(text, "ini") == f"{end}a = 1{end}{end}  b = 2"


def test_places() -> None:
    places = Places("ab\n\ncd\r\ne")
    assert [str(places.at(offset)) for offset in (0, 2, 3, 4, 5, 8, 9)] == [
        "1:1",
        "1:3",
        "2:1",
        "3:1",
        "3:2",
        "4:1",
        "4:2",
    ]
    for offset in range(9):
        assert places.offset(places.at(offset)) == offset
    assert Place(1, 9) < Place(2, 1)


def test_places_after_a_string_of_several_lines() -> None:
    tokens = tokenize("'a\nb' c", "sql")
    assert [token.place for token in tokens] == [Place(1, 1), Place(2, 4)]


def test_languages_of_ones_own() -> None:
    arrows = Language("arrows", comments=("//",), quotes=("'", '"'), operators=("-", "->", "->>"), keywords=("to",))
    assert pairs("a->>b->c-d // x", arrows)[1::2] == [
        ("operator", "->>"),
        ("operator", "->"),
        ("operator", "-"),
        ("comment", "// x"),
    ]
    assert pairs('"it\'s" TO \'say "x"\'', arrows) == [
        ("string", '"it\'s"'),
        ("keyword", "TO"),
        ("string", "'say \"x\"'"),
    ]
    with pytest.raises(LexError, match="nothing in arrows"):
        tokenize("a + b", arrows)


def test_highlight() -> None:
    assert highlight("select 'x' -- y", "sql") == "<bold>select</bold> <green>'x'</green> <grey>-- y</grey>"
    assert highlight("  \n", "sql") == "  \n"


def test_strip_comments() -> None:
    assert strip_comments("-- a\nb -- c\n--d", "sql") == "\nb\n"
    assert strip_comments("a = '-- b'", "sql") == "a = '-- b'"
    assert strip_comments("", "sql") == ""
