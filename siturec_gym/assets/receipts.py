"""What is installed: the receipt of each build, and whether its files are still as they were unpacked."""

import hashlib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from siturec_gym.assets.unpack import Unpacked
from siturec_gym.core.errors import DataError
from siturec_gym.core.storage.files import reason

RECEIPT = "receipt.json"
FILES = "files"


class Receipt(BaseModel):
    """What was unpacked.

    Attributes:
        sha256: Of the archive.
        executable: The program to start, as a path in ``files``, or None.
        files: Every file; what a running build adds beside them is its own.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    sha256: str
    executable: str | None
    files: tuple[Unpacked, ...]


def installed(cache: Path) -> list[Path]:
    """Folders of the builds in a cache folder, by name."""
    return sorted(path.parent for path in cache.glob(f"*/{RECEIPT}"))


def read_receipt(folder: Path) -> Receipt:
    """What was unpacked into the folder of a build.

    Raises:
        DataError: No build is installed there, or its receipt is damaged.
    """
    try:
        return Receipt.model_validate_json((folder / RECEIPT).read_bytes())
    except OSError as error:
        raise DataError(f"no build is installed in '{folder}': {reason(error)}") from error
    except ValidationError as error:
        raise DataError(f"the receipt in '{folder}' is damaged; remove the folder and fetch the build again") from error


def executable(folder: Path) -> Path | None:
    """The program of an installed build, or None where its manifest named none.

    Raises:
        DataError: No build is installed there, or its receipt is damaged.
    """
    program = read_receipt(folder).executable
    return None if program is None else folder / FILES / program


def changed_files(folder: Path) -> list[str]:
    """One line for each file of an installed build that is missing or not as it was unpacked."""
    try:
        receipt = read_receipt(folder)
    except DataError as error:
        return [str(error)]
    return [problem for file in receipt.files if (problem := _problem(folder, file))]


def _problem(folder: Path, file: Unpacked) -> str | None:
    path = folder / FILES / file.path
    try:
        same = path.stat().st_size == file.bytes
        if same:
            with path.open("rb") as content:
                same = hashlib.file_digest(content, "sha256").hexdigest() == file.sha256
    except OSError as error:
        return f"file {file.path!r} of build {folder.name!r} cannot be read: {reason(error)}"
    return None if same else f"file {file.path!r} of build {folder.name!r} was changed"
