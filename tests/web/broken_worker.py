"""A program in the place of a browser's that cannot be made: a mistake in some code."""

from __future__ import annotations

from eval.suites.web.chromium.worker import Does, serve


def make() -> Does:
    import no_such_module_anywhere  # type: ignore[import-not-found]

    return dict(no_such_module_anywhere.does)


if __name__ == "__main__":
    serve(make)
