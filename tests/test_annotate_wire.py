"""What no browser sends: a real server answers odd bytes without breaking, and goes on answering."""

from __future__ import annotations

import contextlib
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

FORM = b"application/x-www-form-urlencoded"
PART = b'--B\r\nContent-Disposition: form-data; name="csrf"%s\r\n\r\n%s\r\n--B--\r\n'


class Server:
    """A served study, reached by sockets."""

    def __init__(self, port: int, path: str) -> None:
        self.port, self.path = port, path.encode()
        page = self.get(self.path)
        cookie, token = re.search(rb"homeground=([^;]+)", page), re.search(rb'csrf" value="(\w+)"', page)
        assert cookie and token
        self.cookie, self.token = b"cookie: homeground=" + cookie[1], token[1]

    def send(self, request: bytes, *, cut: bool = False) -> bytes:
        """The raw answer to raw bytes, as far as one comes; ``cut`` hangs up after the last byte."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as wire:
            with contextlib.suppress(ConnectionError):
                wire.sendall(request)
                if cut:
                    return b""
                return b"".join(iter(lambda: wire.recv(65_536), b""))
            return b""

    def get(self, target: bytes, *headers: bytes, method: bytes = b"GET") -> bytes:
        host = () if any(header.lower().startswith(b"host:") for header in headers) else (b"host: x",)
        lines = (method + b" " + target + b" HTTP/1.1", *host, b"connection: close", *headers)
        return self.send(b"\r\n".join(lines) + b"\r\n\r\n")

    def post(self, body: bytes, kind: bytes = FORM, *headers: bytes) -> bytes:
        lines = (
            b"POST " + self.path + b" HTTP/1.1", b"host: x", b"connection: close", self.cookie,
            b"content-type: " + kind, b"content-length: %d" % len(body), *headers,
        )  # fmt: skip
        return self.send(b"\r\n".join(lines) + b"\r\n\r\n" + body)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose complaints are read at the end: no traceback is among them."""
    folder = tmp_path_factory.mktemp("wire")
    file, complaints = folder / "study.toml", folder / "complaints"
    file.write_text('id = "w"\nkind = "cue-check"\ntitle = "T"\ncontact = "a@b.c"\ncultures = ["PT"]\n')
    words = ["annotate", "serve", "--study", str(file), "--db", str(folder / "s.sqlite"), "--port", "0"]
    with complaints.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "homeground", *words], stdout=subprocess.PIPE, stderr=errors, text=True
        )
        assert process.stdout is not None
        try:
            port = int(process.stdout.readline().rpartition(":")[2])
            link = process.stdout.readline().split()[-1]
            yield Server(port, re.sub(r"^http://[^/]+", "", link))
            assert process.poll() is None
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(20)
            process.stdout.close()
    said = complaints.read_text()
    assert "Traceback" not in said and "a page broke" not in said


def status(answer: bytes) -> int:
    found = re.match(rb"HTTP/1\.[01] (\d{3}) ", answer)
    return int(found[1]) if found else 0


def fine(server: Server, answer: bytes, *expected: int) -> None:
    """It is one of these answers, and the next honest visitor is served."""
    assert status(answer) in expected, answer[:200]
    assert status(server.get(server.path)) == 200


@pytest.mark.parametrize(
    "target",
    [
        b"/i/%00", b"/i/%ff%fe", b"/i/%ed%a0%80", b"/i/..%2f..%2fetc", b"/%2e%2e/%2e%2e/", b"//x/", b"/i/x/",
        b"/picture/%00", b"/my/%F0%9F%99%82/withdraw", b"/admin/%0d%0aset-cookie:a=b", b"/i/\xff", b"/\xc3\xa9",
        b"*", b"i/x", b"http://[/", b"http://x:99999/i/x", b"/i/" + b"x" * 5_000, b"/" + b"a/" * 2_000,
    ],
)  # fmt: skip
def test_odd_paths(server: Server, target: bytes) -> None:
    fine(server, server.get(target), 400, 404, 405, 414)


@pytest.mark.parametrize(
    "query",
    [
        b"lang=%00", b"lang=%ff", b"lang=" + b"x" * 3_000, b"PROLIFIC_PID=%ff%00%22%3E", b"&&&==;;%", b"\xff",
        b"late&late=1&late=%zz", b"PROLIFIC_PID=%ED%A0%80",
    ],
)  # fmt: skip
def test_odd_queries(server: Server, query: bytes) -> None:
    fine(server, server.get(server.path + b"?" + query), 200, 400)


@pytest.mark.parametrize(
    "header",
    [
        b'cookie: homeground="\\001\\012' + b"a" * 300 + b'"', b"cookie: homeground=" + b"a" * 30_000,
        b"cookie: homeground=\xff\xfe; language=\xff", b"cookie: ;=;==;;\x80", b"cookie: language=../../x",
        b"accept-language: \xff," + b"a-b;q=x," * 500, b"x: " + b"y" * 20_000, b"host: [", b"host: a b/c?d#e",
        b"host: \xff", b"host: x:y", b"host: ", b"x-forwarded-proto: javascript", b"x-forwarded-proto: \xff",
        b"x-forwarded-for: \xff, [::1", b"x-forwarded-for: " + b"1.1.1.1," * 1_000, b"sec-fetch-site: \xff",
        b"content-length: 0", b"range: bytes=0-99999999999999999999", b"if-none-match: \xff",
    ],
)  # fmt: skip
def test_odd_headers(server: Server, header: bytes) -> None:
    fine(server, server.get(server.path, header), 200)


