"""One attempt on real sites: servers of its own for as long as it lasts, a signed-in browser, evidence in the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.suites.web.chromium.images import StepImages
from eval.suites.web.evidence import LAST
from eval.suites.webarena.backends import Backends, Lease, Throttle
from eval.suites.webarena.evidence import Moment, RealEvidence, Seen
from eval.suites.webarena.health import ANSWERS_WITHIN, check_sites, run_reset
from eval.suites.webarena.helpers import asked
from eval.suites.webarena.kept import SignedIn
from eval.suites.webarena.places import LAST_URL, MEMBER_ROLE, POST_OF, Call, Look, locator_call, post_of, role_script
from eval.suites.webarena.places import url_call as call_of
from eval.suites.webarena.session import Entrance, Looked, Place, Session, Trouble
from eval.suites.webarena.sites import SITES, Account, account_of, resolved, server_of
from reasoningbank.errors import InfraError, LimitReached, SetupError
from reasoningbank.interfaces import Observation
from reasoningbank.types import Task

BETWEEN_STARTS = " |AND| "
"""Between the addresses of a task that starts with several tabs."""
BLANK = frozenset(("", "newtab", "blank"))


@dataclass(frozen=True)
class Surroundings:
    """What all attempts of a suite share. Seconds; `task_seconds`, for an attempt's actions, None for no limit."""

    backends: Backends
    throttle: Throttle
    accounts: Mapping[str, Account]
    api_account: Account
    signed_in: SignedIn
    known: tuple[str, ...]
    """Addresses of pages that belong to no task's site and are no going astray, such as the homepage."""
    each_step: bool = False
    screenshots: bool = False
    traced: bool = False
    task_seconds: float | None = None
    reset_command: str | None = None
    """None unless it is run for every attempt."""
    reset_seconds: float = 600.0
    health_seconds: float = ANSWERS_WITHIN
    """In which a server must answer that may be down."""


