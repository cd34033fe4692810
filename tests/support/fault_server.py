"""A chat server that misbehaves on a seed, and else answers by the request's own schema.

What becomes of a request follows from the seed and its body alone: a fault that passes after one or two attempts, one
that stays, or none. Which model is asked tells the role: "assistant", "user" and "moderator".
"""

import gzip
import hashlib
import json
import multiprocessing
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import formatdate
from typing import Any

from chat_server import ChatServer, completion
from schema_reply import reply_to

STAYS = 1000
OVERFLOW_WORDS = (
    "This model's maximum context length is 4096 tokens. However, you requested 4700 tokens (4500 in the messages, 200 "
    "in the completion). Please reduce the length of the messages or completion."
)


@dataclass(frozen=True)
class Event:
    """One attempt that reached the server.

    Attributes:
        request: Hash of its body; the same for every attempt at one request.
        role: Whose model was asked.
        fault: Name of what was done, or None.
        kind: What that means for who asked: a kind of failure, or "odd" for what must not disturb.
        again: Whether it asked again for a reply that could not be used.
    """

    request: str
    role: str
    fault: str | None
    kind: str | None
    again: bool = False


@dataclass
class Asked:
    """An attempt while it is answered: the connection's handler, the reply due, its chance, and a mark for messages."""

    http: Any
    text: str
    chance: random.Random
    mark: str
    slow_s: float

    @property
    def key(self) -> str:
        """What was sent as a key; servers have been seen to repeat it."""
        return str(self.http.headers["Authorization"])

    def body(self, content: Any, status: int = 200, **headers: str) -> None:
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.http.send(status, raw, {name.replace("_", "-"): value for name, value in headers.items()})

    def refuse(self, status: int, words: str, **headers: str) -> None:
        self.body({"error": {"message": f"{words} [{self.mark}]", "type": "x", "code": status}}, status, **headers)

    def reply(self, text: str | None, finish: str = "stop", **message: Any) -> None:
        self.body(completion(text, finish, **message))


def _hang(asked: Asked) -> None:
    time.sleep(asked.slow_s)


def _drip(asked: Asked) -> None:
    """A byte now and then, the first ones within the header."""
    content = b"HTTP/1.1 200 OK\r\nX-Padding: " + b"x" * asked.chance.choice((5, 5000)) + b"\r\n\r\n" + b" " * 5000
    until = time.monotonic() + asked.slow_s
    try:
        for byte in content:
            asked.http.wfile.write(bytes([byte]))
            time.sleep(0.05)
            if time.monotonic() > until:
                break
    except OSError:
        pass
    asked.http.close_connection = True


def _old_http(asked: Asked) -> None:
    content = json.dumps(completion(asked.text)).encode()
    asked.http.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + content)
    asked.http.close_connection = True


def _chunked(asked: Asked) -> None:
    content = json.dumps(completion(asked.text)).encode()
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    asked.http.wfile.write(head + b"%x\r\n" % len(content) + content + b"\r\n0\r\n\r\n")


def _redirected(asked: Asked) -> None:
    asked.body({}, asked.chance.choice((301, 302, 307, 308)), Location=f"{asked.http.server.elsewhere}/v1/x")


def _date(seconds: float) -> str:
    return formatdate(time.time() + seconds, usegmt=True)


