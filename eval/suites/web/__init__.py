"""Web suites' shared pieces: HTML to accessibility tree, a browser without a window, an environment, evaluators."""
