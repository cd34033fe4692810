"""Models that transformers loads into this process: what a folder holds, and the model with what reads for it."""

import hashlib
import threading
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from siturec_gym.core.errors import DeterministicModelError
from siturec_gym.llm.clients import DTYPES
from siturec_gym.llm.reply_grammar import ReplyGrammar
from siturec_gym.llm.transformers_library import import_transformers, quiet, told

_WEIGHTS = ("*.safetensors", "*.bin")
_PARTS = (".json", ".jinja", ".model", ".txt", ".safetensors", ".bin")
_END = 1 << 20
_loading = threading.Lock()


@dataclass(frozen=True, eq=False)
class Reader:
    """What turns messages into a model's input.

    Attributes:
        config: The model's configuration.
        tokenizer: Its tokenizer.
        processor: What prepares images and text together; None for a model that reads text alone.
        context_tokens: Longest input and reply together; None where the configuration does not say.
        fingerprint: Tells this model from another, or a later state of it, under the same name.
    """

    config: Any
    tokenizer: Any
    processor: Any
    context_tokens: int | None
    fingerprint: str

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

    @cached_property
    def end_tokens(self) -> tuple[int, ...]:
        """Tokens that end a reply."""
        own = self.model.generation_config.eos_token_id
        ends = self.reader.tokenizer.eos_token_id if own is None else own
        return tuple(ends) if isinstance(ends, list | tuple) else (ends,)

    @cached_property
    def grammar(self) -> ReplyGrammar:
        """What holds replies to a schema."""
        vocabulary = int(self.reader.config.get_text_config().vocab_size)
        return ReplyGrammar(self.reader.tokenizer, vocabulary, self.end_tokens)


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


def read_folder(folder: str) -> Reader:
    """Configuration, tokenizer and chat template of a model, without its weights.

    Args:
        folder: From ``folder_of``.

    Raises:
        DeterministicModelError: They cannot be read, the package is missing, or the model has no chat template.
    """
    return _read(folder, _fingerprint(Path(folder)))


@lru_cache(maxsize=8)
def _read(folder: str, fingerprint: str) -> Reader:
    transformers = import_transformers()
    with told(f"'{folder}' holds no model that can be read"), quiet(transformers):
        config = transformers.AutoConfig.from_pretrained(folder)
        sees = config.model_type in _seeing(transformers)
        processor = transformers.AutoProcessor.from_pretrained(folder) if sees else None
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder) if processor is None else processor.tokenizer
    if not (getattr(processor, "chat_template", None) or tokenizer.chat_template):
        raise DeterministicModelError(f"'{folder}' has no chat template: take the model's chat or instruct form")
    if Path(folder).is_dir() and not any(path for kind in _WEIGHTS for path in Path(folder).glob(kind)):
        raise DeterministicModelError(f"'{folder}' holds no weights (*.safetensors)")
    length = getattr(config.get_text_config(), "max_position_embeddings", None)
    context = length if isinstance(length, int) else None
    known = fingerprint or str(getattr(config, "_commit_hash", None) or "")[:16]
    return Reader(config, tokenizer, processor, context, known)


def _fingerprint(folder: Path) -> str:
    """16 hexadecimal digits over a folder's small files and both ends of its large ones, which training changes too.

    Empty where there is no such folder.
    """
    if not folder.is_dir():
        return ""
    known = hashlib.sha256()
    with told(f"'{folder}' cannot be read"):
        for path in sorted(path for path in folder.iterdir() if path.suffix in _PARTS and path.is_file()):
            size = path.stat().st_size
            with path.open("rb") as file:
                start = file.read(_END)
                file.seek(max(len(start), size - _END))
                known.update(f"{path.name} {size} ".encode() + start + file.read(_END))
    return known.hexdigest()[:16]


def load(folder: str, device: str = "auto", dtype: str = "auto") -> Loaded:
    """A model with its weights; one of a kind in this process, whoever asks for it, until its folder changes.

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
        return _load(folder, read_folder(folder), device, dtype)


@lru_cache(maxsize=4)
def _load(folder: str, reader: Reader, device: str, dtype: str) -> Loaded:
    transformers = import_transformers()
    kind = transformers.AutoModelForCausalLM if reader.processor is None else transformers.AutoModelForImageTextToText
    place = _best_device() if device == "auto" else device
    with told(f"'{folder}' cannot be loaded to {place}"), quiet(transformers):
        model = kind.from_pretrained(folder, dtype=dtype).to(place).eval()
    return Loaded(model, reader, place, threading.Lock())


def _best_device() -> str:
    import torch  # noqa: PLC0415

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _seeing(transformers: Any) -> Any:
    return transformers.models.auto.modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES
