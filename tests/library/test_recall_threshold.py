"""The least similarity of what the library recalls: measured on related and unrelated pairs of tasks."""

from __future__ import annotations

import numpy as np
import pytest

from reasoningbank import ReasoningBank
from reasoningbank.embed.wordllama import WordLlamaEmbedder
from reasoningbank.llm.offline.scripted import ScriptedLLM
from reasoningbank.parts import DEFAULT_MIN_SCORE

RUN = [("I look.", "look()", "a page"), ("Done.", "", "")]
LESSON = "# Memory Item 1\n## Title\nLook\n## Description\nAlways.\n## Content\nLook twice."

RELATED = [
    ("Cancel the order from Tuesday", "Cancel my order of the blue lamp"),
    ("How much did I spend on shoes in May?", "What was my total spending on food in March?"),
    ("Find the cheapest laptop with 16 GB of memory", "Which phone with a big screen costs least?"),
    ("Change my shipping address to 12 Elm Street", "Update the delivery address of my account"),
    ("Fix the failing unit test in parser.py", "The tests of the tokenizer module fail; repair them"),
    ("Add type hints to the utils package", "Annotate all functions of client.py with types"),
    ("Why does the import of numpy raise an error?", "ModuleNotFoundError when I import pandas"),
    ("Rename the branch feature-x to feature-y", "Delete the merged git branches"),
    ("Resolve the merge conflict in setup.cfg", "Rebase onto main and resolve conflicts"),
    (
        "Write a SQL query that lists the top ten customers by revenue",
        "Select the products with most sales from the database",
    ),
    ("The database query is slow; add an index", "Speed up the SQL join over orders"),
    ("Book a flight from Berlin to Madrid on Friday", "Find me a plane ticket to Oslo next week"),
    ("Reserve a hotel room in Rome for two nights", "Book a cheap hotel in Vienna"),
    ("Send an email to Anna about the meeting", "Reply to the mail from my manager"),
    ("Unsubscribe me from all newsletters", "Stop the weekly newsletter emails"),
    ("Schedule a meeting with the design team on Monday", "Move my calendar appointment to 3 pm"),
    ("Summarise this PDF in five sentences", "Give me a summary of the attached report"),
    ("Translate the letter into French", "Translate this paragraph to German"),
    ("Resize all images in the folder to 800 pixels", "Convert the pictures to PNG and crop them"),
    ("Deploy the service to the staging cluster", "Roll out the new version on Kubernetes"),
    ("The container exits with code 137", "Docker container is killed for memory"),
    ("Create a new issue in the GitLab project", "Open a bug report on GitHub"),
    ("Who contributed the most commits to this repository?", "List the contributors of the project by commits"),
    ("Post a question in the machine learning forum", "Write a comment under the latest forum post"),
    (
        "Find the distance between Boston and New York by car",
        "How long does it take to drive from Pittsburgh to Philadelphia?",
    ),
    ("Play the next song in my playlist", "Add this album to my music playlist"),
    ("Like all the songs in my Spotify library", "Which songs in my library did I like most?"),
    ("Pay my share of the dinner bill to Kate", "Send 20 dollars to my roommate"),
    ("Turn off the lights in the living room", "Dim the bedroom lamp to half"),
    ("Plot monthly temperatures as a line chart", "Draw a bar chart of sales per month"),
]
"""Two tasks in a line are of one kind; tasks of different lines are not, though a few are neighbours."""


def cosines() -> np.ndarray:
    embedder = WordLlamaEmbedder()
    left, right = (embedder.embed([pair[side] for pair in RELATED], "query") for side in (0, 1))
    rows = [side / np.linalg.norm(side, axis=1, keepdims=True) for side in (left, right)]
    return np.asarray(rows[0] @ rows[1].T)


def test_the_threshold_parts_related_from_unrelated_tasks() -> None:
    scores = cosines()
    related = np.diag(scores)
    unrelated = scores[~np.eye(len(RELATED), dtype=bool)]
    assert (related >= DEFAULT_MIN_SCORE).mean() >= 0.9
    assert (unrelated >= DEFAULT_MIN_SCORE).mean() <= 0.04
    assert np.median(related) == pytest.approx(0.38, abs=0.02)
    assert np.median(unrelated) == pytest.approx(0.02, abs=0.02)


@pytest.mark.parametrize(
    ("query", "default", "told"),
    [
        ("Cancel my order of the blue lamp", True, True),
        ("Cancel the order from Tuesday", True, True),
        ("Translate this paragraph to German", False, True),
        ("Resize all images in the folder", False, True),
    ],
)
def test_a_lesson_is_recalled_for_what_is_like_it_and_for_all_only_on_request(
    query: str, default: bool, told: bool
) -> None:
    for min_score, recalled in ((None, default), (0.0, told), (1.0, query == "Cancel the order from Tuesday")):
        with ReasoningBank(llm=ScriptedLLM([LESSON]), min_score=min_score) as memory:
            memory.learn("Cancel the order from Tuesday", RUN, success=True)
            assert bool(memory.recall(query)) == recalled, (query, min_score)
