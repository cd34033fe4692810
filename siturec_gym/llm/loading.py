"""Models that transformers loads into this process: what a folder holds, and the model with what reads for it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from siturec_gym.core.errors import DeterministicModelError

DTYPES = ("auto", "bfloat16", "float16", "float32")
_WEIGHTS = ("*.safetensors", "*.bin")
_QUOTED = 200
_loading = threading.Lock()


@dataclass(frozen=True, eq=False)
class Reader:
    """What turns messages into a model's input.

    Attributes:
        config: The model's configuration.
        tokenizer: Its tokenizer.
        processor: What prepares images and text together; None for a model that reads text alone.
        context_tokens: Longest input and reply together; None where the configuration does not say.
    """

    config: Any
    tokenizer: Any
    processor: Any
    context_tokens: int | None

    def prompt(self, messages: list[dict[str, Any]], options: dict[str, Any]) -> str:
        """The text of a conversation, up to where the model's reply begins.

        Args:
            messages: Roles and contents as chat templates take them.
            options: Further variables of the template.
        """
        source = self.tokenizer if self.processor is None else self.processor
        text: str = source.apply_chat_template(messages, tokenize=False, add_generation_prompt=True, **options)
        return text


@dataclass(frozen=True, eq=False)
class Loaded:
    """A model ready to answer. ``lock`` is held while it does: one reply at a time."""

    model: Any
    reader: Reader
    device: str
    lock: threading.Lock


def folder_of(name: str) -> str:
    """The folder that a name means, or the name of a model elsewhere.

    Raises:
        DeterministicModelError: It is written as a path, and there is no such folder.
    """
    path = Path(name).expanduser()
    if path.is_dir():
        return str(path.resolve())
    if path.is_absolute() or name.startswith((".", "~")) or path.exists():
        raise DeterministicModelError(f"'{name}' is no folder that holds a model")
    return name


@lru_cache(maxsize=8)
def read_folder(folder: str) -> Reader:
    """Configuration, tokenizer and chat template of a model, without its weights.

    Args:
        folder: From ``folder_of``.

    Raises:
        DeterministicModelError: They cannot be read, the package is missing, or the model has no chat template.
    """
    transformers = import_transformers()
    with _told(f"'{folder}' holds no model that can be read"), quiet(transformers):
        config = transformers.AutoConfig.from_pretrained(folder)
        sees = config.model_type in _seeing(transformers)
        processor = transformers.AutoProcessor.from_pretrained(folder) if sees else None
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder) if processor is None else processor.tokenizer
    if not (getattr(processor, "chat_template", None) or tokenizer.chat_template):
        raise DeterministicModelError(f"'{folder}' has no chat template: take the model's chat or instruct form")
    if Path(folder).is_dir() and not any(path for kind in _WEIGHTS for path in Path(folder).glob(kind)):
        raise DeterministicModelError(f"'{folder}' holds no weights (*.safetensors)")
    length = getattr(config.get_text_config(), "max_position_embeddings", None)
    return Reader(config, tokenizer, processor, length if isinstance(length, int) else None)


def load(folder: str, device: str = "auto", dtype: str = "auto") -> Loaded:
    """A model with its weights; one of a kind in this process, whoever asks for it.

    Args:
        folder: From ``folder_of``.
        device: "auto" (a GPU if there is one), or a name that torch knows, such as "cuda:1".
        dtype: One of ``DTYPES``.

    Raises:
        ValueError: ``dtype`` is none of them.
        DeterministicModelError: It cannot be loaded: a file is missing or broken, or there is no memory for it.
    """
    if dtype not in DTYPES:
        raise ValueError(f"unknown dtype {dtype!r}; choose from {', '.join(DTYPES)}")
    with _loading:
        return _load(folder, device, dtype)


@lru_cache(maxsize=8)
def _load(folder: str, device: str, dtype: str) -> Loaded:
    transformers, reader = import_transformers(), read_folder(folder)
    kind = transformers.AutoModelForCausalLM if reader.processor is None else transformers.AutoModelForImageTextToText
    place = _best_device() if device == "auto" else device
    with _told(f"'{folder}' cannot be loaded to {place}"), quiet(transformers):
        model = kind.from_pretrained(folder, dtype=dtype).to(place).eval()
    return Loaded(model, reader, place, threading.Lock())


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


def out_of_memory(error: BaseException) -> bool:
    """Whether memory, of the device or of the machine, was what lacked."""
    words = str(error).lower()
    return isinstance(error, MemoryError) or "out of memory" in words or "can't allocate memory" in words


def _best_device() -> str:
    import torch  # noqa: PLC0415

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _seeing(transformers: Any) -> Any:
    return transformers.models.auto.modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES


@contextmanager
def _told(problem: str) -> Iterator[None]:
    """Whatever a library raises as one line of ours."""
    try:
        yield
    except DeterministicModelError:
        raise
    except Exception as error:  # of every kind: files, formats, versions, devices, memory
        words = "out of memory" if out_of_memory(error) else " ".join(str(error).split()) or type(error).__name__
        raise DeterministicModelError(f"{problem}: {words[:_QUOTED]}") from error


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
