"""What kind of thing a sentence asks for: a count, a sum, something read, a page shown, a change."""

from __future__ import annotations

import re
from typing import Literal

Aim = Literal["count", "sum", "read", "visit", "change"]

_COUNT = re.compile(r"\bhow many\b|\b(?:number|count) of\b(?! my)|\bcount\b", re.IGNORECASE)
_SUM = re.compile(
    r"\bhow much\b.{0,60}\b(?:spen[dt]|spending|pa(?:y|id)|altogether|total|cost me)|\btotal (?:amount|cost"
    r"|sum|spen\w*|value|price|of)\b"
    r"|\b(?:in|what)'?s? (?:is |was |the |my )*total\b|\bif i (?:bought|ordered|took) (?:every|all|each)\b"
    r"|\bsum of\b|\badd(?:s|ed)? up\b|\bspen[dt]\b|\bspending\b",
    re.IGNORECASE,
)
_VISIT = re.compile(
    r"^(?:please |can you |could you |i(?:'d| would) like (?:you )?to |i want (?:you )?to )*"
    r"(?:open|go to|take me|bring me|bring up|navigate|visit|search (?:the|this)|show(?: me)?(?! how"
    r"| the (?:number|name|price))|browse|pull up|display|list (?:the )?products|find (?:me )?the page"
    r"|get me to|search for|look for|sort|filter|view)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"^(?:please |can you |could you |i(?:'d| would) like (?:you )?to |i want (?:you )?to |i need (?:you )?to )*"
    r"(?:add|keep|remember|put|change|update|edit|set|make|remove|delete|take .* (?:off|out)|clear|empty"
    r"|subscribe|unsubscribe|sign|write|leave|post|rate|review|send|submit|"
    r"contact|message|ask|buy|purchase|order|place|check ?out|reorder|move|rename|save|create|cancel|correct"
    r"|increase|decrease|"
    r"reduce|double|turn|switch|stop|start|replace|fill|draft|use|give|file|report|return|refund|apply|redeem"
    r"|mark|raise|log|get rid)\b",
    re.IGNORECASE,
)
_CHANGE_LATE = re.compile(
    r"\b(?:moved|running out|will you$|get \d+ of|i want|i need|i'd like|should be|needs to be|too (?:many"
    r"|much)|no longer|instead of|don't want|wrong|by mistake)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"^(?:what|which|who|whose|when|where|how|is|are|was|were|do|does|did|have|has|tell|give me|list|find|get|name)\b",
    re.I,
)


def aim_of(text: str) -> Aim:
    bare = text.strip()
    if _CHANGE.search(bare):
        return "change"
    if _COUNT.search(bare) and not re.search(r"\bhow many stars\b", bare, re.IGNORECASE):
        return "count"
    if _SUM.search(bare) and not re.search(r"\btotal of (?:my |the )?(?:order|last|latest)", bare, re.I):
        return "sum"
    if _VISIT.search(bare):
        return "visit"
    if re.search(r"^can you |\bso i don't forget\b", bare, re.IGNORECASE) and not bare.lower().startswith(
        "can you tell"
    ):
        return "change"
    if _QUESTION.search(bare) or bare.endswith("?"):
        return "read"
    if _CHANGE_LATE.search(bare) or any(_CHANGE.search(part.strip()) for part in re.split(r"[,.;:]|\band\b", bare)):
        return "change"
    return "read"
