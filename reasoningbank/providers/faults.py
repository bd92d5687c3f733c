"""What goes wrong on the way to a provider and back, by what is done about it. The one place for all providers.

    except (openai.OpenAIError, ValueError) as error:
        raise typed_error(endpoint, error) from None     # the original may quote headers

- RateLimited: 429, 529, and 503 with a Retry-After. Fewer calls, later.
- Outage: no name, no route, a refused connection. Nothing was reached.
- InfraError: other 5xx, 408, 409, 424, 425, 499, timeouts, resets, half a reply, what is no reply. Again.
- SetupError: a key, a model's name, an address, a parameter, a prompt beyond the context, an account without money.

Errors of client libraries are told by their names, so that none of them is imported here.
"""

from __future__ import annotations

import errno
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from reasoningbank.errors import InfraError, Outage, PromptTooLong, RateLimited, ReasoningBankError, SetupError
from reasoningbank.providers.endpoint import Endpoint

LONGEST_WAIT = 366 * 86_400.0
"""Seconds. Who asks for more has sent a slip, and nobody waits so long."""
AGAIN = {408, 409, 424, 425, 499}
OVERLOADED = 529
TOO_LONG = re.compile(
    r"context[_ ]length|context window|maximum context|max_model_len|too many (input )?tokens|prompt is too long|"
    r"input (is )?too long|input token count|reduce the length|string_above_max_length",
    re.IGNORECASE,
)
DECLINED = re.compile(
    r"content[_ ](filter|policy)|usage policy|responsibleai|invalid_prompt|safety (system|reasons)", re.IGNORECASE
)
NO_MONEY = re.compile(r"insufficient_quota|insufficient_funds|insufficient credits|credit balance", re.IGNORECASE)
"""Not "quota" or "billing": one provider names both in every plain rate limit."""
BAD_KEY = re.compile(r"api[_ ]key[_ ](is )?(not valid|invalid)|(invalid|incorrect) api[_ ]key", re.IGNORECASE)
UNREACHED = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN, errno.ECONNREFUSED}


@dataclass(frozen=True)
class Detail:
    """What a provider says of an error, in whichever of the usual forms."""

    message: str = ""
    code: str = ""
    param: str = ""

    @property
    def text(self) -> str:
        return f"{self.code} {self.message}".strip()


def detail_of(body: object) -> Detail:
    """From the body of an error reply: `{"error": {...}}`, its inner part, a list of one, or plain text."""
    if isinstance(body, list) and body:
        body = body[0]
    if isinstance(body, Mapping) and isinstance(body.get("error"), (Mapping, str)):
        body = body["error"]
    if isinstance(body, Mapping):
        code = " ".join(str(body[key]) for key in ("code", "status", "type") if body.get(key))
        message = next((str(body[key]) for key in ("message", "detail", "msg") if body.get(key)), "")
        return Detail(_words(message), code, str(body.get("param") or ""))
    return Detail(_words(body))


def _words(message: object) -> str:
    """A page in the place of a message says nothing to a person."""
    text = "" if message is None else str(message)
    return "" if "<html" in text[:300].lower() else text


def declined(body: object) -> bool:
    """Whether an error reply says that the prompt itself is refused: a reply with stop reason "safety", no fault."""
    return bool(DECLINED.search(detail_of(body).text))


def retry_after(headers: Mapping[str, str], body: object = None) -> float | None:
    """Seconds that a provider asks to wait, LONGEST_WAIT at most. In milliseconds, in seconds, as a date, or by
    Google's RetryInfo."""
    for name, unit in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        if (seconds := _number(headers.get(name))) is not None:
            return min(seconds * unit, LONGEST_WAIT)
    if (date := headers.get("retry-after")) is not None:
        try:
            then, now = parsedate_to_datetime(date), headers.get("date")
            start = parsedate_to_datetime(now) if now else _now(then.tzinfo)
            return min(max(0.0, (then - start).total_seconds()), LONGEST_WAIT)
        except (ValueError, TypeError, OverflowError):  # the last for a year or a zone that no date has
            pass
    found = re.search(r"""["']retryDelay["']\s*:\s*["']([0-9.]+)s""", str(body))
    asked = _number(found[1]) if found else None
    return None if asked is None else min(asked, LONGEST_WAIT)


def status_error(
    endpoint: Endpoint, status: int, body: object = None, headers: Mapping[str, str] | None = None
) -> ReasoningBankError:
    """The error for an HTTP status, which it carries, with what the reply says of it."""
    error = _by_status(endpoint, status, body, headers)
    error.status = status
    return error


def _by_status(endpoint: Endpoint, status: int, body: object, headers: Mapping[str, str] | None) -> ReasoningBankError:
    detail, where = detail_of(body), endpoint.where
    said = endpoint.say(detail.message) or "no reason given"
    answered = f"{endpoint} answered {status}: {said}"
    wait = retry_after(headers or {}, body)
    if status == 402 or (status < 500 and NO_MONEY.search(detail.text)):
        return SetupError(f"{answered}; its account has nothing left to spend: pay, or {_key(endpoint)}")
    if status in (429, OVERLOADED) or (status == 503 and wait is not None):
        return RateLimited(answered, retry_after=wait)
    if status >= 500 or status in AGAIN:
        return InfraError(answered)
    if (status == 413 or TOO_LONG.search(detail.text)) and "input" in endpoint.remedies:
        return SetupError(f"{answered}; set {where}.{endpoint.remedies['input']}")
    if status == 413 or TOO_LONG.search(detail.text):
        return PromptTooLong(
            f"{answered}; the prompt is longer than the model's context: set {where}.model to one of more, or "
            "lower agent.history_budget, agent.page_budget, agent.output_budget or max_tokens.ROLE"
        )
    if status == 401 or BAD_KEY.search(detail.text):
        return SetupError(f"{answered}; it does not take the key: {_key(endpoint)}")
    if status == 403:
        return SetupError(f"{answered}; the key may not use this model: {_key(endpoint)}, or set {where}.model")
    if 300 <= status < 400 or status == 405:
        return SetupError(f"{answered}; the address is not that of the server's API: set {where}.base_url")
    if status == 404 and "model" not in detail.text.lower():
        return SetupError(
            f"{answered}; nothing is at this address (it often ends in /v1), or it has no such model: set "
            f"{where}.base_url, or {where}.model"
        )
    if status == 404 or re.search(r"model_not_found|invalid model|unknown model|not a valid model", detail.text, re.I):
        return SetupError(f"{answered}; set {where}.model to one that it lists")
    return SetupError(f"{answered}; {_remedy(endpoint, detail)}")