def test_headers_without_end(server: Server) -> None:
    fine(server, server.get(server.path, *[b"x: y"] * 40_000), 0, 400, 431)
    fine(server, server.get(server.path, b"x" * 70_000), 0, 400, 431)


@pytest.mark.parametrize(
    "method", [b"HEAD", b"PUT", b"OPTIONS", b"DELETE", b"PATCH", b"TRACE", b"BREW", b"x" * 99]
)
def test_odd_methods(server: Server, method: bytes) -> None:
    for target in (server.path, b"/", b"/item", b"/admin/status", b"/style.css"):
        answer = server.get(target, method=method)
        fine(server, answer, 405)
        assert b"x-frame-options: DENY" in answer


@pytest.mark.parametrize(
    "charset",
    [
        b"unicode_escape", b"raw_unicode_escape", b"utf-7", b"undefined", b"idna", b"punycode", b"hex", b"zlib",
        b"utf-16", b"x" * 9_000, b"\xff", b"utf-8",
    ],
)  # fmt: skip
def test_nobody_else_chooses_the_decoder(server: Server, charset: bytes) -> None:
    """Multipart forms are decoded as their sender says, also into what no database takes."""
    for text in (b"\\ud800", b"+2AA-", b"\xff\xfe", b"xn--\xff."):
        body, kind = PART % (b"", text), b"multipart/form-data; boundary=B; charset=" + charset
        fine(server, server.post(body, kind), 415)
        fine(server, server.post(b"csrf=" + text, FORM + b"; charset=" + charset), 403)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (b"multipart/form-data", b"x"), (b"multipart/form-data; boundary=", b"--\r\n"),
        (b"multipart/form-data; boundary=B", b"--B\r\nContent-Disposition: form-data; name="),
        (b"multipart/form-data; boundary=B", PART % (b'; filename="a.exe"', b"MZ\0" * 99)),
        (b"multipart/form-data; boundary=B; boundary*=utf-8''%ff", b"--B"), (b"multipart/mixed; boundary=B", b"--B--"),
        (b"application/json", b"{"), (b"text/plain", b"csrf=x"), (b"\xff/\xfe", b""), (b";", b"x"), (b"", b"x"),
    ],
)  # fmt: skip
def test_bodies_that_are_no_form(server: Server, kind: bytes, body: bytes) -> None:
    fine(server, server.post(body, kind), 415)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", 403), (b"&=&;=%&%zz=%u1234&" * 99, 403), (b"\xff\xfe=\xff&csrf=\xff", 403), (b"csrf", 403),
        (b"a=b&" * 5_000, 400), (b"csrf=T&x=%00", 400), (b"csrf=%00T", 400), (b"csrf=T&csrf=wrong", 403),
        (b"csrf=" + b"x" * 270_000, 413), (b"csrf=" + b"%F0%9F%99%82" * 4_000, 403), (b"csrf[]=T&csrf.a=T", 403),
    ],
)  # fmt: skip
def test_odd_forms(server: Server, body: bytes, expected: int) -> None:
    fine(server, server.post(body.replace(b"T", server.token)), expected)


def test_bodies_that_break_off(server: Server) -> None:
    start = b"POST " + server.path + b" HTTP/1.1\r\nhost: x\r\n" + server.cookie + b"\r\n"
    for rest in (
        b"content-length: 100\r\n\r\ncsrf=", b"transfer-encoding: chunked\r\n\r\n5\r\nab", b"content-le",
        b"transfer-encoding: chunked\r\n\r\n5\r\nabcde\r\n", b"expect: 100-continue\r\ncontent-length: 9\r\n\r\n",
    ):  # fmt: skip
        for _ in range(5):
            server.send(start + rest, cut=True)
        assert status(server.get(server.path)) == 200
    for rest in (
        b"transfer-encoding: chunked\r\n\r\nzz\r\nab\r\n", b"content-length: 9" + b"9" * 30 + b"\r\n\r\n",
        b"content-length: -1\r\n\r\n", b"content-length: 1\r\ncontent-length: 2\r\n\r\nab",
        b"transfer-encoding: chunked\r\n\r\n-1\r\n",
    ):  # fmt: skip
        fine(server, server.send(start + b"connection: close\r\n" + rest), 400)


def test_what_is_no_http(server: Server) -> None:
    hello = b"\x16\x03\x01\x02\x00\x01\x00"
    for noise in (hello, b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\xff" * 999):
        server.send(noise, cut=True)
    upgrade = (b"connection: upgrade", b"upgrade: websocket", b"sec-websocket-key: eA==")
    fine(server, server.get(b"/item", *upgrade, b"sec-websocket-version: 13"), 401)
