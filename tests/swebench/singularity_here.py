"""singularity's command line as far as the suite uses it, over folders: a program that is put on the PATH.

`HOME` has a folder for each image, as with `docker_here`; an image that was fetched is a file with that folder's path.
Commands run on this machine, in the folder that would be mounted at /testbed.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

from docker_here import SAFE


def main(argv: list[str]) -> int:
    images = Path(os.environ["HOME"])
    with (images / "singularity.jsonl").open("a") as log:
        log.write(json.dumps(argv) + "\n")
    match argv:
        case ["--version"]:
            print("apptainer version 1.3.4")
        case ["--silent", "pull", "--disable-cache", file, source]:
            folder = images / source.removeprefix("docker://").replace("/", "_").replace(":", "_")
            if not folder.is_dir():
                print("FATAL:   While making image from oci registry: manifest unknown", file=sys.stderr)
                return 255
            Path(file).write_text(str(folder))
        case ["--silent", "exec", *words]:
            return execute(words)
        case _:
            print(f"FATAL:   unknown command: {argv}", file=sys.stderr)
            return 255
    return 0


def execute(words: list[str]) -> int:
    """Carries out what follows the image's file, where paths inside are those of this machine."""
    file = next(number for number, word in enumerate(words) if word.endswith(".sif"))
    given = list(itertools.pairwise(words[:file]))
    binds = [value.split(":") for option, value in given if option == "--bind"]
    inside = {"/testbed/.": f"{Path(words[file]).read_text()}/.", **{bind[1]: bind[0] for bind in binds}}
    line = [inside.get(word, word) for word in words[file + 1 :]]
    code = subprocess.run(line, env={"PATH": os.environ["PATH"], **SAFE}, check=False).returncode
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
