"""The program of a browser's process for real sites: `enter`, `act`, `read` and `close`."""

from __future__ import annotations

from eval.suites.web.chromium.worker import Does, serve


def main() -> None:
    def make() -> Does:
        from eval.suites.webarena.gym import RealBrowser

        browser = RealBrowser()
        return {"enter": browser.enter, "act": browser.act, "read": browser.read, "close": browser.close}

    serve(make)


if __name__ == "__main__":
    main()
