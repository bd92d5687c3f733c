"""What makes two runs one: everything that can change a result, hashed."""

from __future__ import annotations

import hashlib
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from importlib import metadata
from pathlib import Path
from typing import Any, cast

from eval.build import find_class, part_modules
from eval.config.settings import CALL_KEYS, LIMIT_KEYS, NO_RESULT, Part, flatten
from eval.runs.code_digest import code_digest
from eval.runs.first_banks import start_digest
from eval.suites.web.backend import in_use
from eval.workbench import Workbench
from reasoningbank.errors import SetupError
from reasoningbank.interfaces import HasTransportKeys, ReadsFiles
from reasoningbank.providers.endpoint import without_port
from reasoningbank.providers.secrets import hidden, hidden_line
from reasoningbank.types import SCHEMA_VERSION

RUNNER_KEYS = (CALL_KEYS - {"replay"}) | LIMIT_KEYS
"""Keys of `llm` that the runner takes: how often, how fast and how patiently is asked."""


def identity(bench: Workbench) -> dict[str, Any]:
    """Everything that can change a result, as nested plain data."""
    settings = bench.settings
    data = {key: value for key, value in settings.model_dump(mode="json").items() if key not in NO_RESULT}
    data["llm"] = asked_of("llm", without(RUNNER_KEYS, data["llm"]), settings.plugins)
    data["roles"] = {
        role: asked_of("llm", without(LIMIT_KEYS, part), settings.plugins, f"roles.{role}")
        for role, part in data["roles"].items()
    }
    data["embedder"] = asked_of("embedder", data["embedder"], settings.plugins)
    data = redacted(data)
    data["prompts"] = {"digest": bench.prompts.digest()}
    if isinstance(bench.memory, ReadsFiles):
        data["memory"] = {**data["memory"], **bench.memory.digests()}
    data["bank"] = {**data["bank"], "init_from": start_digest(bench)}
    data["plugins"] = {name: file_digest(name) if name.endswith(".py") else name for name in settings.plugins}
    data["web"] = {"backend": in_use(bench.suite, settings.web).backend}
    commands = data.pop("code")  # a key that is the project's code here
    if bench.suite.agent == "code":
        data["sandbox"] = commands
    files = bench.suite.digests() if isinstance(bench.suite, ReadsFiles) else {}
    asked = asked_of("suite", data["suite"], settings.plugins)
    data["suite"] = {**asked, **files, "id": bench.suite.id, "version": bench.suite.version}
    data["embedder"] = {**data["embedder"], "id": bench.embedder.id}
    data["models"] = {role: llm.id for role, llm in sorted(bench.llms.items())}
    data["grading"] = "comparison" if bench.llms["grader"].simulated else "model"
    data["code"] = code_digest(part_modules(settings, bench.suite.agent), settings.plugins)
    data["schema_version"] = SCHEMA_VERSION
    return data


def asked_of(kind: str, part: Part, plugins: list[str], where: str = "") -> Part:
    """Of what describes a model, an embedder or a suite, what can change a reply of it: without how its calls travel,
    or where its servers are, as far as its class tells that."""
    where = where or kind
    cls = find_class(kind, str(part.get("type")), plugins, where)
    if not isinstance(cls, HasTransportKeys):
        return part
    keys = cls.transport_keys
    if not isinstance(keys, frozenset):
        raise SetupError(f"{where}.type={part['type']}: {cls.__name__}.transport_keys must be a frozenset of keys")
    told = without(keys, part)
    if part.get("extra_headers"):  # they may choose what answers; what they say is for nobody to read
        told["header_names"] = sorted(str(name).lower() for name in part["extra_headers"])
    return {**told, "base_url": without_port(told["base_url"])} if told.get("base_url") else told


def without(keys: Set[str], part: Part) -> Part:
    return {key: value for key, value in part.items() if key not in keys}


def file_digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise SetupError(f"{path} cannot be read: {error.strerror}") from error


def package_version() -> str:
    try:
        return metadata.version("reasoningbank")
    except metadata.PackageNotFoundError:
        return "unknown"


def redacted(data: Mapping[str, Any]) -> dict[str, Any]:
    """A copy without secrets: keys of servers, headers, credentials in addresses."""
    return cast(dict[str, Any], hidden(data))


def redacted_line(argv: Sequence[str]) -> str:
    """The command line, for a person to repeat, without secrets."""
    return shlex.join(hidden_line(word) for word in argv)


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """`key: old value -> new value` for every key in which two identities differ."""
    before, after = flatten(dict(old)), flatten(dict(new))
    return [
        f"{key}: {short(before.get(key, 'not set'))} -> {short(after.get(key, 'not set'))}"
        for key in sorted(before.keys() | after.keys())
        if before.get(key, "not set") != after.get(key, "not set")
    ]


def causes(differences: Sequence[str]) -> list[str]:
    """Of `difference` those that bring about the others: another `type` has other keys, another client other models."""
    keys = {each.partition(": ")[0]: each for each in differences}
    chosen = {key.removesuffix("type"): key for key in keys if key.endswith(".type")}
    client = any(set(key.split(".")) & {"llm", "roles"} for key in keys)
    told = {key: keys[key] for key in chosen.values()}
    brought: Counter[str] = Counter()
    for key, text in keys.items():
        if section := next((each for each in chosen if key.startswith(each) and key not in told), ""):
            brought[section] += 1
        elif not (client and set(key.split(".")) & {"grading", "models"}):
            told[key] = text
    for section, number in brought.items():
        told[chosen[section]] += f" and {number} {'key' if number == 1 else 'keys'} that come with it"
    return list(told.values())


def short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:12]}..."
