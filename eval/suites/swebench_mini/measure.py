"""What can be measured of the suite: its known fixes, evaluated."""

from __future__ import annotations

import re
from collections import Counter

from eval.suites.code.evidence import CodeEvidence
from eval.suites.profile import Convention, SuiteProfile, quantiles, shares
from eval.suites.swebench_mini.suite import DIFFICULTIES, SwebenchMini, level


def measure(suite: SwebenchMini) -> SuiteProfile:
    """Evaluates the known fix of each chosen task, and counts what it is made of."""
    tasks = suite.tasks()
    built = [suite.built[task.id] for task in tasks]
    patches = [each.instance.patch for each in built]
    solved = [
        suite.evaluation(task, CodeEvidence(patch=patch)).resolved for task, patch in zip(tasks, patches, strict=True)
    ]
    needed = Counter(f"{each.package}.{rule}" for each in built for rule in each.rules)
    return SuiteProfile(
        tasks=len(built),
        templates=len({each.kind for each in built}),
        solved=sum(solved) / len(solved),
        measures={
            "files of a fix": quantiles([float(patch.count("\n+++ ")) for patch in patches]),
            "lines of a fix": quantiles([float(len(re.findall(r"(?m)^[-+](?![-+])", patch))) for patch in patches]),
            "words of a statement": quantiles([float(len(each.instance.problem_statement.split())) for each in built]),
            "files of a repository": quantiles([float(len(each.files)) for each in built]),
            "tests that a fix makes pass": quantiles([float(len(each.instance.FAIL_TO_PASS)) for each in built]),
            "tests that it has to keep": quantiles([float(len(each.instance.PASS_TO_PASS)) for each in built]),
        },
        evaluations=shares(Counter(DIFFICULTIES[level(each)] for each in built)),
        shares=shares(Counter(each.kind for each in built)),
        conventions={
            code: Convention(says=says, templates=needed[code])
            for code, says in suite.conventions.items()
            if needed[code]
        },
    )
