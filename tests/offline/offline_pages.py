"""Hand-written pages of a made-up library for the simulated model, and prompts over them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from reasoningbank.agents.web import WebAgent
from reasoningbank.interfaces import Observation
from reasoningbank.llm.offline.simulated import SimulatedLLM
from reasoningbank.types import Message, Step, Task

HEADER = """\
RootWebArea '{title} | Town Library', focused
	[1] banner ''
		[2] link 'Town Library'
		[3] search ''
			[4] textbox 'Search'{query}
			[5] button 'Search'
		[6] link 'My Orders'
		[7] link 'My Account'
	[8] main ''
		[9] heading '{title}'
"""

HOME = HEADER.format(title="Welcome", query="") + "\t\tStaticText 'Books and maps.'\n"

SHELF = (
    HEADER.format(title="Atlases", query="")
    + """\
		[20] complementary 'Filters'
			[21] list ''
				[22] listitem ''
					[23] link 'Merker (3)'
				[24] listitem ''
					[25] link 'Ondal (2)'
		[30] combobox 'Sort by' value='Position', hasPopup='menu', expanded=False
			[31] option 'Position', selected=True
			[32] option 'Price: low to high', selected=False
		[33] button 'Apply sort'
		[34] list ''
			[35] listitem ''
				[36] link 'Ondal Pocket Atlas'
				StaticText '$9.00'
			[37] listitem ''
				[38] link 'Merker Road Atlas'
				StaticText '$19.00'
"""
)

COMMENTS = (
    HEADER.format(title="Merker Big Road Atlas", query="")
    + """\
		StaticText '$19.00'
		[40] heading 'Customer reviews'
		[41] list ''
			[42] listitem ''
				[43] heading 'Torn'
				StaticText '1 star'
				StaticText 'Review by Ada, 03/04/2024'
			[44] listitem ''
				[45] heading 'Fine'
				StaticText '5 stars'
				StaticText 'Review by Bo, 02/04/2024'
			[46] listitem ''
				[47] heading 'Torn'
				StaticText '1 star'
				StaticText 'Review by Ada, 03/04/2024'
			[48] listitem ''
				[49] heading 'Thin'
				StaticText '2 stars'
				StaticText 'Review by Cy, 01/02/2024'
"""
)

ORDERS = (
    HEADER.format(title="My Orders", query="")
    + """\
		[50] table ''
			[51] row ''
				[52] columnheader 'Order #'
				[53] columnheader 'Date'
				[54] columnheader 'Total'
				[55] columnheader 'Status'
			[56] row ''
				[57] gridcell '70001'
				[58] gridcell '05/03/2023'
				[59] gridcell '$10.00'
				[60] gridcell 'Complete'
			[61] row ''
				[62] gridcell '70002'
				[63] gridcell '06/03/2023'
				[64] gridcell '$5.00'
				[65] gridcell 'Void'
			[66] row ''
				[67] gridcell '70003'
				[68] gridcell '03/05/2023'
				[69] gridcell '$100.00'
				[70] gridcell 'Complete'
"""
)

FORM = (
    HEADER.format(title="Profile", query="")
    + """\
		[80] form ''
			[81] textbox 'Phone number' value='555-111-2222'
			[82] button 'Save profile'
"""
)


LEDGER = """\
RootWebArea '{title} | Library Office', focused
	[1] banner ''
		[2] link 'Library Office'
	[3] navigation 'Menu'
		[4] list ''
			[5] listitem ''
				[6] link 'Loans'
			[7] listitem ''
				[8] link 'Readers'
			[9] listitem ''
				[10] link 'Loans Report'
	[11] main ''
		[12] heading '{title}'
		[13] Section ''
{fields}
			[30] button '{button}'
{after}
"""

LOANS = LEDGER.format(
    title="Loans",
    fields="\t\t\t[20] textbox 'Reader' value='Ada Lind'\n\t\t\t[21] textbox 'Loan #'",
    button="Search",
    after="\t\t[31] Section ''\n\t\t\t[32] button 'Clear filters'\n\t\tStaticText '2 records found'",
)

REPORT = LEDGER.format(
    title="Loans Report",
    fields="\t\t\t[20] textbox 'From' value='03/01/2023'\n\t\t\t[21] textbox 'To'",
    button="Show Report",
    after="",
)


def ask(
    llm: SimulatedLLM,
    goal: str,
    page: str,
    url: str,
    *,
    memory: str = "",
    past: Sequence[tuple[str, str]] = (),
    seed: int = 0,
    temperature: float = 0.7,
) -> str:
    """The model's reply to the web agent's own prompt."""
    return llm.complete(
        prompt(goal, page, url, memory=memory, past=past), temperature=temperature, seed=seed, max_tokens=999
    ).text


@cache
def _kind() -> WebAgent:
    return WebAgent()


def prompt(
    goal: str, page: str, url: str, *, memory: str = "", past: Sequence[tuple[str, str]] = ()
) -> tuple[Message, Message]:
    """The web agent's prompt."""
    kind = _kind()
    task = Task(id="1", suite="any", group="any", intent=goal)
    steps = [
        Step(index=number, observation="", thought=thought, action=action)
        for number, (thought, action) in enumerate(past)
    ]
    seen = Observation(text=page, url=url)
    return (
        Message(role="system", content=kind.system_prompt(task, memory)),
        Message(role="user", content=kind.user_prompt(task, steps, seen, "")),
    )


def remembered(*lessons: str) -> str:
    """Lessons as the agent's prompt shows recalled items."""
    items = "\n\n".join(
        f"## Memory item {number}\nTitle: Lesson {number}\nContent: {text}"
        for number, text in enumerate(lessons, start=1)
    )
    return f"These lessons come from earlier tasks.\n\n{items}"
