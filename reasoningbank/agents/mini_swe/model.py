"""mini-swe-agent's `Model` over our `Calls`: seeds, retries, records and the account of costs are ours."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reasoningbank.agents.mini_swe.load import MiniSwe
from reasoningbank.agents.mini_swe.messages import step_message
from reasoningbank.agents.mini_swe.progress import Progress
from reasoningbank.agents.mini_swe.reply import BASH, called_command, parse_command
from reasoningbank.agents.react import MalformedReply
from reasoningbank.errors import SetupError, UnusableReply
from reasoningbank.interfaces import Calls, MetersCalls, OffersTools
from reasoningbank.prompts import PromptPack
from reasoningbank.types import Message, Reply, Role, ToolCall, Usage

_log = logging.getLogger("reasoningbank")
Wire = dict[str, Any]
"""A message as the loop keeps it: role, content, and under `extra` what no model sees."""


@dataclass
class CallsModel:
    """The models of one attempt. Its methods are those that the loop calls."""

    mini: MiniSwe
    calls: Calls
    prompts: PromptPack
    progress: Progress
    max_cost: float | None
    max_seconds: float | None
    tool_calls: bool = False
    clock: Callable[[], float] = time.monotonic
    config: Any = None
    said: list[Message] = field(default_factory=list)
    """The conversation as it is sent."""
    taken: int = 0
    """How many of the loop's messages are in it."""
    unpriced: bool = False

    def query(self, messages: Sequence[Mapping[str, Any]], **kwargs: Any) -> Wire:
        """Ask for the next command. FormatError for a reply without one, TimeExceeded where time is up."""
        if self.max_seconds is not None and self.progress.seconds >= self.max_seconds:
            raise self.mini.TimeExceeded(exit_message("TimeExceeded"))
        role = self.progress.role
        usage, cost, text = Usage(), 0.0, ""
        calls: tuple[ToolCall, ...] = ()
        try:
            reply = self._timed(role, self._conversation(messages))
            usage, text, cost = reply.usage, reply.text, self._cost(role, reply.usage)
            cut_off = reply.stop_reason == "length"
            if self.tool_calls:
                command = called_command(text, reply.calls, cut_off=cut_off)
                # not every server names its calls, and their results are sent under that name
                (call,) = reply.calls
                calls = (call if call.id else call.model_copy(update={"id": f"call_{len(self.progress.steps)}"}),)
            else:
                command = parse_command(text, cut_off=cut_off)
        except MalformedReply as fault:
            raise self._refused(str(fault), fault.thought, fault.action, text, usage, cost) from fault
        except UnusableReply as fault:
            raise self._refused(fault.reason, "", "", text, usage, cost) from fault
        self.progress.decided(command.thought, usage)
        return said("assistant", text, actions=[{"command": command.text}], cost=cost, calls=calls)

    def format_message(self, **kwargs: Any) -> Wire:
        return kwargs

    def format_observation_messages(
        self, message: Wire, outputs: Sequence[Wire], template_vars: Wire | None = None
    ) -> list[Wire]:
        """What the command printed, or the check of the answer that it gave."""
        step = self.progress.steps[-1]
        call = next((call.id for call in message["extra"]["calls"]), "")
        return [
            said("user", step_message(self.prompts, step, output["output"]), answers=call, **output)
            for output in outputs
        ]

    def get_template_vars(self, **kwargs: Any) -> Wire:
        return {}

    def serialize(self) -> Wire:
        return {}

    def _refused(self, reason: str, thought: str, action: str, text: str, usage: Usage, cost: float) -> Exception:
        self.progress.refused(reason, thought, action, usage)
        told = said("user", self._complaint(), cost=0.0)
        # what a provider declined left no text, and an empty message is refused by some
        written = [said("assistant", text, cost=cost)] if text.strip() else []
        return self.mini.FormatError(*written, told)

    def _complaint(self) -> str:
        return step_message(self.prompts, self.progress.steps[-1], "", tool_calls=self.tool_calls)

    def _ask(self, role: Role, messages: Sequence[Message]) -> Reply:
        if not self.tool_calls:
            return self.calls.ask(role, messages)
        if not isinstance(self.calls, OffersTools):
            raise SetupError("agent.tool_calls=true: these calls offer no tools to a model; set it to false")
        return self.calls.ask_with_tools(role, messages, (BASH,))

    def _timed(self, role: Role, messages: Sequence[Message]) -> Reply:
        meter = self.calls if isinstance(self.calls, MetersCalls) else None
        begun = self.clock() if meter is None else meter.seconds
        reply = self._ask(role, messages)
        self.progress.seconds += (self.clock() if meter is None else meter.seconds) - begun
        return reply

    def _cost(self, role: Role, usage: Usage) -> float:
        """US dollars. An unknown price is none, which is said once where there is a limit."""
        cost = self.calls.cost(role, usage) if isinstance(self.calls, MetersCalls) else None
        if cost is None and self.max_cost is not None and not self.unpriced:
            self.unpriced = True
            _log.warning(
                "agent.max_cost=%g limits nothing: the price of the model of role %s is not known", self.max_cost, role
            )
        return cost or 0.0

    def _conversation(self, messages: Sequence[Mapping[str, Any]]) -> Sequence[Message]:
        """The loop's messages as ours. Several of one role in a row are one: not every provider takes them so."""
        for message in messages[self.taken :]:
            extra = message.get("extra", {})
            each = Message(
                role=message["role"],
                content=message["content"],
                calls=extra.get("calls", ()),
                answers=extra.get("answers", ""),
            )
            if self.said and self.said[-1].role == each.role and not self.said[-1].answers:
                last = self.said.pop()
                each = each.model_copy(update={"content": f"{last.content}\n\n{each.content}"})
            self.said.append(each)
        self.taken = len(messages)
        return tuple(self.said)


def said(role: str, content: str, **extra: Any) -> Wire:
    """A message of the loop."""
    return {"role": role, "content": content, "extra": extra}


def exit_message(status: str, submission: str = "") -> Wire:
    """The message that ends the loop."""
    return {"role": "exit", "content": submission or status, "extra": {"exit_status": status, "submission": submission}}
