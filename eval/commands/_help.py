"""What `python -m eval run --help` says of the settings: names, keys and defaults as the YAML files have them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from eval.config.files import CONFIGS, group_names, groups

SHOWN = {
    "agent": ("max_steps", "multi_actions"),
    "suite": ("seed", "sites"),
    "retrieval": ("k", "key", "exclude_template", "exclude_later"),
    "scaling": ("aggregate", "store", "select"),
    "llm": ("advice_effect", "judge_error"),
    "memory": ("learn_from", "max_items"),
}
"""The keys of each group's default file that an experiment is most likely to set."""
INSTEAD = {"scaling": "parallel"}
"""Shown in place of the group's default."""


def settings_help(argv: Sequence[str] = ()) -> str:
    """The groups' names, the experiments, and the keys with their defaults and comments.

    Of `argv` the folders (`--config-dir=DIR`) and `plugins` count: names that they bring are listed, too.
    """
    import yaml

    from eval.config.load import split_config_dirs

    folders = [CONFIGS, *split_config_dirs(argv)[0]]

    text = (CONFIGS / "config.yaml").read_text(encoding="utf-8")
    chosen: dict[str, str] = {}
    for each in yaml.safe_load(text)["defaults"]:
        chosen |= each if isinstance(each, dict) else {}
    lines = ["groups (GROUP=NAME; the first is the default):"]
    for group in groups():
        if group in chosen:
            names = sorted(group_names(group, folders), key=lambda name: name != chosen[group])
            lines.append(f"  {group:<10} {', '.join(names)}")
    lines += [f"  {line}" for line in unnamed(argv, folders)]
    lines += ["", f"experiments (+exp=NAME): {', '.join(group_names('exp', folders))}", "", "keys and their defaults:"]
    lines += [f"  {line}".rstrip() for line in text.partition("\n\n")[2].strip().splitlines()]
    lines += ["", "keys of the groups (more with --show-config):"]
    for group, keys in SHOWN.items():
        name = INSTEAD.get(group, chosen[group])
        lines += [f"  {key_line(group, name, key)}" for key in keys]
    profile = yaml.safe_load((CONFIGS / "profile" / f"{chosen['profile']}.yaml").read_text(encoding="utf-8"))
    for key in ("temperature", "max_tokens"):
        lines += [f"  {key}.{role}: {value}" for role, value in profile[key].items()]
    return "\n".join(lines)


def unnamed(argv: Sequence[str], folders: Sequence[Path]) -> list[str]:
    """What to do for the plugins of a command line that no file of a group names."""
    from eval.config.overrides import parsed

    given = [text for text in argv if text.startswith("plugins=")]
    found = parsed(given[-1]).value() if given else []
    named = {name for group in groups(folders) for name in group_names(group, folders)}
    return [
        f"{plugin}: no name yet; write DIR/GROUP/{name}.yaml with a line `type: {name}`, and add --config-dir=DIR"
        for plugin in (found if isinstance(found, list) else [])
        if (name := Path(str(plugin)).name.removesuffix(".py").rpartition(".")[2]) not in named
    ]


def key_line(group: str, name: str, key: str) -> str:
    """`group.key: default  # comment`: the comment on the line or, in files that have it there, on the one above."""
    lines = (CONFIGS / group / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
    number = next(number for number, line in enumerate(lines) if line.startswith(f"{key}:"))
    setting, _, comment = lines[number].partition("#")
    above = lines[number - 1] if number else ""
    comment = comment or above.lstrip("#") * above.startswith("#")
    return f"{f'{group}.{setting.strip()}':<32} # {comment.strip()}".rstrip(" #")
