"""Client of a model in this process, by transformers: text or vision-language, from a folder or by name."""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from siturec_gym.core.errors import ContextOverflowError, DeterministicModelError
from siturec_gym.llm.loading import Loaded, folder_of, load
from siturec_gym.llm.messages import ChatReply, ChatRequest, Decoding, ImagePart, Message, TextPart, Usage
from siturec_gym.llm.names import ModelName
from siturec_gym.llm.reasoning import split_reasoning
from siturec_gym.llm.sampling import sampling_seed
from siturec_gym.llm.transformers_library import import_transformers, out_of_memory, quiet, short

LONGEST_REPLY = 2048
"""Tokens of a reply where neither the settings nor the model set a limit."""
_OPENED = ("<think>", "<thinking>", "<reasoning>")
_TEMPLATE = "chat_template_kwargs"


class TransformersClient:
    """Asks a model in this process. Threads may share it; it answers one after the other.

    The same request gets the same reply: what is drawn follows from the request, its seed and its trial. A reply with
    a schema is held to it token by token.

    Args:
        name: A folder, or a model's name as transformers knows it.
        device: "auto" (a GPU if there is one), or a name that torch knows, such as "cuda:1".
        dtype: "auto" (as the model was saved), "bfloat16", "float16" or "float32".

    Raises:
        ValueError: An unknown dtype.
        DeterministicModelError: A package is missing, or the model cannot be loaded.
    """

    def __init__(self, name: str, device: str = "auto", dtype: str = "auto") -> None:
        self._label = ModelName("hf", name).label
        self._loaded: Loaded = load(folder_of(name), device, dtype)
        self._reader = self._loaded.reader

    @property
    def model(self) -> str:
        """ "hf:" and the folder or name."""
        return self._label

    @property
    def fingerprint(self) -> str:
        """Tells this model from another, or a later state of it, in the same folder."""
        return self._reader.fingerprint

    def complete(self, request: ChatRequest) -> ChatReply:
        """The model's reply.

        Raises:
            ContextOverflowError: The prompt and the longest reply do not fit into the context; nothing was generated.
            DeterministicModelError: The model cannot read images, a setting is unknown, or memory ran out.
        """
        if self._reader.processor is None and any(map(_holds_image, request.messages)):
            raise DeterministicModelError(f"{self._label} reads text alone: set the role's images=0")
        extra = dict(request.decoding.extra)
        prompt = self._prompt(request.messages, extra.pop(_TEMPLATE, {}))
        with _as_one_line(self._label):
            inputs = self._inputs(prompt, request.messages)
        length = int(inputs["input_ids"].shape[1])
        config = self._generation(request.decoding, self._room(length, request.decoding.max_tokens), extra)
        reasons = prompt.rstrip().endswith(_OPENED)
        guides = []
        if request.schema is not None:
            guides.append(self._loaded.grammar.guide(request.schema, length, reasons_first=reasons))
        written = self._generate(inputs, config, guides, sampling_seed(self._label, request))
        return self._reply(prompt if reasons else "", written, length)

    def _prompt(self, messages: tuple[Message, ...], options: Mapping[str, Any]) -> str:
        in_parts = self._reader.processor is not None
        try:
            return self._reader.prompt([_message(message, in_parts=in_parts) for message in messages], dict(options))
        except Exception as error:  # a template may refuse what it likes, such as a system message
            problem = f"{self._label}: its chat template refuses the conversation: {short(error)}"
            raise DeterministicModelError(problem) from error

    def _inputs(self, prompt: str, messages: tuple[Message, ...]) -> Mapping[str, Any]:
        """Tensors of the prompt. Chat templates write what begins a text themselves, so nothing is added."""
        images = [_opened(part) for message in messages for part in message.parts if isinstance(part, ImagePart)]
        form: dict[str, Any] = {"return_tensors": "pt", "add_special_tokens": False}
        if self._reader.processor is not None:
            read = self._reader.processor(text=[prompt], images=images or None, **form)
            seen: Mapping[str, Any] = read.to(self._loaded.device, dtype=self._loaded.model.dtype)
            return seen
        inputs: Mapping[str, Any] = self._reader.tokenizer([prompt], **form).to(self._loaded.device)
        return inputs

    def _room(self, length: int, wanted: int | None) -> int:
        """Tokens that the reply may have."""
        context = self._reader.context_tokens
        if context is None:
            return wanted or LONGEST_REPLY
        if length + (wanted or 1) > context:
            reply = f" and a reply of up to {wanted}" if wanted else ""
            raise ContextOverflowError(
                f"{self._label}: a prompt of {length} tokens{reply} is longer than its context of {context}"
            )
        return wanted or context - length

    def _generation(self, decoding: Decoding, room: int, extra: Mapping[str, Any]) -> Any:
        """The model's own settings, with the request's in their place."""
        from transformers import GenerationConfig  # noqa: PLC0415  heavy, and an extra

        own: dict[str, Any] = self._loaded.model.generation_config.to_dict()
        given: dict[str, Any] = {"max_new_tokens": room, "max_length": None}
        if decoding.temperature is not None:
            given["do_sample"] = decoding.temperature > 0
            given["temperature"] = decoding.temperature or None
        if decoding.top_p is not None:
            given["top_p"] = decoding.top_p
        if given.get("do_sample") is False:
            given |= {"top_p": None, "top_k": None}
        config = GenerationConfig.from_dict(own | given)
        try:
            unknown = config.update(**extra)
        except (ValueError, TypeError) as error:
            raise DeterministicModelError(f"{self._label}: a setting in extra is refused: {short(error)}") from error
        if unknown:
            raise DeterministicModelError(f"{self._label}: extra has no setting {', '.join(map(repr, unknown))}")
        return config

    def _generate(self, inputs: Mapping[str, Any], config: Any, guides: list[Any], seed: int) -> list[int]:
        """The tokens of one reply."""
        import torch  # noqa: PLC0415

        model, device = self._loaded.model, self._loaded.device
        devices = [device] if device.startswith("cuda") else []
        with self._loaded.lock, quiet(import_transformers()), _as_one_line(self._label), torch.random.fork_rng(devices):
            torch.manual_seed(seed)
            with torch.inference_mode():
                written = model.generate(**inputs, generation_config=config, logits_processor=guides)
        tokens: list[int] = written[0, inputs["input_ids"].shape[1] :].tolist()
        return tokens

    def _reply(self, opened: str, written: list[int], length: int) -> ChatReply:
        """The reply in the tokens.

        Args:
            opened: The prompt, where it ends by opening a block of reasoning.
            written: What the model wrote.
            length: Tokens of the prompt.
        """
        ended = bool(written) and written[-1] in self._loaded.end_tokens
        text = self._reader.tokenizer.decode(written, skip_special_tokens=True)
        tag = next((tag for tag in _OPENED if opened.rstrip().endswith(tag)), "")
        reasoning, answer = split_reasoning(tag + text)
        usage = Usage(requests=1, prompt_tokens=length, completion_tokens=len(written))
        return ChatReply(answer, reasoning, "stop" if ended else "length", usage)


