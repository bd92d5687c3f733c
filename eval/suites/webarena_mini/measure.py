"""Runs known solutions: for the printed profile and for tests."""

from __future__ import annotations

from eval.grading.normalised import normalised_grader
from eval.suites.profile import SuiteProfile
from eval.suites.webarena_mini.profile import Labels, Measured, profile
from eval.suites.webarena_mini.site_tasks import solution_of
from eval.suites.webarena_mini.sites import SITES
from eval.suites.webarena_mini.solutions.driver import Driver, LostError
from eval.suites.webarena_mini.suite import WebArenaMini
from reasoningbank.tokens import estimate_tokens
from reasoningbank.types import Task


def solve(suite: WebArenaMini, task: Task, without: frozenset[str] = frozenset()) -> Measured:
    """Runs the known solution of a task, by a solver that lacks some of the conventions."""
    entry = suite.suite_tasks[task.id]
    solution = solution_of(entry)
    sites = [SITES[name] for name in entry.task.sites]
    words = {site.base_url: site.words for site in sites} if suite.redesigned(task) else None
    env = suite.environment(task)
    try:
        driver = Driver(env, env.reset(task, 0), without, words)
        gave_up = ""
        try:
            solution(driver, entry.task.instantiation_dict)
        except LostError as error:
            gave_up = str(error)
        outcome = suite.evaluate(task, env.finish(driver.answer), normalised_grader)
    finally:
        env.close()
    return Measured(
        actions=tuple(driver.actions),
        observation_tokens=tuple(estimate_tokens(text) for text in driver.observations),
        pages_read=len(driver.pages_read),
        consulted=frozenset(driver.consulted),
        reward=outcome.reward,
        answer=driver.answer,
        gave_up=gave_up,
    )


def measure(suite: WebArenaMini) -> SuiteProfile:
    """The profile of all tasks."""
    return profile([(labels(suite, task), solve(suite, task)) for task in suite.tasks()], suite.conventions)


def labels(suite: WebArenaMini, task: Task) -> Labels:
    """What the suite says of a task."""
    entry = suite.suite_tasks[task.id]
    return Labels(
        template=entry.template,
        evaluation=", ".join(entry.task.eval["eval_types"]),
        kind=entry.kind,
        difficulty=entry.difficulty,
        needs=entry.needs,
        vague=entry.vague,
        impossible=entry.impossible,
    )
