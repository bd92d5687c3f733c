# shellcheck shell=bash
# Sourced by the other scripts: `source scripts/setup.sh; setup base|EXTRA` makes .venv with everything that is needed,
# or does nothing where that has been done for this pyproject.toml. Sets ROOT (the repository) and VENV_PYTHON.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
VENV="$ROOT/.venv"
VENV_PYTHON="$VENV/bin/python"
# how pip and uv say that they reached nobody
NO_NETWORK='name resolution|resolve host|dns error|new connection|connection (error|refused|reset|broken|timed out)'
NO_NETWORK+='|timed out|unreachable|error sending request|max retries'
unset PYTHONHOME PYTHONPATH

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 2
}

new_enough() { "$1" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

# Prints the first Python that is new enough; PYTHON, where set, is the only candidate.
find_python() {
    local candidate version found=()
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if command -v "$candidate" >/dev/null 2>&1; then
            if new_enough "$candidate"; then
                command -v "$candidate"
                return
            fi
            version=$("$candidate" --version 2>&1) || version="does not start"
            found+=("$candidate (${version#Python })")
        elif [ -n "${PYTHON:-}" ]; then
            found+=("$candidate (not found)")
        fi
        if [ -n "${PYTHON:-}" ]; then break; fi
    done
    fail "Python 3.11 or newer is needed; found ${found[*]:-none}. Install one, or name it: PYTHON=/path/to/python3 $0"
}

make_venv() {
    local python
    python=$(find_python) || exit 2
    rm -f "$VENV"/setup.*
    echo "Making .venv with $("$python" --version)"
    if command -v uv >/dev/null 2>&1 && uv venv --quiet --clear --python "$python" "$VENV" 2>/dev/null; then return; fi
    "$python" -c 'import venv, ensurepip' >/dev/null 2>&1 ||
        fail "$python cannot make environments: its modules venv and ensurepip are missing." \
            "Install them (Debian, Ubuntu: sudo apt install python3-venv), or install uv"
    "$python" -m venv --clear "$VENV" || fail "$python could not make $VENV; see the message above"
}

# Keeps an installer's output in a file, and shows the name of each package as it comes: a minute without a word is
# taken for a fault.
keep_and_show() { # LOG
    local line
    while IFS= read -r line; do
        printf '%s\n' "$line" >>"$1"
        case "$line" in
        "Collecting "* | "Downloading "* | "Building "* | "Installing collected "*) printf '  %.76s\n' "${line%% (from *}" ;;
        esac
    done
}

install_project() { # base|EXTRA LOG
    local target="$ROOT"
    if [ "$1" != base ]; then target="${ROOT}[$1]"; fi
    if command -v uv >/dev/null 2>&1; then
        uv pip install --no-progress --python "$VENV_PYTHON" --editable "$target" 2>&1 | keep_and_show "$2" && return
    fi
    if ! "$VENV_PYTHON" -m pip --version >/dev/null 2>&1; then
        "$VENV_PYTHON" -m ensurepip >>"$2" 2>&1 || return
    fi
    "$VENV_PYTHON" -m pip install --progress-bar off --disable-pip-version-check --retries 2 \
        --editable "$target" 2>&1 | keep_and_show "$2"
}

# An environment that was moved or copied still names its old place, in activate and in every program of its bin folder.
in_its_place() {
    if [ -f "$VENV/setup.place" ]; then
        [ "$(cat "$VENV/setup.place")" = "$VENV" ]
    else
        grep -qF -- "$VENV" "$VENV/bin/activate" 2>/dev/null # made by somebody else
    fi
}

# What an installation depends on.
fingerprint() {
    "$VENV_PYTHON" - "$ROOT/pyproject.toml" <<'PYTHON'
import hashlib, pathlib, sys
print(hashlib.sha256(pathlib.Path(sys.argv[1]).read_bytes()).hexdigest())
PYTHON
}

setup() { # base|EXTRA
    local extra=$1 wanted stamp log="$VENV/setup.log"
    local enough=("$VENV/setup.$extra" "$VENV/setup.alltests")
    if [ "$extra" != alltests ]; then enough+=("$VENV/setup.test"); fi
    if ! new_enough "$VENV_PYTHON" || ! in_its_place; then make_venv || exit 2; fi
    printf '%s\n' "$VENV" >"$VENV/setup.place"
    wanted=$(fingerprint)
    for stamp in "${enough[@]}"; do
        if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then return; fi
    done
    echo "Installing the packages that pyproject.toml names into .venv: once, in one to five minutes"
    : >"$log"
    if ! install_project "$extra" "$log"; then
        tail -n 15 "$log" >&2
        if grep -qiE "$NO_NETWORK" "$log"; then
            fail "the packages could not be downloaded: check the network or the proxy, then run this again" \
                "(all of pip's output: $log)"
        fi
        fail "the packages could not be installed (all of the output: $log)"
    fi
    # every command is a process of its own: it is not to compile the project again where Python writes nothing beside it
    "$VENV_PYTHON" -m compileall -q "$ROOT/reasoningbank" "$ROOT/eval" >>"$log" 2>&1 || true
    printf '%s\n' "$wanted" >"$VENV/setup.$extra"
}
