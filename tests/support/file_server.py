"""A real HTTP server on this machine that offers one file, and misbehaves when told to."""

import contextlib
import re
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What one request gets. ``cut``: bytes of the body after which the connection is reset."""

    content: bytes = b""
    etag: str | None = None
    modified: str | None = None
    ranges: bool = True
    heeds_if_range: bool = True
    cut: int | None = None
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    says_length: bool = True
    silent_s: float = 0.0


class FileServer:
    """Answers each request with what ``script`` gives for its number."""

    def __init__(self, script: Callable[[int], Answer]) -> None:
        self.script = script
        self.requests: list[dict[str, str]] = []
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/store.zip"

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                with server._lock:
                    number = len(server.requests)
                    server.requests.append({name.lower(): value for name, value in self.headers.items()})
                answer = server.script(number)
                time.sleep(answer.silent_s)
                start = self._start(answer)
                if start is not None and start >= len(answer.content):
                    self._head(416, answer, {"Content-Range": f"bytes */{len(answer.content)}", "Content-Length": "0"})
                    return
                whole = len(answer.content)
                span = {} if start is None else {"Content-Range": f"bytes {start}-{whole - 1}/{whole}"}
                length = (
                    {"Content-Length": str(whole - (start or 0))} if answer.says_length else {"Connection": "close"}
                )
                self._head(answer.status or (200 if start is None else 206), answer, length | span)
                self._send(answer.content[start or 0 :], answer)

            def _start(self, answer: Answer) -> int | None:
                found = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
                condition = self.headers.get("If-Range")
                changed = answer.heeds_if_range and condition not in (None, answer.etag, answer.modified)
                return int(found[1]) if found and answer.ranges and not changed and answer.status is None else None

            def _head(self, status: int, answer: Answer, more: dict[str, str]) -> None:
                self.send_response(status)
                named = {"ETag": answer.etag, "Last-Modified": answer.modified}
                headers = more | {name: value for name, value in named.items() if value} | answer.headers
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def _send(self, body: bytes, answer: Answer) -> None:
                with contextlib.suppress(OSError):
                    self.wfile.write(body[: answer.cut])
                    self.wfile.flush()
                if answer.cut is not None and answer.cut < len(body):
                    time.sleep(0.05)  # what was sent must arrive before the reset does
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    self.close_connection = True
                    self.connection.close()
                self.close_connection |= not answer.says_length

            def log_message(self, *args: Any) -> None:
                pass

        return Handler
