"""Events, those that come again, and the room between them."""

from agenda.calendar import Agenda
from agenda.days import add_workdays, easter, following_workday, holiday, is_workday, next_workday
from agenda.errors import AgendaError, EventError, RuleError
from agenda.event import Event
from agenda.planning import conflicts, free_slots, postponed
from agenda.rules import Rule, parse_rule

__all__ = [
    "Agenda",
    "AgendaError",
    "Event",
    "EventError",
    "Rule",
    "RuleError",
    "add_workdays",
    "conflicts",
    "easter",
    "following_workday",
    "free_slots",
    "holiday",
    "is_workday",
    "next_workday",
    "parse_rule",
    "postponed",
]