class RealEnvironment:
    """Implements `Environment`. It knows where to look in the end, and not for what."""

    def __init__(self, *, sites: Sequence[str], looks: Sequence[Look], session: Session, around: Surroundings) -> None:
        self._sites = tuple(sites)
        self._looks = tuple(looks)
        self._session = session
        self._around = around
        self._images = StepImages(wanted=around.screenshots)
        self._lease: Lease | None = None
        self._moments: list[Moment] = []
        self._steps = 0
        self._seconds = 0.0
        self._resets = 0

    def reset(self, task: Task, seed: int) -> Observation:
        """Waits for servers, has them put back where that is wanted, signs in, opens the start pages."""
        around = self._around
        self._session.close()
        if self._lease is None:
            self._lease = around.backends.lease(self._sites)
        here = self._lease.addresses
        if around.reset_command is not None:
            run_reset(around.reset_command, here, within=around.reset_seconds)
            around.signed_in.forget(here.values())
            self._resets += 1
        self._moments, self._steps = [], 0
        around.throttle.wait(self._sites)
        opened = self._session.open(
            entrances=self._entrances(here),
            start=[resolved(url, here) for url in task.start.split(BETWEEN_STARTS)],
            image=self._images.first(),
        )
        for name, cookies in opened.cookies.items():
            around.signed_in.keep(here[name], cookies)
        return opened.observation

    def step(self, text: str) -> Observation:
        """Carries out action calls. LimitReached when what they may take is used up; InfraError where one has met a
        broken page and a site of the task is down. Any other page is what the agent sees."""
        around = self._around
        if around.task_seconds is not None and self._seconds > around.task_seconds:
            raise LimitReached(f"its actions have taken longer than suite.task_seconds={around.task_seconds:g}")
        around.throttle.wait(self._sites)
        stepped = self._session.step(text, image=self._images.next())
        self._seconds += stepped.seconds
        self._check_own(stepped.troubles)
        if around.each_step:
            looked, found = self._look()
            self._moments.append(
                Moment(step=self._steps, url=looked.url, outside=self._outside(looked.tabs), seen=found)
            )
        self._steps += 1
        return stepped.observation

    def keep_images(self, folder: Path) -> None:
        """Where an image of every step goes, if any are wanted."""
        self._images.keep_in(folder)

    def finish(self, answer: str | None) -> RealEvidence:
        """The evidence at the end. What is to be done on the attempt's own page before a look is done there."""
        return self._evidence(answer, ended=True)

    def look(self, answer: str | None) -> RealEvidence:
        """Looks where it was told to; what the attempt has open stays as it is. What is to be done before a look at the
        attempt's own page is done on another one with its address, which has nothing of what was typed there."""
        return self._evidence(answer, ended=False)

    def _evidence(self, answer: str | None, *, ended: bool) -> RealEvidence:
        self._around.throttle.wait(self._sites)
        looked, seen = self._look(trace=self._around.traced, ended=ended)
        return RealEvidence(
            answer=answer,
            url=looked.url,
            status=looked.status,
            sites=dict(self._held().addresses),
            outside=self._outside(looked.tabs),
            seen=seen,
            each_step=self._around.each_step,
            moments=tuple(self._moments),
            traced=self._around.traced,
            trace=looked.trace,
            resets=self._resets,
        )

    def close(self) -> None:
        """The servers are free for others, whatever becomes of the browser."""
        lease, self._lease = self._lease, None
        try:
            self._session.close()
        finally:
            if lease is not None:
                lease.release()

    def _held(self) -> Lease:
        if self._lease is None:
            raise InfraError("the environment is closed: call reset before step or finish")
        return self._lease

    def _entrances(self, here: Mapping[str, str]) -> list[Entrance]:
        found = []
        for name, address in here.items():
            sign_in, account = SITES[name].sign_in, account_of(name, self._around.accounts)
            if sign_in is not None and account is not None:
                entrance = Entrance.at(name, address, sign_in, account)
                kept = self._around.signed_in.cookies(address)
                found.append(entrance.model_copy(update={"cookies": kept}))
        return found

    def _look(self, *, trace: bool = False, ended: bool = False) -> tuple[Looked, tuple[Seen, ...]]:
        """One tab for each address: its looks in their order, and again one where something is to be done before. Of
        the attempt's own page the looks before which something is done come last, and there when it has `ended`."""
        if not self._looks:
            return self._session.look([], trace=trace), ()
        here = self._held().addresses
        moved = [look for look in self._looks if look.url == LAST and look.prep_actions and not ended]
        asks = bool(moved) or any(call_of(look) for look in self._looks)
        last = self._session.look([], trace=False).url if asks else ""
        groups: dict[tuple[str, tuple[str, ...]], list[Look]] = {}
        texts: dict[Look, str | None] = {}
        for look in self._looks:
            call = locator_call(look)
            if call is not None and call.name != MEMBER_ROLE:
                texts[look] = self._asked(call)  # it looks at no page
            else:
                address = last if look in moved else self._address(look, here, last)
                groups.setdefault((address, look.prep_actions), []).append(look)
        ordered = sorted(groups.items(), key=lambda group: group[0][0] == "" and bool(group[0][1]))
        looked = self._session.look(
            [
                Place(url=url, prepare=prepare, scripts=tuple(map(script_of, looks)))
                for (url, prepare), looks in ordered
            ],
            trace=trace,
        )
        self._check_own(looked.troubles)
        for (_, looks), said in zip(ordered, looked.texts, strict=True):
            texts.update(zip(looks, said or [None] * len(looks), strict=True))
        return looked, tuple(Seen(look=look, text=texts[look]) for look in self._looks)

    def _address(self, look: Look, here: Mapping[str, str], last: str) -> str:
        if look.url == LAST:
            return ""
        call = call_of(look)
        if call is None:
            return resolved(look.url, here)
        if call.name == POST_OF:
            return post_of(call.args[0].replace(LAST_URL, last))
        return self._asked(call)

    def _asked(self, call: Call) -> str:
        shop = self._held().addresses.get("shopping")
        if shop is None:
            raise SetupError(f"{call.name} asks the shop, which is none of the task's sites: {', '.join(self._sites)}")
        return asked(call, shop, self._around.api_account)

    def _check_own(self, troubles: Iterable[Trouble]) -> None:
        """InfraError where a page of the task's own sites was no good because one of them is down."""
        here = self._held().addresses
        own = set(map(server_of, here.values()))
        if any(server_of(trouble.url) in own for trouble in troubles):
            check_sites({name: (url,) for name, url in here.items()}, within=self._around.health_seconds)

    def _outside(self, tabs: Sequence[str]) -> bool:
        servers = set(map(server_of, (*self._held().addresses.values(), *self._around.known)))
        return any(server_of(url) not in servers | BLANK for url in tabs)


def script_of(look: Look) -> str:
    """What the browser is to run for a locator; empty for the page itself."""
    call = locator_call(look)
    if call is not None:
        return role_script(call.args[1])
    return look.locator if look.locator.strip() else ""
