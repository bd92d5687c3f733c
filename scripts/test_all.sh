#!/usr/bin/env bash
# As scripts/test.sh, and the long tests as well.
# Usage: scripts/test_all.sh [PYTEST ARGUMENT ...]
set -euo pipefail
MARKED='' exec bash "$(dirname "${BASH_SOURCE[0]}")/test.sh" "$@"
