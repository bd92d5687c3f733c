"""The program of the second scorer: tasks on standard input, scores on standard output, a line of JSON each.

It is run by an interpreter that has the package webarena-verified, and imports nothing of this project. A line is
`{task_id, response, trace, addresses}`; the answer is `{score}`, or `{fault}` where the package says that it could not
evaluate it.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from typing import Any


def main() -> None:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the package prints is no answer
    logging.disable(logging.CRITICAL)
    from webarena_verified.api import WebArenaVerified  # type: ignore[import-not-found]  # in another environment
    from webarena_verified.types.config import WebArenaVerifiedConfig  # type: ignore[import-not-found]

    print(json.dumps({"ready": True}), file=out, flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        environments = {name: {"urls": [url]} for name, url in asked["addresses"].items()}
        scorer = WebArenaVerified(config=WebArenaVerifiedConfig(environments=environments))
        result = scorer.evaluate_task(
            task_id=asked["task_id"], agent_response=asked["response"], network_trace=asked["trace"]
        )
        failed = str(result.status).lower().endswith("error")
        reply = {"fault": str(result.error_msg or why(result))} if failed else {"score": float(result.score)}
        print(json.dumps(reply), file=out, flush=True)


def why(result: Any) -> str:
    """What one of a task's evaluators says where the task's own result says nothing."""
    told = (str(each.error_msg) for each in result.evaluators_results if each.error_msg)
    return next(told, "it does not say why")


if __name__ == "__main__":
    main()
