"""Words the code host is made of: names of projects, topics of issues and commits, labels, places."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Family:
    """A family of projects: what they are called, what they are for, and what they are written in."""

    nouns: tuple[str, ...]
    purpose: str
    language: str
    ending: str
    """The ending of its source files."""
    folder: str


# fmt: off
FIRST_WORDS = (
    "Amber", "Basalt", "Cobalt", "Dune", "Elder", "Fjord", "Garnet", "Hazel", "Indigo", "Juniper", "Kestrel", "Larch",
    "Marble", "Nimbus", "Onyx", "Plover", "Quartz", "Raven", "Saffron", "Tundra", "Umber", "Violet", "Willow",
    "Yarrow", "Zephyr", "Alder", "Birch", "Copper", "Dahlia", "Ember",
)
FAMILIES = (
    Family(("Gateway", "Proxy", "Broker"), "Routes requests between small services", "Go", "go", "internal"),
    Family(("Press", "Scribe", "Notebook"), "Turns folders of notes into a website", "Python", "py", "src"),
    Family(("Ledger", "Tally", "Abacus"), "Keeps the books of small clubs", "Ruby", "rb", "lib"),
    Family(("Tracker", "Pedometer", "Compass"), "Records walks and runs on a phone", "Kotlin", "kt", "app"),
    Family(("Runner", "Foreman", "Conductor"), "Starts nightly jobs and watches over them", "Rust", "rs", "src"),
    Family(("Atlas", "Cartographer", "Globe"), "Draws maps from open data", "TypeScript", "ts", "src"),
    Family(("Librarian", "Archive", "Shelves"), "Catalogues scanned documents", "Java", "java", "core"),
    Family(("Beehive", "Orchard", "Greenhouse"), "Reads sensors in gardens and sheds", "C", "c", "firmware"),
)
COMPONENTS = (
    "login form", "settings page", "export job", "search index", "date picker", "upload queue", "mail sender",
    "audit log", "webhook handler", "cache layer", "sidebar menu", "sign-up page", "password reset", "report builder",
    "image resizer", "rate limiter", "session store", "command parser", "config loader", "plugin loader", "map view",
    "notification center", "sync worker", "backup script",
)
FAILURES = (
    "crashes", "hangs", "shows an empty page", "loses its state", "returns an error", "is slow",
    "ignores the time zone", "prints garbage", "does not react", "uses the wrong language", "leaks memory",
)
OCCASIONS = (
    "after an upgrade", "on small screens", "with large files", "behind a proxy", "when offline", "for guests",
    "with accented letters", "on the first start", "under heavy load", "in dark mode", "on Sundays",
)
WISHES = (
    "keyboard shortcuts", "a progress bar", "an undo button", "paging", "a retry limit", "single sign-on", "a dry run",
    "tooltips", "a health check", "a summary line", "an import from spreadsheets",
)
EDITS = ("Fix", "Refactor", "Speed up", "Test", "Document", "Simplify", "Translate", "Harden", "Clean up", "Rewrite")
LABELS = (
    ("bug", "Something is broken"), ("feature", "A wish for something new"), ("docs", "About the manual"),
    ("performance", "Too slow or too large"), ("security", "Handle with care"), ("backend", "Server side"),
    ("frontend", "What users see"), ("regression", "Worked before"), ("accessibility", "Screen readers and keyboards"),
    ("triage", "Nobody has looked yet"), ("dependencies", "Comes from a library"), ("packaging", "Installers, images"),
)
REMARKS = (
    "I can reproduce this here.", "Thanks for the report.", "Could you attach the log?", "Happens to me as well.",
    "I would start with the tests.", "Let us wait for the next release.", "A patch is welcome.",
    "This looks like an old problem of ours.", "Works on my machine.", "I have an idea, give me a week.",
    "Please split this in two.", "Looks good so far.", "Can somebody else confirm?", "It is worse than I thought.",
    "We should write this down in the manual.", "Not urgent, but annoying.",
)
DETAILS = (
    "It started about two weeks ago.", "A colleague sees the same.", "There is nothing in the log.",
    "A restart helps for a while.", "Nothing else seems to be affected.", "Users have asked for it several times.",
    "The older version did not do that.", "I have not looked at the code yet.",
)
FIRST_NAMES = (
    "Adele", "Bruno", "Carmen", "Dmitri", "Elena", "Felix", "Gloria", "Hamid", "Ingrid", "Joao", "Katrin", "Lorenzo",
    "Miriam", "Nils", "Odette", "Pavel", "Quentin", "Renata", "Stefan", "Tamara", "Ulrich", "Viola", "Wanda", "Xavier",
    "Yusuf", "Zelda", "Amara", "Boris", "Chiara", "Dario", "Esther", "Farid", "Greta", "Henrik", "Ilse", "Jasper",
    "Kofi", "Lucia", "Matteo", "Nadia",
)
LAST_NAMES = (
    "Almeida", "Brandt", "Costello", "Duarte", "Eriksen", "Fontaine", "Galvez", "Hartley", "Ishida", "Jovanovic",
    "Kowalski", "Lambert", "Mbeki", "Novak", "Oduya", "Petrov", "Quist", "Rinaldi", "Sorensen", "Takeda", "Ullman",
    "Vargas", "Weber", "Yilmaz", "Zeller", "Achterberg", "Bianchi", "Chandra", "Delacroix", "Engel", "Ferrari",
    "Granger", "Holm", "Ivanova", "Jensen", "Krause", "Lopes", "Mancini", "Nakamura", "Olsen",
)
PLACES = (
    "Aarhus", "Bergen", "Coimbra", "Dresden", "Eindhoven", "Fukuoka", "Graz", "Halifax", "Izmir", "Jaipur", "Kaunas",
    "Leeds", "Malmo", "Nantes", "Osaka", "Porto", "Quito", "Riga", "Seville", "Turin",
)
BIOS = (
    "Likes small tools.", "Mostly reviews.", "Writes manuals.", "Here for the databases.", "Part-time maintainer.",
    "Keeps the builds green.", "Designs screens.", "Asks questions.",
)
GROUPS = (("tidewater", "Tidewater"), ("northlight", "Northlight"), ("open-meadow", "Open Meadow"))
LICENSES = ("MIT", "Apache-2.0", "BSD-3-Clause", "GPL-3.0", "MPL-2.0", "ISC")
LEVELS = ("debug", "info", "warning", "error")
# fmt: on
ROLES = ("Guest", "Reporter", "Developer", "Maintainer", "Owner")
GIVEN_ROLES = ROLES[:4]
"""Roles that can be given to somebody."""
