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
    Family(("Almanac", "Scribe", "Notebook"), "Turns folders of notes into a website", "Perl", "pl", "src"),
    Family(("Ledger", "Tally", "Abacus"), "Keeps the books of small clubs", "Ruby", "rb", "lib"),
    Family(("Tracker", "Pedometer", "Compass"), "Records walks and runs on a phone", "Kotlin", "kt", "app"),
    Family(("Runner", "Foreman", "Conductor"), "Starts nightly jobs and watches over them", "Rust", "rs", "src"),
    Family(("Atlas", "Cartographer", "Globe"), "Draws maps from open data", "TypeScript", "ts", "src"),
    Family(("Librarian", "Archive", "Shelves"), "Catalogues scanned documents", "Java", "java", "core"),
    Family(("Beehive", "Orchard", "Greenhouse"), "Reads sensors in gardens and sheds", "C", "c", "firmware"),
)
COMPONENTS = (
    "Login Form", "Settings Page", "Export Job", "Fulltext Index", "Date Picker", "Upload Queue", "Mail Sender",
    "Audit Log", "Webhook Handler", "Cache Layer", "Sidebar Menu", "Welcome Page", "Password Reset", "Chart Builder",
    "Image Resizer", "Traffic Limiter", "Session Store", "Command Parser", "Config Loader", "Plugin Loader", "Map View",
    "Notification Center", "Sync Worker", "Backup Script",
)
FAILURES = (
    "Crashes", "Hangs", "Shows Empty Page", "Loses State", "Returns Error", "Runs Slowly", "Ignores Time Zone",
    "Prints Garbage", "Stops Responding", "Uses Wrong Language", "Leaks Memory",
)
OCCASIONS = (
    "After Upgrade", "On Small Screens", "With Large Files", "Behind Proxy", "When Offline", "For Guests",
    "With Accented Letters", "On First Start", "Under Heavy Load", "In Dark Mode", "On Sundays",
)
WISHES = (
    "Keyboard Shortcuts", "Progress Bar", "Undo Button", "Paging", "Retry Limit", "Single Login", "Dry Run",
    "Tooltips", "Health Check", "Summary Line", "Spreadsheet Import",
)
EDITS = ("Fix", "Refactor", "Speed up", "Test", "Document", "Simplify", "Translate", "Harden", "Clean up", "Rewrite")
WORKS = ("Repair", "Refactoring", "Speedup", "Tests", "Manual", "Cleanup", "Translation", "Hardening", "Rewrite")
LABELS = (
    ("bug", "Something is broken"), ("feature", "A wish for something new"), ("docs", "About the manual"),
    ("performance", "Too slow or too large"), ("security", "Handle with care"), ("backend", "Server side"),
    ("frontend", "What users see"), ("regression", "Worked before"), ("usability", "Hard to find or to use"),
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
