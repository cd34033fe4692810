"""One question to an endpoint and the bytes of its answer, with every failure as one of ours and the key in none."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from siturec_gym.core.errors import DeterministicModelError, ModelError, ReplyError, TransientModelError
from siturec_gym.llm.connection import Connections, Trip, through
from siturec_gym.llm.endpoint import Endpoint, public_url
from siturec_gym.llm.key import Key
from siturec_gym.llm.refusal import QUOTED, refusal

LARGEST_BODY = 8 << 20
LARGEST_REFUSAL = 64 << 10
STALE_CONNECTIONS = 3
"""How often a request goes out again at once because a kept connection was closed under it."""


@dataclass
class Tally:
    """What one request went through.

    Attributes:
        failures: How often it was sent in vain.
    """

    failures: int = 0


class Exchange:
    """Asks an endpoint through the package ``openai``. Threads may share it.

    Args:
        endpoint: Which one.

    Raises:
        DeterministicModelError: The package is not installed, or the key or the environment's proxy cannot be used.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self.url = public_url(endpoint.url)
        self._key = Key.read(endpoint.key_variable)
        self._openai = _import_openai()
        self._connections = Connections(self._openai, endpoint, self._refuse)
        self._api = self._openai.OpenAI(
            api_key=self._key.value, base_url=endpoint.url, max_retries=0, http_client=self._connections.http
        )

    def send(self, body: Mapping[str, Any], tally: Tally) -> bytes:
        """The body of the answer to a chat request.

        Raises:
            ModelError: The endpoint cannot be reached, refuses, breaks off, takes too long or sends too much.
        """
        # The package checks and copies messages part by part; as an extra they go out as they are.
        extra = {name: value for name, value in body.items() if name != "model"}
        create = self._api.chat.completions.with_streaming_response.create
        while True:
            try:
                return self._exchanged(lambda: create(model=body["model"], messages=[], extra_body=extra))
            except _StaleConnectionError:
                if tally.failures >= STALE_CONNECTIONS:
                    raise
                tally.failures += 1

    def models(self) -> bytes:
        """The body that lists the endpoint's models; raises as ``send`` does."""
        return self._exchanged(self._api.models.with_streaming_response.list)

    def _exchanged(self, call: Callable[[], Any]) -> bytes:
        with self._connections.request() as trip, self._translating(trip), call() as response:
            content = self._read(response, trip, LARGEST_BODY + 1)
            if len(content) > LARGEST_BODY:
                raise ReplyError(f"{self.url} sent a reply of more than {LARGEST_BODY >> 20} MB")
            return self._key.hidden_in_bytes(content)

    def _read(self, response: Any, trip: Trip, most: int) -> bytes:
        """The body, or its start where it has more than ``most`` bytes."""
        content = bytearray()
        try:
            for chunk in response.iter_bytes():
                content += chunk
                if len(content) >= most or time.monotonic() > trip.deadline:
                    break
        except Exception as error:  # whatever the transport raises while bytes arrive is a broken connection
            if time.monotonic() < trip.deadline:
                raise TransientModelError(f"{self.url} broke off its reply: {self._words(error)}") from error
        if time.monotonic() > trip.deadline:
            raise TransientModelError(f"{self.url} took more than {self._endpoint.timeout_s:g} s to reply")
        return bytes(content[:most])

    def _refuse(self, response: Any) -> None:
        """Told of each response before the package is; what is no success is read, within limits, and raised."""
        if response.is_success:
            return
        trip = self._connections.trip()
        content = self._read(response, trip, LARGEST_REFUSAL) if trip else b""
        headers = {name.lower(): self._key.hidden_in(value) for name, value in response.headers.items()}
        raise refusal(response.status_code, headers, self._key.hidden_in_bytes(content), self.url)

    @contextmanager
    def _translating(self, trip: Trip) -> Iterator[None]:
        """Turns whatever the package raises into one of our errors."""
        openai = self._openai
        try:
            yield
        except ModelError:
            raise
        except openai.APITimeoutError as error:
            silent = f"{self.url} gave no answer within {self._endpoint.timeout_s:g} s"
            words = self._not_reached("timed out") if trip.way == "connecting" else silent
            raise TransientModelError(words) from error
        except openai.APIConnectionError as error:
            cause = error.__cause__ or error
            if isinstance(cause, ModelError):  # some versions wrap what ``_refuse`` raised
                raise cause from None
            kind = _StaleConnectionError if trip.way == "kept" else TransientModelError
            raise kind(self._not_reached(self._words(cause))) from error
        except (openai.OpenAIError, ValueError) as error:
            raise DeterministicModelError(f"{self.url} cannot be asked: {self._words(error)}") from error

    def _not_reached(self, why: str) -> str:
        return f"{self.url} cannot be reached{through(self._endpoint.url)}: {why}"

    def _words(self, error: BaseException) -> str:
        """The error in one short line, without the key."""
        return self._key.hidden_in(" ".join(str(error).split()))[:QUOTED] or type(error).__name__


class _StaleConnectionError(TransientModelError):
    """A kept connection was closed under a request, which says nothing about the endpoint."""


def _import_openai() -> Any:
    try:
        import openai  # noqa: PLC0415  heavy, and an extra
    except ImportError as error:
        raise DeterministicModelError(
            "language-model roles need the package openai: pip install 'siturec-gym[llm]'"
        ) from error
    return openai
