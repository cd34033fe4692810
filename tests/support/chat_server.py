"""A real HTTP server on this machine that speaks the chat protocol, and misbehaves when told to."""

import contextlib
import json
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def completion(text: Any, finish: str = "stop", **message: Any) -> dict[str, Any]:
    return {
        "id": "c1", "object": "chat.completion", "created": 0, "model": "tiny",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text} | message}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14},
    }  # fmt: skip


class _Http(ThreadingHTTPServer):
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who leaves in the middle is no news to a server."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class ChatServer:
    """Answers each request with what ``script`` gives for its number and body.

    An answer is a text, a body (dict or bytes), ``(status, body, headers)``, a number of seconds to hang, one of
    "reset" and "half", which break the connection off before and within the reply, or a function of the handler that
    answers by itself.
    """

    def __init__(self) -> None:
        self.script: Callable[[int, dict[str, Any]], Any] = lambda number, body: "hello"
        self.models: list[str] | None = ["tiny"]
        self.described: dict[str, Any] = {}
        self.listed = 0
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.taken = self.listed = self.underway = self.most_underway = 0
        self.lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def keep(self, body: dict[str, Any], headers: dict[str, str]) -> None:
        self.bodies.append(body)
        self.headers.append(headers)

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                server.listed += 1
                if server.models is None:
                    self.send(404, b'{"error": {"message": "no such page"}}', {})
                    return
                listed = {
                    "object": "list",
                    "data": [{"id": name, "object": "model"} | server.described for name in server.models],
                }
                self.send(200, json.dumps(listed).encode(), {})

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with server.lock:
                    number = server.taken
                    server.taken += 1
                    server.keep(body, {name.lower(): value for name, value in self.headers.items()})
                    server.underway += 1
                    server.most_underway = max(server.most_underway, server.underway)
                try:
                    self._answer(server.script(number, body))
                finally:
                    with server.lock:
                        server.underway -= 1

            def _answer(self, answer: Any) -> None:
                status, headers = 200, {}
                if callable(answer):
                    answer(self)
                    return
                if isinstance(answer, tuple):
                    status, answer, headers = answer
                if isinstance(answer, float):
                    time.sleep(answer)
                    answer = "late"
                if answer == "reset":
                    self.reset()
                    return
                content = json.dumps(completion("hello")).encode() if answer == "half" else self._bytes(answer)
                self.send(status, content, headers, cut=answer == "half")

            def reset(self) -> None:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()
                self.close_connection = True

            def _bytes(self, answer: Any) -> bytes:
                if isinstance(answer, bytes):
                    return answer
                return json.dumps(completion(answer) if isinstance(answer, str) else answer).encode()

            def send(self, status: int, content: bytes, headers: dict[str, str], cut: bool = False) -> None:
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                with contextlib.suppress(OSError):
                    self.wfile.write(content[: len(content) // 2] if cut else content)
                if cut:
                    self.close_connection = True

            def log_message(self, *args: Any) -> None:
                pass

        return Handler
