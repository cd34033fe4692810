"""``siturec assets``: the shipped data files, and builds of stores for Unreal Engine that are fetched."""

import json
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from siturec_gym import assets
from siturec_gym.core.errors import DataError

if TYPE_CHECKING:
    from siturec_gym.assets.installation import Source

app = typer.Typer()
_DIGITS = frozenset("0123456789abcdef")


@app.callback()
def group() -> None:
    """The shipped data files, and builds for Unreal Engine.

    Example: siturec assets verify
    """


@app.command()
def verify(
    manifest: Annotated[Path | None, typer.Option(help="A manifest of your own: prove its form too.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")] = False,
) -> None:
    """Prove that every shipped data file and every file of an installed build is unchanged (sha256).

    Example: siturec assets verify
    """
    from siturec_gym.assets.builds import cache_folder, read_builds  # noqa: PLC0415  --help must not wait for it
    from siturec_gym.assets.receipts import changed_files, installed  # noqa: PLC0415

    read_builds(manifest)
    folders = installed(cache_folder())
    problems = assets.verify() + [line for folder in folders for line in changed_files(folder)]
    count = len(assets.manifest())
    if as_json:
        names = [folder.name for folder in folders]
        typer.echo(json.dumps({"files": count, "builds": names, "problems": problems}, indent=2))
        raise typer.Exit(1 if problems else 0)
    if problems:
        raise DataError("; ".join(problems))
    typer.echo(f"{count} data files, all unchanged")
    for folder in folders:
        typer.echo(f"build {folder.name}, unchanged: {folder}")


@app.command()
def fetch(
    name: Annotated[
        str | None, typer.Argument(help="A build that the manifest lists, or the name to give one.")
    ] = None,
    url: Annotated[str | None, typer.Option(help="Where to download the archive from.")] = None,
    sha256: Annotated[str | None, typer.Option(help="Of the archive; needed for one that no manifest lists.")] = None,
    size: Annotated[int | None, typer.Option("--bytes", min=1, help="Size of that archive.")] = None,
    unpacked: Annotated[
        int | None, typer.Option("--unpacked-bytes", min=1, help="Most bytes of all its files; 20 times the archive.")
    ] = None,
    manifest: Annotated[Path | None, typer.Option(help="A manifest of your own that lists builds.")] = None,
    platform: Annotated[str | None, typer.Option(help="Platform of the build; this machine's when left out.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, nothing else.")] = False,
) -> None:
    """Download a packaged build of a store, prove it, and unpack it into your cache folder.

    An interrupted download goes on where it stopped when the same command is given again.

    Example: siturec assets fetch my-store --url https://example.org/store.zip --sha256 HEX
    """
    from siturec_gym.assets.receipts import executable  # noqa: PLC0415
    from siturec_gym.cli.fetching import fetch_with_progress  # noqa: PLC0415

    if sha256 is None and (size, unpacked) != (None, None):
        raise ValueError("--bytes and --unpacked-bytes go with --sha256")
    if sha256 is not None and (manifest, platform) != (None, None):
        raise ValueError("--manifest and --platform are for builds that a manifest lists, which need no --sha256")
    source = _listed(name, url, manifest, platform) if sha256 is None else _own(name, url, sha256, size, unpacked)
    folder = fetch_with_progress(source)
    program = executable(folder)
    facts = {"name": folder.name, "folder": str(folder), "executable": None if program is None else str(program)}
    typer.echo(json.dumps(facts, indent=2) if as_json else f"build {folder.name}: {folder}")


def _listed(name: str | None, url: str | None, manifest: Path | None, platform: str | None) -> "Source":
    from siturec_gym.assets.builds import choose_build, http_address, read_builds  # noqa: PLC0415
    from siturec_gym.assets.installation import source_of  # noqa: PLC0415

    if name is None:
        raise ValueError(
            "name a build of the manifest, or give --url and --sha256" if url is None else "--url needs --sha256"
        )
    builds = read_builds(manifest)
    if url is not None and name not in {build.name for build in builds}:
        raise ValueError(f"--sha256 is missing: no manifest lists {name!r}, so it must be given with --url")
    return source_of(choose_build(builds, name, platform), None if url is None else http_address(url))


def _own(name: str | None, url: str | None, sha256: str, size: int | None, unpacked: int | None) -> "Source":
    from siturec_gym.assets.builds import NAME, http_address  # noqa: PLC0415
    from siturec_gym.assets.download import Wanted  # noqa: PLC0415
    from siturec_gym.assets.installation import Source  # noqa: PLC0415

    if url is None:
        raise ValueError("--sha256 needs --url")
    if len(sha256) != 64 or not set(sha256.lower()) <= _DIGITS:
        raise ValueError(f"--sha256 takes 64 hexadecimal digits, got {sha256!r}")
    title = name or PurePosixPath(urlsplit(http_address(url)).path).name.split(".")[0].lower()
    if not NAME.fullmatch(title):
        raise ValueError(f"{title!r} is no name for a build: small letters, digits, '.', '_' and '-'; give one")
    return Source(title, Wanted(url, sha256.lower(), size), unpacked)
