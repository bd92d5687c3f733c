"""WebArena's evaluators, as pure functions of a task's gold and the evidence of an attempt.

The rules are WebArena's own, kept where one might wish them otherwise (`must_include` compares whole tokens only for
a reference of one character), so that scores can be compared. `alternatives` adds one: ` |OR| ` also in `must_include`
of answers, where WebArena takes it literally. What a locator is, is the business of whoever collects the evidence.

Where WebArena's own evaluators have no outcome there is one here: an empty answer is no fuzzy match and asks no model,
a page whose address cannot be parsed is no URL match, and of several references none is forgotten.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Literal
from urllib.parse import parse_qs, urlparse

from pydantic import Field, model_validator

from eval.journal import Outcome
from eval.suites.base import NOT_AVAILABLE, Grader
from eval.suites.web.evidence import WebEvidence
from reasoningbank.types import Record

OR = " |OR| "
EvalType = Literal["string_match", "url_match", "program_html"]


class ReferenceAnswers(Record):
    """What an answer must be. Those that are given must all hold."""

    exact_match: str | None = None
    must_include: tuple[str, ...] | None = None
    fuzzy_match: tuple[str, ...] | Literal["N/A"] | None = None


class RequiredContents(Record):
    """What a place on a page must say."""

    exact_match: str | None = None
    must_include: tuple[str, ...] | None = None

    @model_validator(mode="after")
    def _one(self) -> RequiredContents:
        if (self.exact_match is None) == (self.must_include is None):
            raise ValueError("required_contents needs exactly one of exact_match and must_include")
        return self


class ProgramHtml(Record):
    """A place to look at after the attempt: a URL or `last`, and a CSS selector (empty: the whole page). `prep_actions`
    are done on the page before, where the environment can."""

    url: str
    locator: str
    required_contents: RequiredContents
    prep_actions: tuple[str, ...] = ()


class EvalSpec(Record):
    """The `eval` object of a task in WebArena's schema: its gold."""

    eval_types: tuple[EvalType, ...] = Field(min_length=1)
    reference_answers: ReferenceAnswers | None = None
    reference_url: str = ""
    url_note: Literal["GOLD in PRED"] = "GOLD in PRED"
    program_html: tuple[ProgramHtml, ...] = ()
    string_note: str = ""
    reference_answer_raw_annotation: str = ""

    @model_validator(mode="after")
    def _complete(self) -> EvalSpec:
        answers = self.reference_answers
        if "string_match" in self.eval_types:
            if answers is None or answers == ReferenceAnswers():
                raise ValueError("eval type string_match needs reference_answers with at least one of its keys")
            if answers.fuzzy_match == NOT_AVAILABLE and not self.string_note:
                raise ValueError("fuzzy_match 'N/A' needs string_note: why the task cannot be done")
        if "url_match" in self.eval_types and not self.reference_url:
            raise ValueError("eval type url_match needs reference_url")
        if "program_html" in self.eval_types and not self.program_html:
            raise ValueError("eval type program_html needs program_html with at least one place")
        return self

    def probes(self) -> tuple[tuple[str, str], ...]:
        """The (url, locator) pairs an environment must look at, each once."""
        if "program_html" not in self.eval_types:
            return ()
        return tuple(dict.fromkeys((target.url, target.locator) for target in self.program_html))


def evaluate(
    spec: EvalSpec,
    intent: str,
    evidence: WebEvidence,
    grader: Grader,
    placeholders: Mapping[str, str] | None = None,
    *,
    alternatives: bool = True,
) -> Outcome:
    """The product of the scores of all eval types. `placeholders` are replaced in the reference URL."""
    checks: dict[str, float] = {}
    for eval_type in spec.eval_types:
        if eval_type == "string_match":
            checks[eval_type] = string_match(spec, intent, evidence.answer or "", grader, alternatives=alternatives)
        elif eval_type == "url_match":
            reference = spec.reference_url
            for placeholder, base in (placeholders or {}).items():
                reference = reference.replace(placeholder, base)
            checks[eval_type] = url_match(reference, evidence.url)
        else:
            checks[eval_type] = program_html(spec, evidence)
    reward = 1.0
    for score in checks.values():
        reward *= score
    return Outcome(status="solved" if reward == 1.0 else "unsolved", reward=reward, checks=checks)


def string_match(spec: EvalSpec, intent: str, answer: str, grader: Grader, *, alternatives: bool = True) -> float:
    references = spec.reference_answers or ReferenceAnswers()
    answer = clean_answer(answer)
    score = 1.0
    if references.exact_match is not None:
        score *= exact_match(references.exact_match, answer)
    for reference in references.must_include or ():
        whole = len(references.must_include or ()) == 1
        parts = reference.split(OR) if alternatives else [reference]
        score *= max(must_include(part, answer, tokenize=whole) for part in parts)
    if references.fuzzy_match == NOT_AVAILABLE:
        if exact_match(NOT_AVAILABLE, answer) != 1.0:
            # a reference that begins with N/A asks the grader whether the answer says that it cannot be done
            score *= float(bool(answer) and grader(intent, f"{NOT_AVAILABLE}: {spec.string_note}", answer))
    else:
        for reference in references.fuzzy_match or ():
            score *= float(not reference) if not answer else float(grader(intent, reference, answer))
    return score


