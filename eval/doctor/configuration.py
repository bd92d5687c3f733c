"""What a configuration needs: that it can be built, keys, servers and their models, embedder, prompts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from eval.build import build, build_llms, build_suite
from eval.config.keys import FILE, take_env_file
from eval.config.load import load_config
from eval.config.settings import Part, Settings
from eval.doctor import machine
from eval.doctor.checks import Check, fails, ok, skipped, tried, warning
from eval.names import nearest
from eval.plan import plan_streams
from eval.runs.replayed import check_models, located
from eval.suites.base import HealthChecked, Suite
from eval.suites.web.backend import in_use
from eval.transport import known_prices, prices_of
from eval.workbench import Workbench, build_workbench
from reasoningbank.errors import InfraError, SetupError
from reasoningbank.interfaces import LLM, ChecksSetup, Embedder, ListsModels, RemoteEmbedder, Side
from reasoningbank.llm.prices import Price
from reasoningbank.prompts import PromptPack
from reasoningbank.text import counted
from reasoningbank.types import ROLES, Role
from reasoningbank.vectors import embedded

PATIENCE = 10.0
"""Seconds that a server has to list its models, where `timeout` gives its calls longer."""
TRIAL = ("Where is the order from Tuesday?",)
SIDES: tuple[Side, ...] = ("query", "document")
AFTER = "after the lines above are mended"


def examine(overrides: Sequence[str], *, call: bool) -> list[Check]:
    """All checks of a configuration, whatever fails among them. With `call` a remote embedder is asked for one text."""
    checks = [machine.check_python(), machine.check_packages(()), _env_file()]
    settings, wrong = tried("settings", lambda: load_config(overrides))
    if settings is None:
        assert wrong is not None
        return [*checks, wrong]
    # where the run is not there that answers, the line of the models says so
    given = settings
    settings = tried("models", lambda: located(given))[0] or given
    varied = f"; of a sweep over {', '.join(settings.sweep)} without what it varies" if settings.sweep else ""
    checks.append(ok("settings", f"profile {settings.profile}{varied}"))
    whole = tried("method", lambda: build_workbench(settings, asked=False))
    checks += _models(settings, ROLES if whole[0] is None else whole[0].asks)
    checks += _embedder(settings, call=call, asked=whole[0] is None or whole[0].embeds)
    checks.append(_prompts(settings))
    suite, wrong = tried("suite", lambda: build_suite(settings))
    plans = None
    if suite is not None:
        checks[1] = machine.check_packages(["code"] if suite.agent == "code" else [])
        # before its tasks, which may have to be fetched: what is missing is told all the same
        checks += [machine.check_browser(in_use(suite, settings.web)), check_sandbox(suite)]
        plans, wrong = tried("suite", lambda: plan_streams(settings, suite))
    if suite is None or plans is None:
        assert wrong is not None
        checks.append(wrong)
    else:
        tasks, streams = counted(sum(len(plan.tasks) for plan in plans), "task"), counted(len(plans), "stream")
        checks.append(ok("suite", f"{suite.id}, world {suite.seed}: {tasks} in {streams}"))
        checks += _servers(suite)
    checks.append(_whole(settings, checks, whole))
    checks.append(machine.check_results(Path(settings.results_dir)))
    if plans is not None:
        checks.append(machine.check_cores(settings, len(plans)))
    return checks


def _servers(suite: Suite) -> list[Check]:
    """Whether the servers answer that a suite stands on, if it does on any."""
    if not isinstance(suite, HealthChecked):
        return []
    _, wrong = tried("servers", suite.check_health)
    return [wrong or ok("servers", "all answer")]


def check_sandbox(suite: Suite) -> Check:
    """Where the commands of a suite of code run."""
    if suite.agent != "code":
        return skipped("sandbox", "not needed for this suite")
    said, wrong = _usable("sandbox", suite)
    return wrong or ok("sandbox", str(said))


def _env_file() -> Check:
    taken, wrong = tried(FILE, take_env_file)
    if wrong is not None:
        return wrong
    if not Path(FILE).is_file():
        return skipped(FILE, "none in this folder: keys come from the environment alone")
    return ok(FILE, f"sets {', '.join(taken)}" if taken else "sets nothing that is not set already")


def _models(settings: Settings, asked: Collection[Role]) -> list[Check]:
    """For each model of the roles that are asked: what it goes by, and whether its server lists it."""
    if settings.calls.replay is not None:
        _, wrong = tried("models", lambda: check_models(settings))
        return [wrong or skipped("models", f"llm.replay={settings.calls.replay} answers in their place")]
    hasty = settings.model_copy(
        update={"llm": _hasty(settings.llm), "roles": {role: _hasty(part) for role, part in settings.roles.items()}}
    )
    llms, wrong = tried("models", lambda: build_llms(hasty))
    if llms is None:
        assert wrong is not None
        return [wrong]
    parts = {role: settings.client(role) for role in ROLES if role in asked}
    paid, wrong = tried("prices", lambda: prices_of(settings, llms))
    checks = [] if wrong is None else [wrong]
    checks += [
        skipped(f"model ({role})", f"{llms[role].id}: what is set here never asks it")
        for role in settings.roles
        if role not in asked
    ]
    for part in [part for number, part in enumerate(parts.values()) if part not in list(parts.values())[:number]]:
        roles = [role for role in parts if parts[role] == part]
        named = "all roles" if len(roles) == len(parts) else ", ".join(roles)
        checks += _model(f"model ({named})", llms[roles[0]], part)
        if paid is not None and roles[0] in paid:
            checks.append(_price(f"price of model ({named})", settings, llms[roles[0]], paid[roles[0]]))
    return checks


def _hasty(part: Part) -> Part:
    return {**part, "timeout": min(part["timeout"], PATIENCE)} if isinstance(part.get("timeout"), int | float) else part


def _model(name: str, llm: LLM, part: Part) -> list[Check]:
    if llm.simulated:
        return [ok(name, f"{llm.id}: simulated, needs no key; what it makes shows nothing about memory")]
    said, wrong = _usable(name, llm)
    if wrong is not None:
        return [wrong, skipped(f"server of {name}", AFTER)]
    return [ok(name, f"{llm.id}; {said}"), _listed(f"server of {name}", llm, part)]


def _price(name: str, settings: Settings, llm: LLM, price: Price | None) -> Check:
    """Whether what its calls cost can be counted."""
    if price is None:
        return warning(
            name, f"{llm.id}: not known", "write it into a file of your own: prices=FILE; else no cost is told"
        )
    day = known_prices(settings).dated(llm.id)
    said = f"as of {day}" if day else "of a file that does not say of which day they are"
    return ok(name, f"{price.input:g} and {price.output:g} dollars a million tokens in and out, {said}")


def _usable(name: str, part: object) -> tuple[str | None, Check | None]:
    """What it goes by, or what is missing. Nothing is sent."""
    return tried(name, part.check) if isinstance(part, ChecksSetup) else ("no check of its own", None)


def _listed(name: str, part: object, settings: Part) -> Check:
    if not isinstance(part, ListsModels):
        return skipped(name, "its client does not tell which models there are")
    from reasoningbank.boundary import capture

    done = capture(part.models)
    chosen = str(settings.get("model"))
    if isinstance(done.error, NotImplementedError):
        return skipped(name, str(done.error))
    if isinstance(done.error, SetupError) and done.error.status == 404:
        return warning(name, "reached; it does not list its models", f"make sure that it has {chosen}")
    if isinstance(done.error, InfraError):
        return fails(name, str(done.error), "start the server, mend the network or proxy, or set base_url")
    _, wrong = tried(name, done.unwrap)
    if wrong is not None:
        return wrong
    listed = done.unwrap()
    if chosen in listed:
        return ok(name, f"reached; lists {chosen} among {counted(len(listed), 'model')}")
    if variant := next((each for each in listed if _same(each, chosen)), None):
        return ok(name, f"reached; lists {chosen} as {variant}")
    return fails(
        name, f"reached; {chosen} is not among the {counted(len(listed), 'model')} it lists", nearest(chosen, listed)
    )


def _same(listed: str, chosen: str) -> bool:
    """Servers name a model with a prefix (`models/NAME`) or a tag (`NAME:latest`)."""
    return chosen in (listed.removeprefix("models/"), listed.removesuffix(":latest"), listed.rpartition("/models/")[2])


def _embedder(settings: Settings, *, call: bool, asked: bool) -> list[Check]:
    """What it goes by; and the dims that it says and gives, where that is for nothing or was asked for."""
    embedder: Embedder | None
    embedder, wrong = tried("embedder", lambda: build("embedder", settings.embedder, settings.plugins, {}))
    if embedder is None:
        assert wrong is not None
        return [wrong]
    if not asked:
        return [skipped("embedder", f"{embedder.id}: what is set here never asks it")]
    if settings.calls.replay is not None and isinstance(embedder, RemoteEmbedder):
        return [skipped("embedder", f"{embedder.id}: the vectors that the run of llm.replay kept answer in its place")]
    said, wrong = _usable("embedder", embedder) if isinstance(embedder, ChecksSetup) else ("", None)
    if wrong is not None:
        return [wrong]
    remote = isinstance(embedder, RemoteEmbedder)
    checks = [_server_of_embedder(settings)] if remote else []
    found = "; ".join(filter(None, [embedder.id, said]))
    fetched = bool(settings.embedder.get("download"))
    if (remote or fetched) and not call:
        ask = "asks for one text" if remote else "loads it, and fetches it first where it is not here"
        return [ok("embedder", f"{found}; {embedder.dims} dims are declared, --call {ask}"), *checks]
    return [_dims(embedder, found), *checks]


def _server_of_embedder(settings: Settings) -> Check:
    part = _hasty(settings.embedder)
    return _listed("server of embedder", build("embedder", part, settings.plugins, {}), part)


def _dims(embedder: Embedder, found: str) -> Check:
    _, wrong = tried("embedder", lambda: [embedded(embedder, TRIAL, side) for side in SIDES])
    if wrong is not None:
        return wrong
    return ok("embedder", f"{found}; {embedder.dims} dims, as declared")


def _prompts(settings: Settings) -> Check:
    folder = settings.prompts.pack
    pack, wrong = tried("prompts", lambda: PromptPack(Path(folder) if folder else None))
    if pack is None:
        assert wrong is not None
        return wrong
    told = f"{pack.digest()[:16]}; {len(pack.names())} render"
    if folder is None:
        return ok("prompts", f"the default ones, {told}")
    found = f"{folder} replaces {', '.join(pack.replaced())}; {told}"
    if lost := pack.left_out():
        words = "; ".join(f"{name}: {', '.join(values)}" for name, values in lost.items())
        return warning("prompts", found, f"not shown any more, which may be meant ({words})")
    return ok("prompts", found)


def _whole(settings: Settings, before: Sequence[Check], whole: tuple[Workbench | None, Check | None]) -> Check:
    """Memory, judge, scaling and agent, which are built with the rest."""
    if any(check.state == "fails" and check.name in ("models", "embedder", "prompts", "suite") for check in before):
        return skipped("method", AFTER)
    bench, wrong = whole
    if bench is None:
        assert wrong is not None
        return wrong
    parts = (settings.memory["type"], settings.scaling["type"], f"k={settings.k}", settings.judge["type"])
    return ok("method", "memory {}, scaling {} {}, judge {}".format(*parts))
