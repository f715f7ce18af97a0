"""A server for all tests, and peers that misbehave.

`PENTAD` names the server's program (default: `pentad` on the PATH).
"""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from pentad import LocalServer, Pentad

# Longer than anything here takes on any machine; no test asserts that something is fast.
PATIENCE = 120.0
# Searches that stop late on a busy machine are not tested here.
ARGUMENTS = ("--hang-grace-ms=60000",)

T = TypeVar("T")


@pytest.fixture(scope="session")
def server() -> Iterator[LocalServer]:
    running = LocalServer(None, ARGUMENTS)
    yield running
    running.stop()


@pytest.fixture
def pentad(server: LocalServer) -> Iterator[Pentad]:
    with Pentad(server.url, timeout=PATIENCE) as client:
        yield client


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., LocalServer]]:
    """Starts servers with settings of their own."""
    running: list[LocalServer] = []

    def start_one(*arguments: str) -> LocalServer:
        running.append(LocalServer(None, (*ARGUMENTS, *arguments)))
        return running[-1]

    yield start_one
    for one in running:
        one.stop()


def eventually(what: str, probe: Callable[[], T | None]) -> T:
    """Waits until the probe returns something."""
    give_up_at = time.monotonic() + PATIENCE
    while (found := probe()) is None:
        assert time.monotonic() < give_up_at, f"not within {PATIENCE} s: {what}"
        time.sleep(0.02)
    return found


def n_searches(server: LocalServer) -> int:
    """Number of searches that run."""
    text = urllib.request.urlopen(f"{server.admin_url}/metrics", timeout=PATIENCE).read().decode()
    values = re.findall(r'^pentad_workers_busy\{pool="(?:short|long|bulk)"\} (\d+)', text, re.MULTILINE)
    assert values, "pentad_workers_busy is missing"
    return sum(map(int, values))


def wait_until_idle(server: LocalServer) -> None:
    eventually("no search runs", lambda: True if n_searches(server) == 0 else None)


def wait_until_busy(server: LocalServer) -> None:
    eventually("a search runs", lambda: True if n_searches(server) > 0 else None)


class Peer:
    """Something at an address that answers each connection with the next of these texts, and
    then closes it. It keeps what it was sent."""

    def __init__(self, *answers: str, waits: bool = False) -> None:
        self.requests: list[str] = []
        self.arrivals: list[float] = []
        self._answers = list(answers)
        self._waits = waits
        self._done = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        for answer in self._answers:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                # `__exit__` closed the listener: the test needed fewer answers.
                return
            with connection:
                self.arrivals.append(time.monotonic())
                self.requests.append(self._request(connection))
                head, _, body = answer.partition("\n\n")
                if head.startswith("HTTP"):
                    connection.sendall(head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body.encode())
                if self._waits:
                    self._done.wait()
        self._listener.close()

    @staticmethod
    def _request(connection: socket.socket) -> str:
        data = b""
        while b"\r\n\r\n" not in data:
            data += connection.recv(65536)
        length = re.search(rb"(?i)content-length: (\d+)", data)
        end = data.index(b"\r\n\r\n") + 4 + (int(length[1]) if length else 0)
        while len(data) < end:
            data += connection.recv(65536)
        return data.decode()

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        # Ends an `accept` that waits in the other thread, which `close` alone does not.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE)
        self._listener.close()


def response(status: str, body: str, *headers: str, kind: str = "application/json") -> str:
    lines = [f"HTTP/1.1 {status}", f"content-type: {kind}", f"content-length: {len(body.encode())}", *headers]
    return "\n".join([*lines, "connection: close", "", body])


def problem(status: int, reason: str, fields: str = "") -> str:
    body = f'{{"type": "urn:pentad:{reason}", "title": "T", "status": {status}, "detail": "D", "reason": "{reason}",'
    return response(f"{status} X", f'{body} "requestId": "r"{fields}}}', kind="application/problem+json")
