"""Counts what a role's calls take, tokens, requests and money, and notes which models answered."""

import json
import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from siturec_gym.core.errors import DataError
from siturec_gym.llm.messages import Usage

_CENT = 0.01
_DIGITS = 8
_LEAST = 10.0**-_DIGITS
_FORM = '{"MODEL": {"prompt": 0.4, "completion": 1.6}}'


class Price(BaseModel):
    """Dollars for a million tokens read and a million written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: float = Field(ge=0, allow_inf_nan=False)
    completion: float = Field(ge=0, allow_inf_nan=False)

    def of(self, usage: Usage) -> float:
        """Dollars for what was used."""
        return (usage.prompt_tokens * self.prompt + usage.completion_tokens * self.completion) / 1e6


def read_prices(path: Path) -> dict[str, Price]:
    """Prices by model name, from a JSON file ``{"MODEL": {"prompt": 0.4, "completion": 1.6}}``.

    Raises:
        DataError: The file cannot be read or holds something else.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return TypeAdapter(dict[str, Price]).validate_python(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        problem = f"{where}: {first['msg']}" if where else f"it must hold an object such as {_FORM}"
        raise DataError(f"price file '{path}': {problem}") from error
    except (OSError, ValueError) as error:
        raise DataError(f"price file '{path}' cannot be read: {error}") from error


@dataclass
class Meter:
    """Adds up usage between readings; several threads may add.

    Attributes:
        price: What tokens cost; None counts requests as unpriced.
    """

    price: Price | None = None

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._since = Usage()
        self._names: set[str] = set()

    def add(self, usage: Usage) -> None:
        """Count ``usage``, and its price if requests were made."""
        if self.price is None:
            priced = replace(usage, unpriced=usage.requests)
        else:
            priced = replace(usage, cost_usd=self.price.of(usage))
        with self._lock:
            self._since += priced

    def take(self) -> Usage:
        """What was used since the last reading."""
        with self._lock:
            taken, self._since = self._since, Usage()
        return taken

    def heard(self, model: str) -> None:
        """Note the name of a model that answered; an empty one is none."""
        with self._lock:
            self._names |= {model} - {""}

    def take_names(self) -> tuple[str, ...]:
        """The names of the models that answered since the last reading, in order."""
        with self._lock:
            taken, self._names = self._names, set()
        return tuple(sorted(taken))


def dollars(amount: float) -> str:
    """An amount as a person reads it: cents, and what is less than a cent to two digits."""
    if amount == 0 or amount >= _CENT:
        return f"${amount:,.2f}"
    if amount < _LEAST:
        return f"<${_LEAST:.{_DIGITS}f}"
    digits = min(_DIGITS, 1 - math.floor(math.log10(amount)))
    return f"${amount:.{digits}f}"


def labelled(role: str, usage: Usage) -> dict[str, float]:
    """Counts under the names that records keep them by, such as "assistant_prompt_tokens"."""
    return {f"{role}_{name}": value for name, value in usage.counts().items()}


def by_role(usage: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """The counts of a record by role; the inverse of ``labelled`` over several roles."""
    roles: dict[str, dict[str, float]] = {}
    for label, value in usage.items():
        role, _, name = label.partition("_")
        roles.setdefault(role, {})[name] = value
    return roles
