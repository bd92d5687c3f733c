#!/usr/bin/env bash
# As scripts/test.sh, and the long tests as well, with the packages of all embedders: torch alone is some 200 MB (where
# only a build for GPUs is found, 3 GB), and with those that scores are compared with, another 600 MB. At the end it names
# what was left out, and why.
# Usage: scripts/test_all.sh [PYTEST ARGUMENT ...]
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export EXTRA=alltests
if [ -z "${LIBWEBARENA_PYTHON:-}" ] || [ -z "${WEBARENA_VERIFIED_PYTHON:-}" ]; then
    bash "$HERE/setup_reference.sh"
    REFERENCE="$HERE/../.venv/reference"
    if [ -f "$REFERENCE/setup.done" ]; then
        export LIBWEBARENA_PYTHON="${LIBWEBARENA_PYTHON:-$REFERENCE/bin/python}"
        export WEBARENA_VERIFIED_PYTHON="${WEBARENA_VERIFIED_PYTHON:-$REFERENCE/bin/python}"
    fi
fi
MARKED='' exec bash "$HERE/test.sh" -rs "$@"
