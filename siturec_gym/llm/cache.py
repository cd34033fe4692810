"""Replies kept on disk, so that a repeated run asks no model twice."""

import hashlib
import json
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from siturec_gym.core.errors import RunError
from siturec_gym.llm.messages import ChatReply, ChatRequest, Message, TextPart, Usage
from siturec_gym.llm.protocol import ChatClient

_DRAWN = ("token_ids", "logprobs", "prompt_token_ids")


class CachedClient:
    """Answers from ``folder`` what was asked before by the same role, else asks ``client`` and keeps the reply.

    A reply is found again by role, model (with its ``fingerprint``, if the client has one), prompt (images by content),
    schema, decoding settings, seed and trial.
    Failures are not kept. Several threads and processes may share a folder: of those that ask the same at once, all
    get the reply that was kept first.

    Raises:
        RunError: The folder cannot be written.
    """

    def __init__(self, client: ChatClient, folder: Path, role: str) -> None:
        self._client = client
        self._folder = folder
        self._role = role
        fingerprint = getattr(client, "fingerprint", "")
        self._known_as = f"{client.model} {fingerprint}" if fingerprint else client.model
        _make(folder)

    @property
    def model(self) -> str:
        """The model behind the cache."""
        return self._client.model

    def complete(self, request: ChatRequest) -> ChatReply:
        """The kept reply, or a new one.

        Raises:
            RunError: A new reply cannot be kept.
            ModelError: The client failed.
        """
        key = cache_key(self._role, self._known_as, request)
        path = self._folder / key[:2] / f"{key}.json"
        kept = _read(path)
        if kept is not None:
            return kept
        reply = self._client.complete(request)
        _write(path, {"role": self._role, "model": self.model, "reply": asdict(reply)})
        first = _read(path)
        return reply if first is None else replace(first, usage=reply.usage)


class KeptContext:
    """How long a served model's context is, asked for once and kept beside the replies.

    Args:
        folder: The cache folder.
        model: Name of the model.
        url: Address without anything secret.

    Raises:
        RunError: The folder cannot be written.
    """

    def __init__(self, folder: Path, model: str, url: str) -> None:
        _make(folder)
        self._told = {"model": model, "url": url.rstrip("/")}
        name = hashlib.sha256(json.dumps(self._told, sort_keys=True).encode()).hexdigest()
        self._path = folder / "contexts" / f"{name}.json"

    def get(self, ask: Callable[[], int | None]) -> int | None:
        """The kept length, or what ``ask`` tells; None where the endpoint tells none.

        Raises:
            RunError: It cannot be kept.
        """
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))["context_tokens"]
            if kept is None or type(kept) is int:
                return kept
        except (OSError, ValueError, KeyError, TypeError):
            pass
        told = ask()
        _write(self._path, self._told | {"context_tokens": told})
        return told


def _make(folder: Path) -> None:
    """Make the cache folder, unless it is there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise RunError(f"cache folder '{folder}' cannot be used: it is no folder") from error
    except OSError as error:
        raise RunError(f"cache folder '{folder}' cannot be used: {error.strerror}") from error
    if not os.access(folder, os.W_OK):
        raise RunError(f"cache folder '{folder}' cannot be written")


def cache_key(role: str, model: str, request: ChatRequest) -> str:
    """What a reply is found by: a sha256 in hexadecimal digits."""
    content = {
        "role": role,
        "model": model,
        "messages": [_message(message) for message in request.messages],
        "decoding": asdict(request.decoding),
        "schema": request.schema,
        "seed": request.seed,
        "trial": request.trial,
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _message(message: Message) -> dict[str, Any]:
    parts = [
        part.text if isinstance(part, TextPart) else {part.media_type: hashlib.sha256(part.data).hexdigest()}
        for part in message.parts
    ]
    return {"role": message.role, "parts": parts}


def _read(path: Path) -> ChatReply | None:
    """The reply in a file; None where there is none or it was damaged."""
    try:
        reply = json.loads(path.read_text(encoding="utf-8"))["reply"]
        text, reasoning, finish = words = [reply[name] for name in ("text", "reasoning", "finish_reason")]
        model = reply.get("model", "")
        drawn: dict[str, Any] = {name: None if (kept := reply.get(name)) is None else tuple(kept) for name in _DRAWN}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if not all(type(word) is str for word in (*words, model)):
        return None
    return ChatReply(text, reasoning, finish, Usage(cache_hits=1), model=model, **drawn)


def _write(path: Path, content: dict[str, Any]) -> None:
    """Keep the content, unless another has kept a reply under that name meanwhile."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(json.dumps(content), encoding="utf-8")
        _name(draft, path)
    except OSError as error:
        raise RunError(f"a reply cannot be kept in '{path.parent}': {error.strerror}") from error
    finally:
        with suppress(OSError):
            draft.unlink()


def _name(draft: Path, path: Path) -> None:
    """Give a draft its name, in one step."""
    try:
        os.link(draft, path)
    except FileExistsError:
        if _read(path) is None:
            os.replace(draft, path)
    except OSError:  # a file system without links
        os.replace(draft, path)
