"""What every change of this library has to keep."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
import unitbox
from unitbox import Quantity, _table, errors

ROOT = Path(unitbox.__file__).resolve().parent.parent


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("unitbox_make_table", ROOT / "tools/make_table.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_is_that_of_the_definitions() -> None:
    definitions = (ROOT / "unitbox/definitions.txt").read_text(encoding="utf-8")
    assert tool().rows(definitions) == _table.UNITS


def test_a_sum_over_dimensions_is_an_error_of_ours() -> None:
    with pytest.raises(errors.UnitError, match="'km' and 'kg'"):
        Quantity(1, "km") + Quantity(1, "kg")
    with pytest.raises(errors.UnitError, match="'s' and 'l'"):
        unitbox.total([Quantity(1, "s"), Quantity(1, "l")])


def test_units_in_no_order_are_an_error_of_ours() -> None:
    for text in ("11 in 5 ft", "5 ft 3 ft", "1 h 90 s 2 min"):
        with pytest.raises(errors.UnitError, match=text):
            unitbox.parse(text)


def test_a_style_that_there_is_not_is_an_error_of_ours() -> None:
    with pytest.raises(errors.UnitError, match="fancy"):
        unitbox.render(Quantity(1, "m"), style="fancy")


def test_ranking_leaves_the_list_as_it_is() -> None:
    given = [Quantity(2, "km"), Quantity(300, "m"), Quantity(1, "mi")]
    before = list(given)
    unitbox.ranked(given)
    unitbox.ranked(given, largest_first=True)
    assert given == before


def test_a_breakdown_leaves_the_units_as_they_are() -> None:
    wanted = ["min", "h", "s"]
    unitbox.breakdown(Quantity(4000, "s"), wanted)
    assert wanted == ["min", "h", "s"]


def test_a_sum_leaves_the_list_as_it_is() -> None:
    given = [Quantity(1, "m"), Quantity(2, "m")]
    unitbox.total(given)
    unitbox.rescale(given, "cm")
    assert given == [Quantity(1, "m"), Quantity(2, "m")]
