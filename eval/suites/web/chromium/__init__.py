"""Chromium as a web environment: a process of its own for each attempt, driven through BrowserGym.

`environment.py` is what an agent works with; `server.py` serves the attempt's sites to the browser, `process.py` starts
and ends the process whose program is `worker.py`; there `gym.py` holds the browser and `actions.py` acts in it.
"""
