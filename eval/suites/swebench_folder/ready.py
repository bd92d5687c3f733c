"""A distribution made ready: what its tests need, which of them pass, and do so again, in the sandbox."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.suites.code.python_home import TEST_PACKAGES, files_of
from eval.suites.code.sandbox import Limits, choose
from eval.suites.code.testing import run_pytest
from eval.suites.swebench_folder.content import FolderTree, WithPaths
from eval.suites.swebench_folder.forks import Change, Forks, RanTree
from eval.suites.swebench_folder.sdist import Sdist
from eval.suites.swebench_mini.source import Source
from reasoningbank.errors import SetupError
from reasoningbank.syntax import Function

MISSING = re.compile(r"No module named '([A-Za-z0-9_]+)")
FIRST_CPU, SECONDS = 300, 100.0
"""What all tests may take: of CPU the first time, which also looks at what they enter; and by the clock."""
LEAST_CPU, SLOWER = 5, 3
"""Seconds of CPU that a candidate's tests have in any case, and how many times those of the clean tree beside."""
MOST_ROUNDS = 8
"""Of finding out what the tests need."""


@dataclass(frozen=True)
class Ready:
    """`clean` is what the tests tell without any defect, `stable` those that passed twice; `missing` are packages that
    some files of tests need and that are not there."""

    sdist: Sdist
    forks: Forks
    clean: RanTree
    stable: set[str]
    needs: tuple[str, ...]
    missing: tuple[str, ...]

    def cpu_seconds(self, tests: Iterable[str]) -> int:
        """What these tests may take with a defect, by what they take without: the more is an endless loop's."""
        return LEAST_CPU + round(SLOWER * sum(self.clean.took.get(test, 0.0) for test in tests))


def prepared(sdist: Sdist) -> Ready:
    """SetupError where no test passes, where they take too long, or where the sandbox shows the library anyhow."""
    needs: tuple[str, ...] = TEST_PACKAGES
    missing: tuple[str, ...] = ()
    for _ in range(MOST_ROUNDS):
        check_unknown(sdist, needs)
        sandbox = WithPaths(choose("bubblewrap", limits=Limits(), packages=needs), sdist.paths)
        forks = Forks(sandbox, sdist.folder, sdist.tests, sdist.paths, sdist.libraries, FIRST_CPU)
        clean = forks.run_tests([Change()], entered=True)[0]
        said = "\n".join([*clean.errors.values(), forks.said if not clean.statuses else ""])
        missing = tuple(sorted(set(MISSING.findall(said)) - set(sdist.libraries)))
        more = {name for each in missing for name in distributions(each)} - set(needs)
        if not more:
            break
        needs = (*needs, *sorted(more))
    if not clean.passed:
        raise SetupError(none_passes(sdist, clean, missing, forks.said))
    forks.cpu_seconds = LEAST_CPU + round(SLOWER * clean.cpu_seconds)
    again = run_again(sandbox, sdist, clean)
    stable = clean.passed & again
    if not stable:
        raise SetupError(f"{sdist.name} {sdist.version}: no test passes a second time in the sandbox")
    return Ready(sdist, forks, clean, stable, needs, missing)


def run_again(sandbox: WithPaths, sdist: Sdist, clean: RanTree) -> set[str]:
    """Those that pass as evaluations run them."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="reasoningbank-") as name:
        folder = Path(name, "workspace")
        FolderTree(sdist.folder, {})(folder)
        ran = run_pytest(sandbox, folder, sorted(clean.passed), seconds=SECONDS)
    if ran.stopped:
        raise SetupError(
            f"{sdist.name} {sdist.version}: its tests were run a second time, and {ran.stopped}; an evaluation runs "
            "them all, so name fewer by --tests"
        )
    return {test for test, status in ran.statuses.items() if status == "PASSED"}


def check_unknown(sdist: Sdist, packages: tuple[str, ...]) -> None:
    """SetupError where the sandbox's Python has the library itself: its fixes could be read there."""
    there = {name.removesuffix(".py") for name in files_of(packages)} | sys.stdlib_module_names
    if both := sorted(there & set(sdist.libraries)):
        raise SetupError(
            f"{sdist.name} {sdist.version}: the sandbox's Python has {both[0]} itself, where an agent would read every "
            "fix; choose another package"
        )


def distributions(module: str) -> list[str]:
    """The packages of this Python that a module comes from."""
    from importlib import metadata

    return sorted(set(metadata.packages_distributions().get(module, ())))


def none_passes(sdist: Sdist, clean: RanTree, missing: tuple[str, ...], said: str) -> str:
    """What to do where no test passes."""
    what = f"{sdist.name} {sdist.version}: none of its tests passes in the sandbox"
    if missing:
        return (
            f"{what}, which need {', '.join(missing)}: {sys.executable} -m pip install what brings them, and run this "
            "again; or choose another package"
        )
    if not clean.statuses:
        told = " ".join(said.split())[-300:] or "nothing, and did not end; name fewer files by --tests"
        return f"{what}; pytest said: {told}"
    first = next(iter(clean.errors.values()), "") or ", ".join(sorted(clean.statuses)[:3]) + " do not pass"
    return f"{what}, such as: {' '.join(first.split())[-300:]}"


def reached(sources: Sequence[Source], entered: Mapping[str, Sequence[str]]) -> dict[tuple[str, str], set[str]]:
    """For each function, by its module and its dotted name, the tests that enter it, "" for what is before them."""
    names: dict[str, tuple[str, str]] = {}
    found: dict[tuple[str, str], set[str]] = {}
    for source in sources:
        for node in source.nodes:
            if isinstance(node, Function):
                line = min(each.lineno for each in (node, *node.decorator_list))
                names[f"{source.path}:{line}"] = place = (source.path, source.qualified(node))
                found.setdefault(place, set())
    for test, places in entered.items():
        for place in filter(None, map(names.get, places)):
            found[place].add(test)
    return found
