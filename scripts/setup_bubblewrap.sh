#!/usr/bin/env bash
# What code.sandbox=bubblewrap needs: the program bwrap, from the system's packages. One that is there is taken.
# Usage: scripts/setup_bubblewrap.sh
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

if ! command -v bwrap >/dev/null 2>&1; then
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
        fail "bubblewrap is missing, and this script installs it for root on Debian or Ubuntu only." \
            "Install the package bubblewrap (sudo apt install bubblewrap, dnf install bubblewrap ...)"
    fi
    echo "Installing Debian's bubblewrap: once, some seconds"
    apt-get update -qq || fail "apt-get update failed; see the message above"
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends bubblewrap >/dev/null ||
        fail "apt-get could not install bubblewrap; see the message above"
fi
bwrap --ro-bind / / --unshare-net --unshare-pid true ||
    fail "$(command -v bwrap) is there and cannot make a sandbox here: see the message above." \
        "In a container it needs the right to make namespaces; on Ubuntu 24.04 a profile of AppArmor that allows them"
echo "bubblewrap: $(bwrap --version)"
