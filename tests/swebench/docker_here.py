"""docker's command line as far as the suite uses it, over folders: a program that is put on the PATH.

`HOME` has a folder for each image, by its name with `/` and `:` as `_`; what is a container's is copied from
there, and commands run on this machine in the folder that would be mounted at /testbed. What is in its file `rm.txt`
is complained of where a container is to be removed.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

SAFE = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
"""Commands run here as whoever runs this, and not as the owner of the folder."""


def main(argv: list[str]) -> int:
    images = Path(os.environ["HOME"])
    with (images / "docker.jsonl").open("a") as log:
        log.write(json.dumps(argv) + "\n")
    match argv:
        case ["version", *_]:
            print("27.0")
        case ["create", "--network", "none", image, "true"]:
            folder = images / image.replace("/", "_").replace(":", "_")
            if not folder.is_dir():
                print(f"Error response from daemon: manifest for {image} not found", file=sys.stderr)
                return 1
            print(folder.name)
        case ["cp", "--quiet", source, target]:
            shutil.copytree(images / source.removesuffix(":/testbed/."), target, symlinks=True, dirs_exist_ok=True)
        case ["rm", "--force", _]:
            if (images / "rm.txt").is_file():
                print((images / "rm.txt").read_text(), file=sys.stderr)
                return 1
        case ["run", *words]:
            return run(words)
        case _:
            print(f"unknown command: {argv}", file=sys.stderr)
            return 125
    return 0


def run(words: list[str]) -> int:
    """The command, in the mounted folder, with the variables that it is told."""
    given = list(itertools.pairwise(words))
    (here,) = (
        value.removesuffix(":/testbed")
        for option, value in given
        if value.endswith(":/testbed") and option == "--volume"
    )
    told = dict(value.split("=", 1) for option, value in given if option == "--env")
    command = words[words.index("timeout") :]
    done = subprocess.run(command, cwd=here, env={"PATH": os.environ["PATH"], **SAFE, **told}, check=False)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
