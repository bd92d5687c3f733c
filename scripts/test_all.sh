#!/usr/bin/env bash
# As scripts/test.sh, and the long tests as well, with the packages of all embedders: torch alone is some 200 MB (where
# only a build for GPUs is found, 3 GB).
# Usage: scripts/test_all.sh [PYTEST ARGUMENT ...]
set -euo pipefail
EXTRA=alltests MARKED='' exec bash "$(dirname "${BASH_SOURCE[0]}")/test.sh" "$@"
