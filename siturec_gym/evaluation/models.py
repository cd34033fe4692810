"""How a run's language models are reached: addresses, limits, cache and prices."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from siturec_gym.llm.clients import DTYPES, ModelFacts, look_at, make_client
from siturec_gym.llm.endpoint import DEFAULT_URL, KEY_VARIABLE, Endpoint, public_url
from siturec_gym.llm.meter import Meter, read_prices
from siturec_gym.llm.names import LOADED, SERVED, ModelName
from siturec_gym.llm.protocol import ChatClient


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
        per_minute: Most requests to one address in a minute; None sets no limit.
        keys: Role and environment variable that holds its key; the role "" stands for all that have none of their own.
        device: Where models of this process run: "auto", or a name that torch knows, such as "cuda:1".
        dtype: Their numbers: "auto", "bfloat16", "float16" or "float32".
    """

    base_url: str = DEFAULT_URL
    urls: tuple[tuple[str, str], ...] = ()
    cache: str | None = None
    prices: str | None = None
    concurrency: int = 64
    timeout_s: float = 120.0
    per_minute: float | None = None
    keys: tuple[tuple[str, str], ...] = ()
    device: str = "auto"
    dtype: str = "auto"

    def __post_init__(self) -> None:
        if self.dtype not in DTYPES:
            raise ValueError(f"unknown dtype {self.dtype!r}; choose from {', '.join(DTYPES)}")
        if self.cache is not None and not self.cache.strip():
            raise ValueError(f"cache takes a folder, got {self.cache!r}")

    def url_of(self, role: str) -> str:
        """The address of a role's model."""
        return dict(self.urls).get(role, self.base_url)

    def endpoint(self, role: str) -> Endpoint:
        """The endpoint of a role's model.

        Raises:
            ValueError: The address or a limit is wrong.
        """
        keys = dict(self.keys)
        key = keys.get(role) or keys.get("", KEY_VARIABLE)
        return Endpoint(
            self.url_of(role), self.concurrency, self.timeout_s, key_variable=key, per_minute=self.per_minute
        )

    def meter(self, name: ModelName) -> Meter:
        """A new meter at the model's price.

        Raises:
            DataError: The price file cannot be read.
        """
        return Meter(read_prices(Path(self.prices)).get(name.label) if self.prices else None)

    def shared_by(self, workers: int) -> "ModelSettings":
        """The settings of each of so many processes: the limits on requests hold for all of them together.

        A minute's requests are shared out whole, since processes may begin theirs at the same moments.

        Raises:
            ValueError: A limit leaves a process without any request.
        """
        if self.concurrency < workers:
            raise ValueError(
                f"a concurrency of {self.concurrency} is too little for {workers} workers, each of which has at least "
                "one request underway"
            )
        if self.per_minute is None or workers == 1:
            return replace(self, concurrency=self.concurrency // workers)
        if self.per_minute < workers:
            raise ValueError(
                f"{self.per_minute:g} requests per minute are too few for {workers} workers, each of which begins at "
                "least one"
            )
        return replace(self, concurrency=self.concurrency // workers, per_minute=float(self.per_minute // workers))

    def changed(
        self, urls: Mapping[str, str | None], keys: Mapping[str, str] | None = None, **fields: Any
    ) -> "ModelSettings":
        """The settings with whatever is not None put in place of what they hold.

        Args:
            urls: Role and address.
            keys: Role and environment variable.
            **fields: Fields by name.
        """
        given: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
        given |= {name: str(given[name]) for name in ("cache", "prices") if name in given}
        addresses = dict(self.urls) | {role: url for role, url in urls.items() if url is not None}
        variables = dict(self.keys) | dict(keys or {})
        return replace(self, **given, urls=tuple(sorted(addresses.items())), keys=tuple(sorted(variables.items())))

    def public(self) -> dict[str, Any]:
        """The settings as a manifest keeps them, without what may be secret in an address."""
        urls = {role: public_url(url) for role, url in self.urls}
        return asdict(self) | {"base_url": public_url(self.base_url), "urls": urls, "keys": dict(self.keys)}

    @classmethod
    def from_public(cls, kept: Mapping[str, Any]) -> "ModelSettings":
        """The settings that a manifest keeps."""
        pairs = {name: tuple(sorted(kept.get(name, {}).items())) for name in ("urls", "keys")}
        return cls(**dict(kept) | pairs)


def client_for(settings: ModelSettings, role: str, name: ModelName) -> ChatClient:
    """The client of a role's model. Clients of an endpoint or a folder share connections or the loaded model.

    Raises:
        ValueError: The address is wrong.
        DeterministicModelError: The package for it is not installed, or the model cannot be loaded.
        RunError: The cache folder cannot be used.
    """
    endpoint = settings.endpoint(role)
    client = (
        _served(name, endpoint) if name.kind == SERVED else make_client(name, None, settings.device, settings.dtype)
    )
    if settings.cache is None:
        return client
    from siturec_gym.llm.cache import CachedClient  # noqa: PLC0415  only roles with a model need it

    return CachedClient(client, Path(settings.cache), role)


@lru_cache(maxsize=64)
def _served(name: ModelName, endpoint: Endpoint) -> ChatClient:
    return make_client(name, endpoint)


def facts_of(settings: ModelSettings, role: str, name: ModelName) -> ModelFacts:
    """Look once whether a role's model can be asked, before anything is written; with a cache, only the first time.

    Raises:
        ModelError: It cannot be asked; one line that names the address or the folder.
        RunError: The cache folder cannot be used.
    """
    endpoint = settings.endpoint(role)
    if settings.cache is None or name.kind == LOADED:
        return look_at(name, endpoint)
    from siturec_gym.llm.cache import KeptContext  # noqa: PLC0415

    kept = KeptContext(Path(settings.cache), name.model, public_url(endpoint.url))
    return ModelFacts(kept.get(lambda: look_at(name, endpoint).context_tokens))
