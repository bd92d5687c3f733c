"""WebArena's helpers that ask the shop's interface for programs: its latest order, the latest review of a product."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any
from urllib.parse import quote, urlencode

from eval.suites.webarena.places import LATEST_ORDER, REVIEW_AUTHOR, REVIEW_RATING, Call
from eval.suites.webarena.sites import Account
from reasoningbank.errors import InfraError

WITHIN = 60.0
"""Seconds for an answer."""


def asked(call: Call, shop: str, account: Account) -> str:
    """What a helper gives. InfraError where the shop does not tell."""
    token = _json("POST", f"{shop}/rest/default/V1/integration/admin/token", body=account.model_dump())
    if call.name == LATEST_ORDER:
        newest = {
            "searchCriteria[sortOrders][0][field]": "created_at",
            "searchCriteria[sortOrders][0][direction]": "DESC",
            "searchCriteria[pageSize]": "1",
        }
        found = _json("GET", f"{shop}/rest/V1/orders?{urlencode(newest)}", token=token)
        try:
            return f"{shop}/sales/order/view/order_id/{int(found['items'][0]['increment_id'])}/"
        except (LookupError, TypeError, ValueError) as error:
            raise InfraError(f"the shop at {shop} tells no latest order") from error
    reviews = _json("GET", f"{shop}/rest/V1/products/{quote(call.args[0], safe='')}/reviews", token=token)
    if not reviews:
        return ""
    try:
        if call.name == REVIEW_AUTHOR:
            return str(reviews[-1]["nickname"])
        assert call.name == REVIEW_RATING
        return str(reviews[-1]["ratings"][0]["percent"])
    except (LookupError, TypeError) as error:
        raise InfraError(f"the shop at {shop} tells reviews of {call.args[0]} in another form") from error


def _json(method: str, url: str, *, body: object = None, token: object = None) -> Any:
    headers = {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers=headers, method=method)
    place = url.partition("?")[0]
    try:
        with urllib.request.urlopen(request, timeout=WITHIN) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            raise InfraError(f"{method} {place} answered {error.code} {error.reason}") from error
    except (OSError, HTTPException, ValueError) as error:
        raise InfraError(f"{method} {place} gave no answer that can be read: {error}") from error
