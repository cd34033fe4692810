"""What an endpoint means when it answers with anything but a reply: each status has a type of failure."""

import json
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from siturec_gym.core.errors import ContextOverflowError, DeterministicModelError, ModelError, TransientModelError
from siturec_gym.llm.endpoint import public_url

QUOTED = 200
_OVERFLOW = re.compile(
    r"context[ _-](?:length|size|window)|maximum (?:context|model length|prompt length|number of tokens)|max_model_len"
    r"|too many tokens|(?:prompt|input) is too long|exceeded model token limit|too large for model",
    re.IGNORECASE,
)
_TRANSIENT_STATUS = frozenset({408, 409, 425, 429})
_BAD_GATEWAY = 502
_OUT_OF_QUOTA = "insufficient_quota"


def refusal(status: int, headers: Mapping[str, str], content: bytes, url: str) -> ModelError:
    """The failure that a response stands for.

    Args:
        status: Its status, none of 200 to 299.
        headers: Its headers, names in lower case.
        content: Its body, or the start of a long one.
        url: The endpoint, as messages name it.
    """
    said = _object(content)
    words = " ".join(_words(said, content).split())
    message = f"{url} answered {status}: {words[:QUOTED]}"
    if 300 <= status < 400:
        there = public_url(headers.get("location", ""))[:QUOTED]
        words = f"{url} answered {status} and points to {there!r}; nothing is sent there"
        return DeterministicModelError(words, status)
    if status == 413 or (status in (400, 422) and _OVERFLOW.search(words)):
        return ContextOverflowError(message)
    if _OUT_OF_QUOTA in (said.get("code"), said.get("type")):
        return DeterministicModelError(message, status)
    if status >= 500 or status in _TRANSIENT_STATUS:
        return TransientModelError(message, retry_after_s(headers))
    return DeterministicModelError(message, status)


def told_instead(body: Any, url: str) -> ModelError | None:
    """The failure that some gateways send with status 200, as ``{"error": {...}}``; None where there is none."""
    if not isinstance(body, dict) or not body.get("error") or body.get("choices"):
        return None
    error = body["error"] if isinstance(body["error"], dict) else {}
    told = error.get("code")
    status = told if isinstance(told, int) and 400 <= told < 600 else _BAD_GATEWAY
    return refusal(status, {}, json.dumps(body).encode(), url)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds that an endpoint asks to be left alone: its Retry-After in seconds or as a date, or retry-after-ms.

    A date is held against the response's own Date, so that clocks need not agree.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        return seconds if 0 <= seconds < float("inf") else None
    until = _timestamp(headers.get("retry-after", ""))
    if until is None:
        return None
    return max(0.0, until - (_timestamp(headers.get("date", "")) or time.time()))


def _timestamp(date: str) -> float | None:
    try:
        return parsedate_to_datetime(date).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _object(content: bytes) -> Mapping[str, Any]:
    """The error object in a body; empty where there is none."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(body, dict):
        return {}
    inner = body.get("error")
    return inner if isinstance(inner, dict) else body


def _words(said: Mapping[str, Any], content: bytes) -> str:
    """What the body says: its message, else the whole body."""
    message = said.get("message") or said.get("error") or said.get("detail")
    return str(message) if message else content.decode(errors="replace")
