#!/usr/bin/env bash
# What web.backend=browser needs: the packages of pyproject's extra `browser` in .venv, and a Chromium. One that is there
# already is taken. Else root on Debian gets the system's, by apt; anybody else Playwright's own, which needs no root.
# Usage: scripts/setup_browser.sh
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
setup "${EXTRA:-browser}"
cd "$ROOT"

found() { "$VENV_PYTHON" -c 'from eval.suites.web.chromium.find import find_chromium; print(find_chromium(None))' 2>/dev/null; }

if ! found >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "Installing Debian's Chromium: once, about a minute"
        apt-get update -qq || fail "apt-get update failed; see the message above"
        # the headless shell starts in half the time; older releases have the whole browser alone
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null 2>&1 ||
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null ||
            fail "apt-get could not install chromium; see the message above"
    else
        "$VENV_PYTHON" -m playwright install chromium || fail "Playwright could not install its Chromium; see the message above." \
            "With another one on this machine: web.chromium=PATH"
    fi
fi
echo "Chromium: $(found || fail "it is installed, and still not found: name it by web.chromium=PATH")"
