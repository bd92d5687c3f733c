"""One attempt on real sites: servers of its own for as long as it lasts, a signed-in browser, evidence in the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from eval.suites.web.chromium.images import StepImages
from eval.suites.web.evidence import LAST
from eval.suites.webarena.backends import Backends, Lease, Throttle
from eval.suites.webarena.evidence import Moment, RealEvidence, Seen
from eval.suites.webarena.health import run_reset
from eval.suites.webarena.helpers import asked
from eval.suites.webarena.kept import SignedIn
from eval.suites.webarena.places import LAST_URL, MEMBER_ROLE, POST_OF, Call, Look, locator_call, post_of, role_script
from eval.suites.webarena.places import url_call as call_of
from eval.suites.webarena.session import Entrance, Looked, Place, Session
from eval.suites.webarena.sites import SITES, Account, account_of, resolved
from reasoningbank.errors import InfraError, LimitReached
from reasoningbank.interfaces import Observation
from reasoningbank.types import Task

BETWEEN_STARTS = " |AND| "
"""Between the addresses of a task that starts with several tabs."""
BLANK = frozenset(("", "newtab", "blank"))


@dataclass(frozen=True)
class Surroundings:
    """What all attempts of a suite share. Seconds; `task_seconds` None for no limit."""

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
    clock: Callable[[], float] = time.monotonic


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
        self._until: float | None = None
        self._steps = 0
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
        self._until = None if around.task_seconds is None else around.clock() + around.task_seconds
        return opened.observation

    def step(self, text: str) -> Observation:
        """Carries out action calls. LimitReached when the attempt's time is up."""
        around = self._around
        if self._until is not None and around.clock() > self._until:
            raise LimitReached(f"the attempt has taken longer than suite.task_seconds={around.task_seconds:g}")
        around.throttle.wait(self._sites)
        seen = self._session.step(text, image=self._images.next())
        if around.each_step:
            looked, found = self._look()
            self._moments.append(
                Moment(step=self._steps, url=looked.url, outside=self._outside(looked.tabs), seen=found)
            )
        self._steps += 1
        return seen

    def keep_images(self, folder: Path) -> None:
        """Where an image of every step goes, if any are wanted."""
        self._images.keep_in(folder)

    def finish(self, answer: str | None) -> RealEvidence:
        """The evidence at the end."""
        return self.look(answer)

    def look(self, answer: str | None) -> RealEvidence:
        """Looks where it was told to; what the attempt has open stays as it is."""
        self._around.throttle.wait(self._sites)
        looked, seen = self._look(trace=self._around.traced)
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

    def _look(self, *, trace: bool = False) -> tuple[Looked, tuple[Seen, ...]]:
        """One tab for each address: its looks in their order, and again one where something is to be done before."""
        if not self._looks:
            return self._session.look([], trace=trace), ()
        here = self._held().addresses
        last = self._session.look([], trace=False).url if any(call_of(look) for look in self._looks) else ""
        groups: dict[tuple[str, tuple[str, ...]], list[Look]] = {}
        texts: dict[Look, str] = {}
        for look in self._looks:
            call = locator_call(look)
            if call is not None and call.name != MEMBER_ROLE:
                texts[look] = self._asked(call)  # it looks at no page
            else:
                groups.setdefault((self._address(look, here, last), look.prep_actions), []).append(look)
        looked = self._session.look(
            [
                Place(url=url, prepare=prepare, scripts=tuple(map(script_of, looks)))
                for (url, prepare), looks in groups.items()
            ],
            trace=trace,
        )
        for looks, said in zip(groups.values(), looked.texts, strict=True):
            texts.update(zip(looks, said, strict=True))
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
            raise InfraError(f"{call.name} asks the shop, which is none of the task's sites: {', '.join(self._sites)}")
        return asked(call, shop, self._around.api_account)

    def _outside(self, tabs: Sequence[str]) -> bool:
        hosts = {urlsplit(url).netloc for url in (*self._held().addresses.values(), *self._around.known)}
        return any(urlsplit(url).netloc not in hosts | BLANK for url in tabs)


def script_of(look: Look) -> str:
    """What the browser is to run for a locator; empty for the page itself."""
    call = locator_call(look)
    if call is not None:
        return role_script(call.args[1])
    return look.locator if look.locator.strip() else ""
