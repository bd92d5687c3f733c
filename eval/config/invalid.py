"""What is wrong with a value, in words: pydantic's kinds of errors as a person would say them."""

from __future__ import annotations

from typing import Any

BOOLEAN = "must be true or false"
WHOLE = "must be a whole number"
NUMBER = "must be a number"
LIST = "must be a list"
SECTION = "holds keys of its own, and each is set by itself"
MAPPING = "must hold names with values"
WORDS = {
    **dict.fromkeys(("bool_type", "bool_parsing"), BOOLEAN),
    **dict.fromkeys(("int_type", "int_parsing", "int_parsing_size", "int_from_float"), WHOLE),
    **dict.fromkeys(("float_type", "float_parsing", "finite_number"), NUMBER),
    **dict.fromkeys(
        ("list_type", "tuple_type", "set_type", "frozen_set_type", "sequence_str", "iterable_type", "is_sequence"), LIST
    ),
    **dict.fromkeys(("model_type", "model_attributes_type", "dataclass_type"), SECTION),
    **dict.fromkeys(("dict_type", "mapping_type"), MAPPING),
    "string_type": "must be a text",
}
"""By the kind of error; those with a bound come beside."""
BOUNDS = {
    "greater_than_equal": ("ge", "must be {} or more"),
    "less_than_equal": ("le", "must be {} or less"),
    "greater_than": ("gt", "must be more than {}"),
    "less_than": ("lt", "must be less than {}"),
}


def must_be(error: Any, key: str) -> str:
    """What the value of `key` must be, of one of pydantic's errors."""
    kind, given = error["type"], error["input"]
    if kind in BOUNDS:
        name, text = BOUNDS[kind]
        return text.format(f"{error['ctx'][name]:g}")
    said = WORDS.get(kind, "")
    if kind == "is_instance_of":
        said = LIST if error["ctx"]["class"] == "Sequence" else f"must be of the kind {error['ctx']['class']}"
    if not said:
        message = str(error["msg"]).removeprefix("Input ").replace("should be", "must be")
        return f"{message[0].lower()}{message[1:]}"
    if said is LIST and isinstance(given, (str, int, float)):
        return f"{LIST}: write [{given}]"
    if said is SECTION:
        return f"{SECTION}: write {key}.NAME=VALUE"
    if said is MAPPING:
        return f"{MAPPING}: write '{key}={{NAME: VALUE}}'"
    if kind == "string_type" and isinstance(given, (int, float)):
        return f"{said}, and reads as something else: put it in quotes within quotes, such as '\"{given}\"'"
    return said
