"""Made by tools/make_languages.py from languages.txt; do not edit."""

LANGUAGES: dict[str, dict[str, tuple[str, ...]]] = {
    "calc": {
        "comments": (),
        "quotes": (),
        "operators": ("(", ")", "*", "+", ",", "-", "/", "="),
        "keywords": (),
    },
    "ini": {
        "comments": ("#", ";"),
        "quotes": ('"',),
        "operators": ("=", "[", "]"),
        "keywords": (),
    },
    "json": {
        "comments": (),
        "quotes": ('"',),
        "operators": (",", ":", "[", "]", "{", "}"),
        "keywords": ("false", "null", "true"),
    },
    "sql": {
        "comments": ("--",),
        "quotes": ("'",),
        "operators": ("<=", "<>", ">=", "(", ")", "*", "+", ",", "-", ".", "/", ";", "<", "=", ">"),
        "keywords": (
            "between",
            "having",
            "select",
            "group",
            "order",
            "where",
            "from",
            "like",
            "null",
            "and",
            "not",
            "as",
            "by",
            "in",
            "is",
            "or",
        ),
    },
}
