"""An endpoint: where a model is served, and how much may be asked of it at once."""

import os
import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

from siturec_gym.llm.retry import Retries

DEFAULT_URL = "https://api.openai.com/v1"
URL_VARIABLE = "OPENAI_BASE_URL"
KEY_VARIABLE = "OPENAI_API_KEY"
LONGEST_TIMEOUT_S = 86_400.0
"""A day; sockets take no endless number."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is served.

    Attributes:
        url: Base URL of the API, such as "http://127.0.0.1:8000/v1".
        concurrency: Most requests that this process has underway there at once.
        timeout_s: Most seconds from sending a request to the last byte of its reply.
        connect_s: Most seconds until the connection stands.
        retries: When to give up after transient failures.
        key_variable: Environment variable that holds the key; the key itself is kept nowhere.
        per_minute: Most requests that this process begins there in a minute, evenly spaced; None sets no limit.
    """

    url: str = DEFAULT_URL
    concurrency: int = 64
    timeout_s: float = 120.0
    connect_s: float = 10.0
    retries: Retries = field(default_factory=Retries)
    key_variable: str = KEY_VARIABLE
    per_minute: float | None = None

    def __post_init__(self) -> None:
        _check_url(self.url)
        if self.concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, got {self.concurrency}")
        if not 0 < self.timeout_s <= LONGEST_TIMEOUT_S:
            raise ValueError(f"timeout must be above 0 and at most {LONGEST_TIMEOUT_S:g} seconds, got {self.timeout_s}")
        if self.per_minute is not None and not 0 < self.per_minute < float("inf"):
            raise ValueError(f"requests per minute must be above 0, got {self.per_minute}")


def usual_url() -> str:
    """The address where none was given: that of the environment variable OPENAI_BASE_URL, else OpenAI's own."""
    return os.environ.get(URL_VARIABLE) or DEFAULT_URL


def public_url(url: str) -> str:
    """The URL without user, password, query and fragment, fit for records and messages.

    Of what is no URL, nothing is left of what stands before its last "@" and after a "?" or "#".
    """
    try:
        parts = urlsplit(url)
        whole = bool(parts.scheme and parts.hostname) and parts.port != 0
    except ValueError:  # a port or brackets that hold none
        whole = False
    if not whole:
        return re.split(r"[?#]", url.rpartition("@")[2])[0]
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _check_url(url: str) -> None:
    """Refuse what is no address, and an address with a secret in it: libraries write addresses to their logs.

    Raises:
        ValueError: What is wrong, without the secret.
    """
    if not isinstance(url, str):
        raise ValueError(f"base URL must be a text such as {DEFAULT_URL!r}, got {type(url).__name__}")
    shown = public_url(url)
    try:
        parts = urlsplit(url)
        named = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        named = False
    if not named:
        raise ValueError(f"base URL {shown!r} must begin with http:// or https:// and name a host")
    if any(sign.isspace() or not sign.isprintable() for sign in url):
        raise ValueError(f"base URL {shown!r} must hold no blanks")
    if "//" in parts.path:
        raise ValueError(f"base URL {shown!r} must hold no '//' after the host")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError(
            f"base URL {shown!r} must hold neither user name, password nor anything after a '?': a key is read from an "
            f"environment variable such as {KEY_VARIABLE}"
        )