HALF = '{"id": "c1", "choices": [{"message": {"content": "'
FAULTS: dict[str, tuple[str, Callable[[Asked], None]]] = {
    "500": ("transient", lambda asked: asked.refuse(500, f"internal error for {asked.key}")),
    "502 page": ("transient", lambda asked: asked.body(b"<html>bad gateway</html>", 502, Content_Type="text/html")),
    "503": ("transient", lambda asked: asked.refuse(503, "overloaded", Retry_After="0.01")),
    "429 seconds": ("transient", lambda asked: asked.refuse(429, "slow down", Retry_After="0.02")),
    "429 date": ("transient", lambda asked: asked.refuse(429, "slow down", Retry_After=_date(0.0))),
    "429 bare": ("transient", lambda asked: asked.refuse(429, "slow down")),
    "hang": ("transient", _hang),
    "drip": ("transient", _drip),
    "reset": ("transient", lambda asked: asked.http.reset()),
    "cut off": ("transient", lambda asked: asked.http.send(200, b"{" * 900, {}, cut=True)),
    "half body": ("transient", lambda asked: asked.body(HALF.encode())),
    "no UTF-8": ("transient", lambda asked: asked.body(HALF.encode() + b'\xff\xfe"}}]}')),
    "a page": ("transient", lambda asked: asked.body(b"<html>Welcome</html>", Content_Type="text/html")),
    "no choices": ("transient", lambda asked: asked.body(completion("") | {"choices": None})),
    "error with 200": ("transient", lambda asked: asked.body({"error": {"message": asked.mark, "code": 503}})),
    "no gzip": ("transient", lambda asked: asked.body(b"\x1f\x8bgarbage", Content_Encoding="gzip")),
    "huge error": ("transient", lambda asked: asked.body(b"x" * 3_000_000, 500)),
    "10 MB": ("parse", lambda asked: asked.reply("x" * 10_000_000)),
    "other schema": ("parse", lambda asked: asked.reply('{"answer": 42}')),
    "no JSON": ("parse", lambda asked: asked.reply("As I said, it depends.")),
    "cut text": ("parse", lambda asked: asked.reply(asked.text[: len(asked.text) // 2], "length")),
    "empty": ("parse", lambda asked: asked.reply("")),
    "null": ("parse", lambda asked: asked.reply(None)),
    "refused": ("parse", lambda asked: asked.reply(None, refusal="I cannot help with that.")),
    "filtered": ("parse", lambda asked: asked.reply("", "content_filter")),
    "only thoughts": ("parse", lambda asked: asked.reply(None, "length", reasoning_content="Let me think. " * 50)),
    "endless thoughts": ("parse", lambda asked: asked.reply("<think>Hm. " * 50, "length")),
    "half characters": ("parse", lambda asked: asked.body(json.dumps(completion("\ud83d \udc00")).encode())),
    "overflow": ("overflow", lambda asked: asked.refuse(400, OVERFLOW_WORDS)),
    "401": ("deterministic", lambda asked: asked.refuse(401, f"Incorrect API key: {asked.key}")),
    "404": ("deterministic", lambda asked: asked.refuse(404, "The model does not exist.")),
    "400": ("deterministic", lambda asked: asked.refuse(400, "bad field")),
    "redirected": ("deterministic", _redirected),
    "plain text": ("odd", lambda asked: asked.body(completion(asked.text), Content_Type="text/plain")),
    "HTTP/1.0": ("odd", _old_http),
    "chunked": ("odd", _chunked),
    "gzip": ("odd", lambda asked: asked.body(
        gzip.compress(json.dumps(completion(asked.text)).encode()), Content_Encoding="gzip")),
    "a fence": ("odd", lambda asked: asked.reply(f"```json\n{asked.text}\n```")),
    "thoughts": ("odd", lambda asked: asked.reply(f"<think>{asked.key}?</think>\n{asked.text}")),
    "closing": ("odd", lambda asked: asked.body(completion(asked.text), Connection="close")),
}  # fmt: skip
SLOW = frozenset({"hang", "drip", "10 MB"})


class FaultServer(ChatServer):
    """The server.

    Args:
        seed: What becomes of requests follows from it.
        rate: Share of requests that something is done to.
        slow_s: How long it hangs; longer than the asking side waits.
        only: Which faults it knows; by default all.
    """

    def __init__(self, seed: int, rate: float, slow_s: float, only: Sequence[str] = tuple(FAULTS)) -> None:
        super().__init__()
        self.models = ["assistant", "user", "moderator", "judge"]
        self.seed, self.rate, self.slow_s, self.only = seed, rate, slow_s, only
        self.events: list[Event] = []
        self.keys: set[str] = set()
        self._attempts: dict[str, int] = {}
        self._elsewhere = ChatServer()
        self._http.elsewhere = self._elsewhere.url.removesuffix("/v1")  # type: ignore[attr-defined]
        self.script = lambda number, body: lambda http: self._answer(http, body)

    @property
    def redirects_followed(self) -> int:
        """Requests that arrived where a redirect pointed."""
        return self._elsewhere.taken

    def keep(self, body: dict[str, Any], headers: dict[str, str]) -> None:
        self.keys.add(headers.get("authorization", ""))

    def stop(self) -> None:
        self._elsewhere.stop()
        super().stop()

    def _answer(self, http: Any, body: dict[str, Any]) -> None:
        request = hashlib.sha256(json.dumps([self.seed, body], sort_keys=True).encode()).hexdigest()
        chance = random.Random(request)
        name, lasts = self._fate(chance)
        with self.lock:
            attempt = self._attempts[request] = self._attempts.get(request, 0) + 1
            fault = name if name and attempt <= lasts else None
            kind = FAULTS[fault][0] if fault else None
            again = "Your reply could not be used" in json.dumps(body["messages"][-1])
            self.events.append(Event(request, body["model"], fault, kind, again))
        asked = Asked(http, reply_to(_schema(body), chance), chance, f"{body['model']} {request[:12]}", self.slow_s)
        if fault is None:
            asked.reply(asked.text)
        else:
            FAULTS[fault][1](asked)

    def _fate(self, chance: random.Random) -> tuple[str | None, int]:
        """What is done to a request, and for how many attempts."""
        if chance.random() >= self.rate:
            return None, 0
        name = chance.choice(self.only)
        if name in SLOW and chance.random() < 0.7:
            name = self.only[0]
        return name, chance.choice((1, 1, 2, STAYS))


def _schema(body: dict[str, Any]) -> dict[str, Any]:
    return body["response_format"]["json_schema"]["schema"]


def _serve(port: Any, *arguments: Any) -> None:
    server = FaultServer(*arguments)
    port.send(server.url)
    while (wish := port.recv()) is not None:
        if wish == "behave":
            server.rate = 0.0
        port.send((server.events, server.redirects_followed, server.keys))


@contextmanager
def served(
    seed: int, rate: float, slow_s: float, only: Sequence[str] = tuple(FAULTS)
) -> Iterator[tuple[str, Callable[[str], Any]]]:
    """The address of a server in a process of its own, and what asks it for its events ("tell" or "behave")."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_serve, args=(theirs, seed, rate, slow_s, only), daemon=True)
    process.start()

    def ask(wish: str) -> Any:
        ours.send(wish)
        return ours.recv()

    try:
        yield ours.recv(), ask
    finally:
        process.kill()
