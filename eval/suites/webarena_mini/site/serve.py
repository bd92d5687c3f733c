"""Serves one copy of a site on the loopback address, for a person to look at.

`python -m eval.suites.webarena_mini.site.serve shopping`, and `--redesigned` for its second design.
"""

from __future__ import annotations

import argparse

from eval.suites.webarena_mini.sites import SITES


def main() -> None:
    """Until it is interrupted."""
    from werkzeug.serving import run_simple

    parser = argparse.ArgumentParser(prog="python -m eval.suites.webarena_mini.site.serve")
    parser.add_argument("site", choices=list(SITES))
    parser.add_argument("--seed", type=int, default=0, help="which world")
    parser.add_argument("--port", type=int, default=8099)
    parser.add_argument("--redesigned", action="store_true")
    given = parser.parse_args()
    site = SITES[given.site].open(given.seed, redesigned=given.redesigned)
    run_simple("127.0.0.1", given.port, lambda environ, start: site.app({**environ, **site.environ}, start))


if __name__ == "__main__":
    main()
