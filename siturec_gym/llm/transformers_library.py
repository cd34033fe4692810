"""The library transformers as this package uses it: imported late, quiet, its failures as one line of ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from siturec_gym.core.errors import DeterministicModelError, words_of

_QUOTED = 200


def import_transformers() -> Any:
    """The package transformers.

    Raises:
        DeterministicModelError: It or torch is not installed.
    """
    try:
        import torch  # noqa: F401, PLC0415  heavy, and an extra
        import transformers  # noqa: PLC0415
    except ImportError as error:
        raise DeterministicModelError(
            "models in this process need torch and transformers: pip install 'siturec-gym[hf]'"
        ) from error
    return transformers


def short(error: BaseException) -> str:
    """What an error says, in one line that fits into a message; its kind where it says nothing."""
    return words_of(error)[:_QUOTED] or type(error).__name__


def out_of_memory(error: BaseException) -> bool:
    """Whether memory, of the device or of the machine, was what lacked."""
    words = str(error).lower()
    return isinstance(error, MemoryError) or "out of memory" in words or "can't allocate memory" in words


@contextmanager
def told(problem: str) -> Iterator[None]:
    """Whatever a library raises as one line of ours."""
    try:
        yield
    except DeterministicModelError:
        raise
    except Exception as error:  # of every kind: files, formats, versions, devices, memory
        words = "out of memory" if out_of_memory(error) else short(error)
        raise DeterministicModelError(f"{problem}: {words}") from error


@contextmanager
def quiet(transformers: Any) -> Iterator[None]:
    """No progress bars and hints of the library on a command line that has its own."""
    log = transformers.utils.logging
    level, bars = log.get_verbosity(), log.is_progress_bar_enabled()
    log.set_verbosity_error()
    log.disable_progress_bar()
    try:
        yield
    finally:
        log.set_verbosity(level)
        if bars:
            log.enable_progress_bar()
