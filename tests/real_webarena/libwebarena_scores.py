"""Scores of libwebarena's own evaluators, in a process of its own: `PYTHON libwebarena_scores.py < cases > scores`.

A case is `{kind, eval, answer, url, html}`, a score a number, or the name of the exception that the evaluator raised.
It needs libwebarena 0.0.4 and nothing of this project. Addresses of sites must be set before the import, and no request
is made to them; the Punkt data must be where NLTK looks, which is what fails offline.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import warnings
from typing import Any


class FakePage:
    """What `PseudoPage` hands requests to: a page that says one thing."""

    def __init__(self, html: str) -> None:
        self._html = html

    def content(self) -> str:
        return self._html

    def evaluate(self, script: str) -> str:
        return self._html


def main() -> None:
    warnings.simplefilter("ignore")
    for name in ("SHOPPING", "SHOPPING_ADMIN", "REDDIT", "GITLAB", "WIKIPEDIA", "MAP", "HOMEPAGE"):
        os.environ[name] = "http://nowhere.test"
    from webarena.evaluation_harness import evaluators  # type: ignore[import-not-found]  # in another environment
    from webarena.evaluation_harness.helper_functions import PseudoPage  # type: ignore[import-not-found]

    # the models that grade are another matter: a grade is whether the texts are equal
    evaluators.llm_fuzzy_match = evaluators.llm_ua_match = lambda pred, ref, intent: float(pred == ref)
    makers = {
        "string": evaluators.StringEvaluator,
        "url": evaluators.URLEvaluator,
        "html": evaluators.HTMLContentEvaluator,
    }
    scores = []
    with tempfile.NamedTemporaryFile("w+") as file:
        for case in json.load(sys.stdin):
            file.seek(0)
            file.truncate()
            json.dump({"intent": "How many?", "eval": case["eval"]}, file)
            file.flush()
            page = PseudoPage(FakePage(case["html"]), case["url"])
            scores.append(score(makers[case["kind"]](), file.name, case["answer"], page))
    json.dump(scores, sys.stdout)


def score(evaluator: Any, config: str, answer: str, page: Any) -> float | str:
    try:
        return float(evaluator([{}, {"answer": answer}], config, page, None))
    except (ValueError, AssertionError, KeyError, TypeError) as error:
        return type(error).__name__


if __name__ == "__main__":
    main()
