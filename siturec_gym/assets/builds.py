"""Packaged builds of stores for Unreal Engine: what a manifest says of each, and where they are installed.

None ships with this package, so the list in ``assets_manifest.json`` may be empty; a manifest of your own has the same
form: ``{"builds": [...]}``.
"""

import json
import os
import platform
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from siturec_gym.assets.shipped import manifest_path
from siturec_gym.core.errors import DataError
from siturec_gym.core.storage.files import reason

Platform = Literal["linux-x86_64", "linux-arm64", "windows-x86_64", "macos-x86_64", "macos-arm64"]
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_MACHINES = {"amd64": "x86_64", "x86_64": "x86_64", "aarch64": "arm64", "arm64": "arm64"}
_SYSTEMS = {"Darwin": "macos", "Linux": "linux", "Windows": "windows"}


def http_address(url: str) -> str:
    """The address as given.

    Raises:
        ValueError: It is no http or https address that can be asked for as it stands.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{url!r} is no http:// or https:// address")
    if "@" in parts.netloc:
        raise ValueError(f"the address at {parts.hostname!r} names a user; this is not supported")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise ValueError(f"{url!r} holds characters that an address writes as %XX")
    return url


def _inside(path: str) -> str:
    pure = PurePosixPath(path)
    if not path or pure.is_absolute() or ".." in pure.parts or "\\" in path:
        raise ValueError(f"{path!r} is no path inside the build")
    return path


class Build(BaseModel):
    """One packaged build for one platform, as a manifest lists it.

    Attributes:
        name: What ``siturec assets fetch`` calls it.
        platform: System and processor it runs on.
        engine_version: Version of Unreal Engine it was packaged with, such as "5.4".
        plugin_version: Version of the UnrealCV plugin inside it.
        bytes: Size of the archive.
        sha256: Of the archive.
        licence: Terms it comes under, by name or address.
        url: Where the archive is downloaded from.
        unpacked_bytes: Size of all files in it; None where it is not known, and then at most 20 times ``bytes``.
        executable: The program to start, as a path in the archive; None where it is not known.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=f"^{NAME.pattern}$")
    platform: Platform
    engine_version: str = Field(pattern=r"^\d+(\.\d+)+$")
    plugin_version: str = Field(pattern=r"^\d+(\.\d+)*([.+-]?[A-Za-z0-9]+)*$")
    bytes: int = Field(gt=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    licence: str = Field(min_length=1)
    url: Annotated[str, AfterValidator(http_address)]
    unpacked_bytes: int | None = Field(default=None, gt=0)
    executable: Annotated[str, AfterValidator(_inside)] | None = None


def read_builds(path: Path | None = None) -> tuple[Build, ...]:
    """The builds that a manifest lists.

    Args:
        path: A manifest of your own; None for the shipped one.

    Raises:
        DataError: It cannot be read, an entry is not of this form, or two are for one name and platform.
    """
    source = manifest_path() if path is None else path
    try:
        content = json.loads(source.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read '{source}': {reason(error)}") from error
    listed = content.get("builds") if isinstance(content, dict) else None
    if not isinstance(listed, list):
        raise DataError(f"'{source}' holds no list \"builds\"")
    builds = tuple(_build(entry, number, source) for number, entry in enumerate(listed, start=1))
    keys = [(build.name, build.platform) for build in builds]
    if twice := next((key for key in keys if keys.count(key) > 1), None):
        raise DataError(f"'{source}' lists {twice[0]} for {twice[1]} twice")
    return builds


def choose_build(builds: Sequence[Build], name: str, wanted: str | None = None) -> Build:
    """The build of a name for a platform, by default this machine's.

    Raises:
        ValueError: There is none; the message lists what there is.
    """
    target = wanted or this_platform()
    if target not in get_args(Platform):
        raise ValueError(f"unknown platform {target!r}; known: {', '.join(get_args(Platform))}")
    named = [build for build in builds if build.name == name]
    if not named:
        names = ", ".join(sorted({build.name for build in builds})) or "none"
        raise ValueError(f"no build is named {name!r}; listed: {names}; one from elsewhere takes --url and --sha256")
    for build in named:
        if build.platform == target:
            return build
    raise ValueError(f"{name} is not listed for {target}; listed: {', '.join(build.platform for build in named)}")


def this_platform() -> Platform:
    """The platform of this machine.

    Raises:
        ValueError: Builds are not made for it.
    """
    system, machine = platform.system(), platform.machine()
    name = f"{_SYSTEMS.get(system, system.lower())}-{_MACHINES.get(machine.lower(), machine.lower())}"
    known: dict[str, Platform] = {text: text for text in get_args(Platform)}
    if name in known:
        return known[name]
    raise ValueError(f"builds are not made for {name}; name another with --platform")


def cache_folder() -> Path:
    """Where builds are installed: ``siturec-gym/builds`` in the user's cache folder (XDG_CACHE_HOME or ~/.cache)."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    cache = Path(named) if Path(named).is_absolute() else Path.home() / ".cache"  # a relative one is to be ignored
    return cache / "siturec-gym" / "builds"


def _build(entry: object, number: int, source: Path) -> Build:
    try:
        return Build.model_validate(entry)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "entry"
        raise DataError(f"'{source}', build {number}: {where}: {first['msg']}") from error
