"""Outcomes of real tasks from their evidence: once, by the end, or in BrowserGym's way, at every step.

BrowserGym evaluates after each step and ends a task at the first score above 0, at any message to the user, and with
nothing where a tab is on a foreign site. Which step that is can be told from evidence too: `each_step` gives the
outcome that the task would have had there. The agent has gone on meanwhile, so its number of steps is not BrowserGym's.
While no answer is given BrowserGym compares the word "whatever", and asks a model about it; here string_match is not
met then, and nobody is asked.
"""

from __future__ import annotations

from eval.journal import Outcome
from eval.suites.base import Grader
from eval.suites.web.evaluators import EvalSpec, evaluate
from eval.suites.web.evidence import Probe, WebEvidence
from eval.suites.webarena.evidence import RealEvidence, Seen
from eval.suites.webarena.sites import SITES
from eval.suites.webarena.task_file import RealTask, look_of

OUTSIDE = Outcome(status="unsolved", reward=0.0, checks={"inside": 0.0})


def outcome_at_end(task: RealTask, evidence: RealEvidence, grader: Grader) -> Outcome:
    """WebArena's evaluators on what the attempt has left."""
    return _outcome(task, evidence.answer, evidence.url, evidence.seen, evidence, grader)


def outcome_each_step(task: RealTask, evidence: RealEvidence, grader: Grader) -> Outcome:
    """The outcome at the step at which BrowserGym would have ended the task."""
    for moment in evidence.moments:
        if moment.outside:
            return OUTSIDE
        if "string_match" in task.spec.eval_types:
            continue
        found = _outcome(task, None, moment.url, moment.seen, evidence, grader)
        if found.reward > 0:
            return found
    return OUTSIDE if evidence.outside else outcome_at_end(task, evidence, grader)


def lacks(task: RealTask, evidence: RealEvidence) -> list[str]:
    """What a task looks at and the evidence does not have, such as after another task file was chosen."""
    there = {seen.look for seen in evidence.seen}
    return [f"{look.url} {look.locator}".strip() for look in task.looks if look not in there]


def _outcome(
    task: RealTask, answer: str | None, url: str, seen: tuple[Seen, ...], evidence: RealEvidence, grader: Grader
) -> Outcome:
    spec, probes = _numbered(task.spec, seen)
    plain = WebEvidence(answer=answer, url=url, status=evidence.status, probes=probes)
    placeholders = {SITES[name].placeholder: address for name, address in evidence.sites.items()}
    return evaluate(spec, task.intent, plain, grader, placeholders, alternatives=False)


def _numbered(spec: EvalSpec, seen: tuple[Seen, ...]) -> tuple[EvalSpec, tuple[Probe, ...]]:
    """What was seen, in the form that evaluators read, who know a place by its address and locator. Two looks can have
    both in common and differ in what is done before, so numbers stand for addresses here. Of a page that has not come
    there is nothing."""
    texts = {each.look: each.text for each in seen}
    targets, probes = [], []
    for number, target in enumerate(spec.program_html):
        text = texts.get(look_of(target))
        targets.append(target.model_copy(update={"url": str(number)}))
        if text is not None:
            probes.append(Probe(url=str(number), locator=target.locator, text=text))
    return spec.model_copy(update={"program_html": tuple(targets)}), tuple(probes)
