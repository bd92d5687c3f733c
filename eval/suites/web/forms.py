"""What a browser does with forms: which controls count, how they are encoded, when a form may be sent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, quote_plus, urlsplit, urlunsplit

from eval.suites.web.controls import (
    input_type,
    is_checked,
    is_disabled,
    is_submitter,
    is_text_field,
    options_of,
    selected_options,
    value_of,
)
from eval.suites.web.dom import Document, Element, words
from eval.suites.web.transport import joined

_OWNED = frozenset(("button", "input", "select", "textarea", "output", "fieldset"))
_ONE_LINE = words("text search email tel url password number date time month week datetime-local")
_BOUNDARY = "----WebFormBoundary7d93b1f0c2"


@dataclass(frozen=True, slots=True)
class Submission:
    """A request that a form asks for."""

    method: str
    url: str
    content_type: str = ""
    body: bytes = b""


def form_of(control: Element, document: Document) -> Element | None:
    """The form a control belongs to: the one its `form` attribute names, or the one around it."""
    if "form" in control.attrs:
        named = document.by_id.get(control.attrs["form"])
        return named if named is not None and named.tag == "form" else None
    return next((ancestor for ancestor in control.ancestors() if ancestor.tag == "form"), None)


def controls_of(form: Element, document: Document) -> list[Element]:
    """The controls of a form, in document order, wherever they stand."""
    return [e for e in document.elements if e.tag in _OWNED and form_of(e, document) is form]


def default_button(form: Element, document: Document) -> Element | None:
    return next((control for control in controls_of(form, document) if is_submitter(control)), None)


def sends_by_enter(form: Element, document: Document) -> bool:
    """Implicit submission without a submit button: only when one field alone takes a line of text."""
    fields = [c for c in controls_of(form, document) if c.tag == "input" and input_type(c) in _ONE_LINE]
    return len(fields) <= 1


def entries(form: Element, submitter: Element | None, document: Document) -> list[tuple[str, str]]:
    """Names and values of the successful controls."""
    pairs: list[tuple[str, str]] = []
    for control in controls_of(form, document):
        name = control.attrs.get("name", "")
        kind = input_type(control) if control.tag == "input" else control.tag
        if kind in ("fieldset", "output") or is_disabled(control):
            continue
        if any(ancestor.tag == "datalist" for ancestor in control.ancestors()):
            continue
        if kind in ("button", "submit", "reset", "image"):
            if control is not submitter:
                continue
            if kind == "image":
                prefix = f"{name}." if name else ""
                pairs += [(f"{prefix}x", "0"), (f"{prefix}y", "0")]
                continue
        if not name:
            continue
        if kind == "select":
            pairs += [(name, value_of(option)) for option in selected_options(control) if not is_disabled(option)]
        elif kind in ("checkbox", "radio"):
            if is_checked(control):
                pairs.append((name, value_of(control)))
        elif kind == "file":
            pairs.append((name, ""))
        elif kind == "hidden" and name == "_charset_":
            pairs.append((name, "UTF-8"))
        else:
            pairs.append((name, _line_breaks(value_of(control)) if kind == "textarea" else value_of(control)))
    return pairs


def submission(form: Element, submitter: Element | None, document: Document, page_url: str) -> Submission | None:
    """The request of a form; None for one that sends nothing (method=dialog)."""
    own = submitter.attrs if submitter is not None else {}
    method = own.get("formmethod", form.attrs.get("method", "get")).strip().lower()
    if method == "dialog":
        return None
    action = own.get("formaction", form.attrs.get("action", "")).strip()
    target = _split(joined(page_url, action) if action else page_url)
    pairs = entries(form, submitter, document)
    if method != "post":
        query = encode(pairs)
        return Submission("GET", urlunsplit((target.scheme, target.netloc, target.path, query, target.fragment)))
    url = urlunsplit(target)
    kind = own.get("formenctype", form.attrs.get("enctype", "")).strip().lower()
    if kind == "multipart/form-data":
        return Submission("POST", url, f"{kind}; boundary={_BOUNDARY}", _multipart(pairs))
    return Submission("POST", url, "application/x-www-form-urlencoded", encode(pairs).encode("ascii"))


def encode(pairs: Sequence[tuple[str, str]]) -> str:
    """URL-encoding as browsers do it for forms: space is +, and only `*-._` stay besides letters and digits."""
    return "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in pairs)


def invalid_control(form: Element, submitter: Element | None, document: Document) -> tuple[Element, str] | None:
    """The first control that keeps the form from being sent, with what a browser says at it."""
    if "novalidate" in form.attrs or (submitter is not None and "formnovalidate" in submitter.attrs):
        return None
    controls = controls_of(form, document)
    unmet = _unmet_groups(controls)
    for control in controls:
        if is_disabled(control) or "readonly" in control.attrs:
            continue
        told = _complaint(control, unmet)
        if told:
            return control, told
    return None


def _unmet_groups(controls: list[Element]) -> set[str]:
    """The names of radio groups that need a choice and have none."""
    radios = [control for control in controls if control.tag == "input" and input_type(control) == "radio"]
    wanted = {radio.attrs.get("name", "") for radio in radios if "required" in radio.attrs}
    return wanted - {radio.attrs.get("name", "") for radio in radios if is_checked(radio)}


def _complaint(control: Element, unmet: set[str]) -> str:
    if control.tag == "select":
        chosen = selected_options(control)
        missing = "required" in control.attrs and not any(value_of(option) for option in chosen)
        return "Please select an item in the list." if missing else ""
    kind = input_type(control) if control.tag == "input" else control.tag
    if kind == "checkbox":
        missing = "required" in control.attrs and not is_checked(control)
        return "Please check this box if you want to proceed." if missing else ""
    if kind == "radio":
        return "Please select one of these options." if control.attrs.get("name", "") in unmet else ""
    if not is_text_field(control):
        return ""
    return _text_complaint(control, kind, value_of(control))


def _text_complaint(control: Element, kind: str, value: str) -> str:
    if not value:
        return "Please fill out this field." if "required" in control.attrs else ""
    if kind == "email" and not re.fullmatch(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)*", value):
        return "Please include an '@' and a domain in the email address."
    if kind == "url" and not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", value):
        return "Please enter a URL."
    if kind == "number":
        number, low, high = (number_of(text) for text in (value, control.attrs.get("min"), control.attrs.get("max")))
        if number is not None and low is not None and number < low:
            return f"Value must be greater than or equal to {control.attrs['min']}."
        if number is not None and high is not None and number > high:
            return f"Value must be less than or equal to {control.attrs['max']}."
        step = control.attrs.get("step", "1")
        grain = 1.0 if step == "" else number_of(step)
        if number is not None and grain and ((number - (low or 0)) / grain) % 1 > 1e-9:
            return "Please enter a valid value."
    if "minlength" in control.attrs and control.value is not None:
        least = number_of(control.attrs["minlength"])
        if least is not None and len(value) < least:
            return f"Please lengthen this text to {control.attrs['minlength']} characters or more."
    if "pattern" in control.attrs:
        try:
            matched = re.fullmatch(control.attrs["pattern"], value)
        except re.error:  # a browser leaves out a pattern it cannot read
            return ""
        return "" if matched else "Please match the requested format."
    return ""


def number_of(text: str | None) -> float | None:
    """A floating-point number as HTML writes it, or None."""
    if text is None or not re.fullmatch(r"-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", text.strip()):
        return None
    return float(text)


def reset(form: Element, document: Document) -> list[Element]:
    """Back to what the markup says. Returns the fields of text that held another."""
    controls = controls_of(form, document)
    texts = [control for control in controls if is_text_field(control) and control.value is not None]
    for control in controls:
        control.value = control.checked = None
        for option in options_of(control) if control.tag == "select" else ():
            option.selected = None
    return texts


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:  # it is refused when it is requested
        return SplitResult("", "", url, "", "")


def _quoted(text: str) -> str:
    return quote_plus(text, safe="*", errors="replace").replace("~", "%7E")


def _line_breaks(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")


def _multipart(pairs: Sequence[tuple[str, str]]) -> bytes:
    parts = []
    for name, value in pairs:
        safe = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        parts.append(f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="{safe}"\r\n\r\n{value}\r\n')
    parts.append(f"--{_BOUNDARY}--\r\n")
    return "".join(parts).encode("utf-8", "replace")
