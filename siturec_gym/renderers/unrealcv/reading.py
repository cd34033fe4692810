"""Mapping files as they are read: shipped ones by name, others by path; what is wrong is one line.

A file may also hold no mapping but settings, as ``renderer_config`` takes them: which mapping, and where the store is.
"""

import reprlib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from siturec_gym.core.errors import DataError, RendererError
from siturec_gym.renderers.unrealcv.mapping import Mapping
from siturec_gym.renderers.unrealcv.part import Part, Port

SHIPPED = Path(__file__).parent / "mappings"
INSTALL = "pip install 'siturec-gym[unreal]'"
PartT = TypeVar("PartT", bound=Part)


class Settings(Part):
    """A file that names a mapping and gives it another address, such as ``{mapping: ours, port: 9071}``.

    Attributes:
        mapping: Name of a shipped mapping, or path of a mapping file, from the folder of this one.
        host: Takes the place of the mapping's.
        port: Takes the place of the mapping's.
        socket: Takes the place of the mapping's.
    """

    mapping: str = "ours"
    host: str | None = None
    port: Port | None = None
    socket: str | None = None


def shipped_names() -> tuple[str, ...]:
    """Names of the mappings that come with the package."""
    return tuple(sorted(path.stem for path in SHIPPED.glob("*.yaml")))


def load_mapping(source: str | Path | Mapping | dict[str, Any]) -> Mapping:
    """The mapping of a file, be it a mapping or settings, or a shipped one by its name, or the content of one.

    Raises:
        DataError: The file cannot be read, or says something that a mapping cannot; file and field are named.
        RendererError: PyYAML is not installed.
    """
    if isinstance(source, Mapping):
        return source
    if isinstance(source, dict):
        return _checked(source, "the mapping", Mapping)
    path = _path(str(source), Path())
    content = _content(path)
    return _named_by(content, path) if _is_settings(content) else _checked(content, path.name, Mapping)


def _path(source: str, folder: Path) -> Path:
    return SHIPPED / f"{source}.yaml" if source in shipped_names() else folder / source


def _is_settings(content: Any) -> bool:
    """Every mapping has a ``form``, and no settings have."""
    return isinstance(content, dict) and "form" not in content and not content.keys().isdisjoint(Settings.model_fields)


def _named_by(content: dict[str, Any], path: Path) -> Mapping:
    settings = _checked(content, path.name, Settings)
    other = _path(settings.mapping, path.parent)
    mapping = _checked(_content(other), other.name, Mapping)
    try:
        return moved(mapping, settings.host, settings.port, settings.socket)
    except ValueError as error:
        raise DataError(f"{path.name}: {error}") from None


def _checked(content: Any, name: str, kind: type[PartT]) -> PartT:
    try:
        return kind.model_validate(content)
    except ValidationError as error:
        raise DataError(f"{name}: {_first_of(error)}") from None


def moved(mapping: Mapping, host: str | None, port: int | None, socket: str | None) -> Mapping:
    """A mapping with another address; what is None stays. Raises ValueError for a port that is none."""
    given = {"host": host, "port": port, "socket": socket}
    changes = {name: value for name, value in given.items() if value is not None}
    if not changes:
        return mapping
    known = mapping.connection.model_dump() | ({} if socket is not None else {"socket": None})
    try:
        connection = type(mapping.connection).model_validate(known | changes)
    except ValidationError as error:
        raise ValueError(_first_of(error)) from None
    return mapping.model_copy(update={"connection": connection})


def _content(path: Path) -> Any:
    try:
        import yaml  # noqa: PLC0415  only mapping files are YAML
    except ImportError as error:
        raise RendererError(f"mapping files need PyYAML: {INSTALL}") from error
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        known = ", ".join(shipped_names())
        raise DataError(f"mapping file '{path}': {error.strerror}; shipped ones are {known}") from error
    except (ValueError, RecursionError, yaml.YAMLError) as error:  # ValueError: bytes or dates that are none
        raise DataError(f"{path.name}: no YAML: {' '.join(str(error).split())}") from error


def _first_of(error: ValidationError) -> str:
    """The first thing that is wrong, and how many more there are."""
    found = error.errors(include_url=False)
    first, more = found[0], len(found) - 1
    field = ".".join(str(part) for part in first["loc"]) or "the file"
    words = first["msg"].removeprefix("Value error, ")
    received = "" if first["type"] in ("missing", "value_error") else f", got {reprlib.repr(first['input'])}"
    return f"{field}: {words}{received}" + (f" (and {more} more)" if more else "")
