#!/usr/bin/env bash
# The packages whose scores ours must agree with, in .venv/reference: an environment of their own, since they pin what
# this project does not. Tests find it by LIBWEBARENA_PYTHON and WEBARENA_VERIFIED_PYTHON; scripts/test_all.sh sets both.
# Usage: scripts/setup_reference.sh
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
setup "${EXTRA:-test}"
cd "$ROOT"
PACKAGES=(browsergym-webarena==0.14.3 webarena-verified==1.2.3)
OWN="$VENV/reference"
LOG="$VENV/reference.log"

install_reference() {
    if command -v uv >/dev/null 2>&1; then
        uv venv --quiet --clear --python "$VENV_PYTHON" "$OWN" &&
            uv pip install --no-progress --python "$OWN/bin/python" "${PACKAGES[@]}" 2>&1 | keep_and_show "$LOG" && return
    fi
    "$VENV_PYTHON" -m venv --clear "$OWN" &&
        "$OWN/bin/python" -m pip install --progress-bar off --disable-pip-version-check --retries 2 "${PACKAGES[@]}" 2>&1 |
        keep_and_show "$LOG"
}

if ! "$VENV_PYTHON" -c 'import sys; raise SystemExit(sys.version_info >= (3, 13))'; then
    echo "WARNING: no score is compared with libwebarena's and webarena-verified's: they take Python 3.11 or 3.12." \
        "Make .venv with one: PYTHON=/path/to/python3.12 $0" >&2
    exit 0
fi
if [ "$(cat "$OWN/setup.done" 2>/dev/null)" != "${PACKAGES[*]}" ]; then
    echo "Installing the packages that scores are compared with into .venv/reference: once, in one to five minutes"
    : >"$LOG"
    install_reference || fail "the packages that scores are compared with could not be installed (all of the output: $LOG)"
    "$OWN/bin/python" scripts/punkt_data.py || fail "libwebarena cannot be imported without NLTK's data; see the message above"
    printf '%s\n' "${PACKAGES[*]}" >"$OWN/setup.done"
fi