def url_match(reference_url: str, url: str) -> float:
    """GOLD in PRED: one reference's host and path is part of the page's, and each of their parameters is there."""
    parameters: dict[str, set[str]] = defaultdict(set)
    bases = []
    for reference in reference_url.split(OR):
        base, query = _parsed(reference.rstrip("/"))
        bases.append(base)
        for key, values in query.items():
            parameters[key].update(values)
    page_base, page_query = _parsed(url.rstrip("/"))
    if not any(base in page_base for base in bases):
        return 0.0
    return float(all(wanted & set(page_query.get(key, [])) for key, wanted in parameters.items()))


def program_html(spec: EvalSpec, evidence: WebEvidence) -> float:
    seen = {(probe.url, probe.locator): probe for probe in evidence.probes}
    score = 1.0
    for target in spec.program_html:
        probe = seen.get((target.url, target.locator))
        if probe is None:  # not even an empty text was found there
            return 0.0
        text = html.unescape(probe.text)
        required = target.required_contents
        if required.exact_match is not None:
            score *= exact_match(required.exact_match, text)
        for content in required.must_include or ():
            score *= max(must_include(part, text) for part in content.split(OR))
    return score


def clean_answer(text: str) -> str:
    """Without white space and one pair of quotes around it, in lower case."""
    text = text.strip()
    for quote in ("'", '"'):
        if text.startswith(quote) and text.endswith(quote):
            return text[1:-1].lower()
    return text.lower()


def exact_match(reference: str, answer: str) -> float:
    return float(clean_answer(answer) == clean_answer(reference))


def must_include(reference: str, answer: str, *, tokenize: bool = False) -> float:
    """The answer contains the reference; with `tokenize`, one of a single character must be a token of its own."""
    wanted, given = clean_answer(reference), clean_answer(answer)
    if tokenize and len(wanted) == 1:
        return float(wanted in word_tokens(given))
    return float(wanted in given)


_PADDED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), spaced)
    for pattern, spaced in (
        (r"[«»“”‘’„]|`+", r" \g<0> "),
        (r"(?<!\w)'(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)", r"' "),  # an opening quote; but 's, 'll
        (r"(?<!\.)\.(?=[\])}>\"'»”’\s]*$)", " . "),  # at the very end of a sentence
        (r"([:,])(\D)", r" \1 \2"),  # unless a digit follows
        (r"[:,]$", r" \g<0> "),
        (r"\.{2,}|--", r" \g<0> "),
        (r"[;@#$%&?!*()\[\]{}<>\u2012-\u2015]", r" \g<0> "),
        (r"(?<!')' ", " ' "),
        (r"''|\"", r" \g<0> "),
        (r"(?<=[^' ])('(?:[smd]|ll|re|ve)?|n't)(?=\s|$)", r" \1"),
    )
)
"""Marks that stand alone, each with spaces around it."""
_NO_END = re.compile(r"""[;:,.!?]|[^\W\d_]""")
"""How what follows `5.` or `b.` begins where no sentence has ended there; texts are in lower case."""
_END = re.compile(r"""[.?!]["')\]}]*\s+(?=(\S))""")
_COUNTED = re.compile(r"""(?:^|[\s("`{\[:;&#*@)}\]\-,])(?:\d|[^\W\d_])\.["')\]}]*\s+$""")


def word_tokens(text: str) -> list[str]:
    """Words and marks of a text in lower case as the Penn Treebank splits them, sentence by sentence, as far as a token
    of one character can depend on it."""
    tokens: list[str] = []
    for sentence in _sentences(text):
        for pattern, spaced in _PADDED:
            sentence = pattern.sub(spaced, sentence)
        tokens += sentence.split()
    return tokens


def _sentences(text: str) -> list[str]:
    """Number and letter before a dot may be those of a list: then it ends no sentence where a word follows."""
    found, start = [], 0
    for end in _END.finditer(text):
        counted = _COUNTED.search(text[max(0, end.start() - 2) : end.end()]) is not None
        if not (counted and _NO_END.match(end[1])):
            found.append(text[start : end.end()])
            start = end.end()
    return [*found, text[start:]]


def _parsed(url: str) -> tuple[str, dict[str, list[str]]]:
    """Host and path, and the parameters. What follows a `;` in the path counts for nothing, as in WebArena."""
    try:
        parts = urlparse(url)
    except ValueError:
        return url, {}
    return parts.netloc + parts.path, parse_qs(parts.query)