def body_error(endpoint: Endpoint, body: object) -> ReasoningBankError:
    """The error that a reply tells of which began well: status 200, or a stream, with an error inside."""
    detail = detail_of(body)
    code = detail.code.lower()
    if (number := re.match(r"[45]\d\d\b", code)) is not None:
        return status_error(endpoint, int(number[0]), body)
    status = 429 if "rate_limit" in code or "resource_exhausted" in code else OVERLOADED if "overload" in code else 500
    return status_error(endpoint, status, body)


def typed_error(endpoint: Endpoint, error: BaseException) -> ReasoningBankError:
    """The error for whatever a client library raised. An error that is one of ours already stays as it is."""
    if isinstance(error, ReasoningBankError):
        return error
    body = body_of(error)
    if (status := status_of(error)) is not None:
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        return status_error(endpoint, status, body, headers)
    if body is not None:
        return body_error(endpoint, body)
    chain = list(_chain(error))
    names = {cls.__name__ for each in chain for cls in type(each).__mro__}
    if "SSLCertVerificationError" in names:
        return SetupError(
            f"{endpoint}: its certificate is not trusted here: set {endpoint.where}.base_url to the server's right "
            "name, or SSL_CERT_FILE to the authorities that signed it"
        )
    if names & {"UnsupportedProtocol", "InvalidURL", "LocalProtocolError", "MissingSchema"}:
        return SetupError(f"{endpoint} cannot be asked ({_said(endpoint, error)}): set {endpoint.where}.base_url")
    if "DefaultCredentialsError" in names:
        return SetupError(f"{endpoint}: no credentials of Google's are found here: {_key(endpoint)}")
    if "RefreshError" in names and not getattr(error, "retryable", False):
        return SetupError(f"{endpoint}: Google does not take the credentials found here: {_key(endpoint)}")
    if names & NOTHING_REACHED or any(getattr(each, "errno", None) in UNREACHED for each in chain):
        return Outage(f"{endpoint} cannot be reached: {_said(endpoint, chain[-1])}")
    if "PoolTimeout" in names:
        return InfraError(f"{endpoint}: no connection became free in time: raise {endpoint.where}.max_connections")
    if names & {"TimeoutException", "Timeout", "TimeoutError", "APITimeoutError"}:
        return InfraError(f"{endpoint} gave no whole answer in time ({endpoint.where}.timeout seconds)")
    if names & {"TransportError", "ConnectionError", "RequestException", "APIConnectionError", "RefreshError"}:
        return InfraError(f"{endpoint} broke off before its reply was whole: {_said(endpoint, chain[-1])}")
    return bad_reply(endpoint, _said(endpoint, error))


def status_of(error: BaseException) -> int | None:
    """The HTTP status that a client library's error tells."""
    numbers = (getattr(error, name, None) for name in ("status_code", "code"))
    return next((number for number in numbers if type(number) is int and number >= 300), None)


def body_of(error: BaseException) -> object:
    """What the server said, as a client library's error keeps it."""
    return getattr(error, "body", None) or getattr(error, "details", None)


NOTHING_REACHED = {
    *("ConnectError", "ConnectTimeout", "ProxyError", "gaierror", "ConnectionRefusedError"),
    *("NewConnectionError", "NameResolutionError", "ConnectTimeoutError"),
}


NO_REASON = "a reply without a reason to stop"
"""At once or as a stream: its text may end anywhere, so that it is asked for again rather than taken for whole."""


def bad_reply(endpoint: Endpoint, what: str) -> InfraError:
    """A reply that is none: no JSON, no choice, another type of content."""
    return InfraError(f"{endpoint} sent what is no reply: {endpoint.say(what)}")


def _remedy(endpoint: Endpoint, detail: Detail) -> str:
    """Which key of the settings leads to a parameter that the provider does not take."""
    named = detail.param if detail.param in endpoint.remedies else ""
    if not named:
        named = next((name for name in endpoint.remedies if re.search(rf"\b{name}\b", detail.message)), "")
    if named:
        return f"set {endpoint.where}.{endpoint.remedies[named]}"
    return f"it does not take the request as it is: compare the keys of {endpoint.where} with what the provider says"


def _key(endpoint: Endpoint) -> str:
    if endpoint.login:
        return endpoint.login
    if endpoint.key_env is None:
        return f"set {endpoint.where}.key_env to the name of the environment variable that holds its key"
    return f"put another into the environment variable {endpoint.variable}"


def _said(endpoint: Endpoint, error: BaseException) -> str:
    return endpoint.say(f"{type(error).__name__} {error}")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _number(text: Any) -> float | None:
    try:
        number = float(text)
    except (TypeError, ValueError):
        return None
    return max(0.0, number) if math.isfinite(number) else None


def _now(zone: Any) -> Any:
    from datetime import datetime

    return datetime.now(zone)
