#!/usr/bin/env bash
# Installs what suite=webarena needs: the package with its tasks, and a step without which that package cannot be
# imported offline.
# Usage: scripts/setup_webarena.sh
#
# `import browsergym.webarena` asks NLTK for the data `punkt_tab` (where English sentences end), and fails where NLTK
# cannot fetch it. suite=webarena itself imports nothing of the package: it reads its task file. The data are for
# whoever imports it, such as the test that compares our evaluators with it. They are put into `nltk_data` of the
# environment, where NLTK looks first: by NLTK where it reaches its server, else out of the package llama-index-core,
# which ships them and is not installed.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
setup base
cd "$ROOT"
if ! "$VENV_PYTHON" -c 'from importlib import metadata; metadata.version("browsergym-webarena")' 2>/dev/null; then
    install_project webarena "$VENV/setup.log" || fail "the packages could not be installed; see $VENV/setup.log"
fi
exec "$VENV_PYTHON" scripts/punkt_data.py
