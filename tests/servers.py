"""Local servers that speak as OpenAI-compatible ones do."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class Recorder:
    """A local server that keeps what it is sent and answers as told."""

    def __init__(
        self, reply: Callable[[dict[str, Any]], tuple[int, bytes]], sent: Callable[[], object] = lambda: None
    ) -> None:
        """Answer as ``reply`` says to each body; ``sent`` is called when that is done."""
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[str] = []
        recorder = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._send(*recorder.get(self.path))

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                recorder.bodies.append(body)
                recorder.headers.append(self.headers.get("Authorization", ""))
                self._send(*reply(body))
                sent()

            def _send(self, status: int, payload: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a killed client hangs up
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def get(self, path: str) -> tuple[int, bytes]:
        """What a GET of a path brings; nothing is there."""
        del path
        return 404, b"{}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def completion(text: str | list[object], finish: str = "stop", **message: object) -> bytes:
    return json.dumps(
        {
            "id": "x", "object": "chat.completion", "created": 0, "model": "m",
            "choices": [{"index": 0, "finish_reason": finish,
                         "message": {"role": "assistant", "content": text} | message}],
            "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
        }
    ).encode()  # fmt: skip
