#!/usr/bin/env bash
# Everything that a change must pass: lint, format, types, and all tests but the long ones.
# Usage: scripts/test.sh [PYTEST ARGUMENT ...]      for instance: scripts/test.sh -n 0 tests/bank (one process)
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
setup "${EXTRA:-test}"
cd "$ROOT"
"$VENV_PYTHON" -m ruff check .
"$VENV_PYTHON" -m ruff format --check .
"$VENV_PYTHON" -m mypy
exec "$VENV_PYTHON" -m pytest -n auto --dist loadfile -m "${MARKED-not long}" "$@"
