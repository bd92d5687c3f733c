"""Memory for an agent of your own, in one file: recall, run, learn, recall. It needs no key and no network.

    python scripts/example_library.py                 # in memory, gone at the end
    python scripts/example_library.py memory.sqlite   # kept: the second time its advice is there from the start

`ask` stands for your model and `run_agent` for your agent: both only recite here. Put yours in their places.
"""

from __future__ import annotations

import sys

from reasoningbank import ReasoningBank

JUDGED = "Thoughts: the order page says that the order is canceled\nStatus: success"
LESSON = """\
# Memory Item 1
## Title
Cancel from the order's own page
## Description
When an order must be canceled and the list of orders has no button for it.
## Content
Open the order from the list: the button to cancel is on its own page, and only while nothing has been sent."""


def ask(messages: list[dict[str, str]]) -> str:
    """Your model: chat messages in, text out. It is asked twice a run, to judge it and to say what is learnt."""
    return JUDGED if "Status:" in messages[0]["content"] else LESSON


def run_agent(task: str, advice: str) -> list[dict[str, str]]:
    """Your agent: its chat messages, tool results included, are the trajectory."""
    system = f"You work in a web shop.\n\n{advice}".strip()
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": task},
        {"role": "assistant", "content": "I open the order.\nclick('order 7')"},
        {"role": "tool", "content": "Order 7, pending. Button: cancel"},
        {"role": "assistant", "content": "I cancel it.\nclick('cancel')"},
        {"role": "tool", "content": "Order 7, canceled"},
        {"role": "assistant", "content": "The order from Tuesday is canceled."},
    ]


def main(path: str | None = None) -> None:
    with ReasoningBank(path, llm=ask) as memory:
        for task in ("Cancel the order from Tuesday", "Cancel the order from Friday"):
            advice = memory.recall(task)
            print(f"task:    {task}\nadvice:  {advice or '(none: no earlier task is like this one)'}")
            print(f"learnt:  {memory.learn(task, run_agent(task, advice))}\n")


if __name__ == "__main__":
    main(*sys.argv[1:2])
