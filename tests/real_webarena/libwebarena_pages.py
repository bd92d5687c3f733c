"""What libwebarena's evaluator reads on pages, in a real browser: `PYTHON libwebarena_pages.py < asked > read`.

The input is `{program, url, targets}`: Chromium's program, the page that an attempt has ended on, and what
`program_html` of tasks has; the output is a text for each. It needs libwebarena 0.0.4 and Playwright, and nothing of
this project.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
import warnings


def main() -> None:
    warnings.simplefilter("ignore")
    given = json.load(sys.stdin)
    for name in ("SHOPPING", "SHOPPING_ADMIN", "REDDIT", "GITLAB", "WIKIPEDIA", "MAP", "HOMEPAGE"):
        os.environ[name] = "http://nowhere.test"
    from playwright.sync_api import sync_playwright
    from webarena.evaluation_harness import evaluators  # type: ignore[import-not-found]  # in another environment

    time.sleep = lambda seconds: None  # it waits three seconds for each page
    read: list[str | None] = []

    def noted(ref: str, pred: str) -> float:
        read[-1] = pred
        return 1.0

    evaluators.StringEvaluator.exact_match = staticmethod(noted)
    with sync_playwright() as playwright, tempfile.NamedTemporaryFile("w+") as file:
        browser = playwright.chromium.launch(executable_path=given["program"])
        for target in given["targets"]:
            page = browser.new_context().new_page()
            page.goto(given["url"])
            file.seek(0)
            file.truncate()
            json.dump({"intent": "", "eval": {"program_html": [target]}}, file)
            file.flush()
            read.append(None)
            evaluators.HTMLContentEvaluator()([{}, {"answer": ""}], file.name, page, None)
            page.context.close()
        browser.close()
    json.dump(read, sys.stdout)


if __name__ == "__main__":
    main()
