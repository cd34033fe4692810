"""How a run's language models are reached: addresses, limits, cache and prices."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from siturec_gym.llm.endpoint import DEFAULT_URL, Endpoint, public_url
from siturec_gym.llm.meter import Meter, read_prices
from siturec_gym.llm.protocol import ChatClient

LLM_PREFIX = "llm:"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Where models are and what may be asked of them. Nothing here changes what an episode is.

    Attributes:
        base_url: Address for every role that has none of its own.
        urls: Role and address, for roles that have one.
        cache: Folder of kept replies, or None to keep none.
        prices: Price file, or None where prices are not known.
        concurrency: Most requests underway at one address at once.
        timeout_s: Most seconds for one reply.
    """

    base_url: str = DEFAULT_URL
    urls: tuple[tuple[str, str], ...] = ()
    cache: str | None = None
    prices: str | None = None
    concurrency: int = 64
    timeout_s: float = 120.0

    def url_of(self, role: str) -> str:
        """The address of a role's model."""
        return dict(self.urls).get(role, self.base_url)

    def endpoint(self, role: str) -> Endpoint:
        """The endpoint of a role's model.

        Raises:
            ValueError: The address or a limit is wrong.
        """
        return Endpoint(self.url_of(role), self.concurrency, self.timeout_s)

    def meter(self, model: str) -> Meter:
        """A new meter at the model's price.

        Raises:
            DataError: The price file cannot be read.
        """
        return Meter(read_prices(Path(self.prices)).get(model) if self.prices else None)

    def shared_by(self, workers: int) -> "ModelSettings":
        """The settings of each of so many processes: the limit on requests holds for all of them together."""
        return replace(self, concurrency=max(1, self.concurrency // workers))

    def changed(self, urls: Mapping[str, str | None], **fields: Any) -> "ModelSettings":
        """The settings with whatever is not None put in place of what they hold.

        Args:
            urls: Role and address.
            **fields: Fields by name.
        """
        given: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
        given |= {name: str(given[name]) for name in ("cache", "prices") if name in given}
        addresses = dict(self.urls) | {role: url for role, url in urls.items() if url is not None}
        return replace(self, **given, urls=tuple(sorted(addresses.items())))

    def public(self) -> dict[str, Any]:
        """The settings as a manifest keeps them, without what may be secret in an address."""
        urls = {role: public_url(url) for role, url in self.urls}
        return asdict(self) | {"base_url": public_url(self.base_url), "urls": urls}

    @classmethod
    def from_public(cls, kept: Mapping[str, Any]) -> "ModelSettings":
        """The settings that a manifest keeps."""
        return cls(**dict(kept) | {"urls": tuple(sorted(kept.get("urls", {}).items()))})


def model_name(name: str) -> str | None:
    """MODEL of "llm:MODEL"; None for a role without a model.

    Raises:
        ValueError: The model has no name.
    """
    if not name.startswith(LLM_PREFIX):
        return None
    if not (model := name.removeprefix(LLM_PREFIX)):
        raise ValueError(f"{name!r} names no model; give {LLM_PREFIX}MODEL")
    return model


@lru_cache(maxsize=64)
def client_for(settings: ModelSettings, role: str, model: str) -> ChatClient:
    """The client of a role's model, one for all threads of a process.

    Raises:
        ValueError: The address is wrong.
        DeterministicModelError: The package for it is not installed.
        RunError: The cache folder cannot be used.
    """
    from siturec_gym.llm.cache import CachedClient  # noqa: PLC0415  only roles with a model need them
    from siturec_gym.llm.openai_client import OpenAIClient  # noqa: PLC0415

    client: ChatClient = OpenAIClient(model, settings.endpoint(role))
    return CachedClient(client, Path(settings.cache), role) if settings.cache else client


def check_model(settings: ModelSettings, role: str, model: str) -> None:
    """Ask the endpoint once whether it serves the model, before anything is written.

    Raises:
        ModelError: It cannot be reached or does not serve it; one line with its address.
    """
    from siturec_gym.llm.openai_client import OpenAIClient  # noqa: PLC0415

    OpenAIClient(model, settings.endpoint(role)).check()
