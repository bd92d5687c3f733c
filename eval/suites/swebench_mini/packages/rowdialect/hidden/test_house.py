"""What every change of this library has to keep."""

from pathlib import Path

import pytest
import rowdialect
from rowdialect import RowError, Table, converters, dialects, read

ROOT = Path(rowdialect.__file__).resolve().parent.parent


def test_every_converter_is_registered_and_public() -> None:
    made = {name for name in vars(converters) if name.startswith("to_")}
    assert {f"to_{kind}" for kind in converters.CONVERTERS} == made
    assert made <= set(rowdialect.__all__)
    assert len(made) >= 4


def test_every_dialect_is_registered_and_public() -> None:
    made = {name for name, value in vars(dialects).items() if isinstance(value, dialects.Dialect)}
    assert {name.upper() for name in dialects.KNOWN} == made
    assert made <= set(rowdialect.__all__)
    assert len(made) >= 4


def test_a_quote_without_an_end_is_an_error_of_ours() -> None:
    with pytest.raises(RowError, match="whole rest"):
        read('a,b\n1,"the whole rest\n2,3\n')
    with pytest.raises(RowError, match="line 2"):
        read('a,b\n1,"the whole rest\n2,3\n')


def test_a_column_that_there_is_not_is_an_error_of_ours() -> None:
    table = Table(["name", "born"], [["Ada", "1815"]])
    with pytest.raises(RowError, match="'nmae'"):
        table.column("nmae")
    with pytest.raises(RowError, match="'bron'"):
        table.select("name", "bron")
    with pytest.raises(RowError, match="'age'"):
        rowdialect.typed(table, {"age": "int"})


def test_every_change_is_in_the_changelog() -> None:
    """Three things have changed since 0.7.0."""
    unreleased = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    assert unreleased.startswith("Unreleased\n")
    assert len([line for line in unreleased.splitlines() if line.startswith("- ")]) >= 3
