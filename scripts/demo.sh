#!/usr/bin/env bash
# The main experiment with the offline model: no key, no browser, nothing but Python 3.11 or newer.
# Usage: scripts/demo.sh [KEY=VALUE ...]      for instance: scripts/demo.sh limit=10 k=3
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
setup base
cd "$ROOT"
exec "$VENV_PYTHON" -m eval run +exp=matts_parallel k=5 "$@"