def _message(message: Message, *, in_parts: bool) -> dict[str, Any]:
    """A message as chat templates take it; the images themselves go to the processor.

    Templates of models that see expect parts, also where there is only text: some drop a plain text without a word.
    """
    if not in_parts:
        return {"role": message.role, "content": message.text}
    parts = [
        {"type": "text", "text": part.text} if isinstance(part, TextPart) else {"type": "image"}
        for part in message.parts
    ]
    return {"role": message.role, "content": parts}


def _holds_image(message: Message) -> bool:
    return any(isinstance(part, ImagePart) for part in message.parts)


def _opened(part: ImagePart) -> Any:
    from PIL import Image  # noqa: PLC0415

    return Image.open(io.BytesIO(part.data)).convert("RGB")


@contextmanager
def _as_one_line(label: str) -> Iterator[None]:
    """Memory that runs out, and whatever else the library raises, as one line."""
    try:
        yield
    except DeterministicModelError:
        raise
    except Exception as error:
        _free_cache()
        words = "ran out of memory" if out_of_memory(error) else f"failed: {short(error)}"
        raise DeterministicModelError(f"{label} {words}") from error


def _free_cache() -> None:
    import torch  # noqa: PLC0415

    if torch.cuda.is_available():
        torch.cuda.empty_cache()
