"""Generated cases for evaluators: answers near to references, addresses near to addresses, pages near to contents."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

WORDS = (
    *("tea", "green", "order", "orders", "total", "5", "9", "2.50", "$12.99", "0", "it's"),
    *("the", "no", "yes", "10:30", "a", "1,000", "N/A", "blue-ish", "x", "b", "don't"),
)
BEFORE = ("", "", "It is ", "there are ", "Answer: ", "(", "'", '"', "$", "#", "about ", "between 1 and ", "“", "- ")
AFTER = ("", "", ".", "!", " of them.", ". That is all", ". they are here", ", I think", ")", "'", '"', "%", "; done")
MORE_AFTER = (
    "...",
    ".)",
    ". 3 more",
    ":",
    ": yes",
    "'s",
    "/7",
    "-6",
    "”.",
    "\n",
    ".\nThe rest",
    " -- all",
    "?",
    ". (x)",
)
HOSTS = ("http://shop.test", "http://shop.test:7770", "https://git.test", "http://localhost:80")
PATHS = ("", "/", "/a", "/a/", "/a/b", "/a/b/", "/A/b", "/a;v=1/b", "/a;v=1", "/a%20b", "/a b", "//a", "/a.html")
QUERIES = ("", "?q=1", "?q=2", "?q=1&q=2", "?q=", "?page=1&q=1", "?q=a+b", "?q=a%20b", "?q=1/", "?", "?Q=1")
ENDS = ("", "", "", "#top", "/", "#")


def string_cases(rng: random.Random) -> Iterator[dict[str, Any]]:
    while True:
        said = [phrase(rng) for _ in range(rng.randint(1, 3))]
        kind = rng.choice(("exact_match", "must_include", "must_include", "must_include", "fuzzy_match"))
        references: dict[str, Any] = {kind: said[0] if kind == "exact_match" else said}
        if rng.random() < 0.3:  # what a single character is compared with are tokens
            said = [rng.choice("0123456789ab%$")]
            references = {"must_include": said}
        if rng.random() < 0.1:
            said = ["N/A"]
            references = {"fuzzy_match": "N/A"}
        parts = [f"{rng.choice(BEFORE)}{cased(rng, each)}{rng.choice(AFTER + MORE_AFTER)}" for each in said]
        if rng.random() < 0.25:
            parts[rng.randrange(len(parts))] = phrase(rng)
        answer = rng.choice((" ", " and ", "\n", ", ")).join(parts)
        spec = {"eval_types": ["string_match"], "reference_answers": references, "string_note": "nobody sells it"}
        yield {"kind": "string", "eval": spec, "answer": answer, "url": "", "html": ""}


def url_cases(rng: random.Random) -> Iterator[dict[str, Any]]:
    while True:
        wanted = [address(rng) for _ in range(rng.choice((1, 1, 1, 2)))]
        url = wanted[-1] if rng.random() < 0.3 else address(rng)
        if rng.random() < 0.4:
            url = rng.choice(wanted).split("?")[0] + rng.choice(PATHS) + rng.choice(QUERIES) + rng.choice(ENDS)
        spec = {"eval_types": ["url_match"], "reference_url": " |OR| ".join(wanted), "url_note": "GOLD in PRED"}
        yield {"kind": "url", "eval": spec, "answer": "", "url": url, "html": ""}


def html_cases(rng: random.Random) -> Iterator[dict[str, Any]]:
    while True:
        wanted = [phrase(rng) for _ in range(rng.randint(1, 2))]
        if rng.random() < 0.3:
            wanted[0] += f" |OR| {phrase(rng)}"
        exact = rng.random() < 0.4
        contents = {"exact_match": wanted[0]} if exact else {"must_include": wanted}
        shown = " ".join(f"{rng.choice(BEFORE)}{cased(rng, each.split(' |OR| ')[-1])}" for each in wanted)
        if rng.random() < 0.3:
            shown = phrase(rng)
        if rng.random() < 0.3:
            shown = shown.replace("'", "&#39;").replace('"', "&quot;").replace("$", "&dollar;")
        locator = rng.choice(("", "document.title"))
        target = {"url": "last", "locator": locator, "required_contents": contents}
        spec = {"eval_types": ["program_html"], "program_html": [target]}
        yield {"kind": "html", "eval": spec, "answer": "", "url": "http://shop.test/", "html": shown}


def packaged_cases(tasks: list[dict[str, Any]], rng: random.Random) -> Iterator[dict[str, Any]]:
    """Answers near to the references of real tasks, and addresses near to theirs."""
    for task in tasks:
        spec = json.loads(json.dumps(task["eval"]).replace("__", ""))
        if "string_match" in spec["eval_types"]:
            references = [each for value in spec["reference_answers"].values() for each in listed(value)]
            joined = rng.choice((" ", ", ", ". ")).join(cased(rng, each) for each in references)
            answer = f"{rng.choice(BEFORE)}{joined}{rng.choice(AFTER)}"
            yield {"kind": "string", "eval": spec, "answer": answer, "url": "", "html": ""}
        if "url_match" in spec["eval_types"]:
            url = rng.choice(spec["reference_url"].split(" |OR| ")) + rng.choice(
                ("", "/", "?page=2", "&x=1", "#a", "x")
            )
            yield {"kind": "url", "eval": spec, "answer": "", "url": url, "html": ""}


def listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def phrase(rng: random.Random) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 3)))


def cased(rng: random.Random, text: str) -> str:
    return rng.choice((text, text, text.upper(), text.title()))


def address(rng: random.Random) -> str:
    return rng.choice(HOSTS) + rng.choice(PATHS) + rng.choice(QUERIES) + rng.choice(ENDS)
