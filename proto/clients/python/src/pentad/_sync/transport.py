"""Sends calls and repeats those that may be repeated.

Written by generate_sync.py from _async/transport.py; do not edit.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator
from typing import Any

import httpx

from .._frames import EventReader, LineReader
from .._wire import CONNECT_TIMEOUT, Call, Deadline, Settings, parse_json, retry_delay
from ..errors import (
    CallTimeoutError,
    PentadError,
    ProtocolError,
    StreamCutError,
    UnreachableError,
    api_error,
    error_of_response,
)
from .waiting import sleep

# The id and the name of the last event of a stream (services/server/rest/stream.rs).
END_ID = "end"
ERROR = "error"


class Transport:
    """A pool of connections to one server."""

    def __init__(self, settings: Settings, http: httpx.Client | None) -> None:
        self.settings = settings
        self._is_own = http is None
        # The interface has no redirects; following one could carry the token elsewhere.
        self._http = http or httpx.Client(follow_redirects=False)

    def close(self) -> None:
        """Closes the connections, unless the pool is the caller's."""
        if self._is_own:
            self._http.close()

    def read(self, call: Call, timeout: float | None) -> bytes:
        """Returns the body of the answer."""
        deadline = Deadline(self.settings.timeout if timeout is None else timeout)
        attempt = 0
        while True:
            try:
                response = self._send(call, deadline, deadline.remaining())
                with contextlib.closing(pieces(response, deadline)) as body:
                    return b"".join([piece for piece in body])
            except PentadError as error:
                self._pause(error, attempt, deadline)
            attempt += 1

    def json(self, call: Call, timeout: float | None) -> Any:
        """Returns the answer."""
        return parse_json(self.read(call, timeout))

    def open(self, call: Call, deadline: Deadline) -> httpx.Response:
        """Returns a response whose body is a stream that has begun."""
        attempt = 0
        while True:
            try:
                return self._send(call, deadline, self.settings.idle_timeout)
            except PentadError as error:
                self._pause(error, attempt, deadline)
            attempt += 1

    def events(self, call: Call, timeout: float | None) -> Generator[Any, None, None]:
        """Yields the data of the events of a stream, the last one included."""
        deadline = Deadline(timeout)
        response = self.open(call, deadline)
        reader = EventReader()
        try:
            with contextlib.closing(pieces(response, deadline)) as body:
                for piece in body:
                    for event in reader.feed(piece):
                        data = parse_json(event.data.encode())
                        if event.name == ERROR:
                            raise api_error(data)
                        yield data
                        if event.id == END_ID:
                            return
        except UnreachableError as error:
            raise StreamCutError(f"the stream ended early: {error}") from error
        raise StreamCutError("the stream ended before its last message")

    def lines(self, response: httpx.Response, deadline: Deadline) -> Generator[Any, None, None]:
        """Yields the lines of an open stream until it ends, by itself or broken."""
        reader = LineReader()
        with contextlib.closing(pieces(response, deadline)) as body:
            for piece in body:
                for line in reader.feed(piece):
                    if line:
                        yield parse_json(line.encode())

    def _send(self, call: Call, deadline: Deadline, read_timeout: float | None) -> httpx.Response:
        """Sends a call once; the response is a success, and its body is not read."""
        left = deadline.remaining()
        timeout = httpx.Timeout(left, connect=min(CONNECT_TIMEOUT, left or CONNECT_TIMEOUT), read=read_timeout)
        request = self._http.build_request(
            call.method,
            self.settings.url.rstrip("/") + call.path,
            params=dict(call.params),
            content=call.body,
            headers=self.settings.headers(call),
            timeout=timeout,
        )
        with connection_errors(deadline):
            response = self._http.send(request, stream=True, follow_redirects=False)
        if response.status_code == httpx.codes.OK:
            return response
        with contextlib.closing(pieces(response, deadline)) as body:
            text = b"".join([piece for piece in body])
        kind, after = (response.headers.get(name, "") for name in ("content-type", "retry-after"))
        raise error_of_response(response.status_code, kind, after, text)

    def _pause(self, error: PentadError, attempt: int, deadline: Deadline) -> None:
        """Waits before the next attempt, or raises the error if there is none."""
        delay = retry_delay(error, attempt, self.settings, deadline)
        if delay is None:
            raise error
        sleep(delay)


def pieces(response: httpx.Response, deadline: Deadline) -> Generator[bytes, None, None]:
    """Yields the body as it arrives. Leaving it closes the connection, which cancels the
    search."""
    try:
        with connection_errors(deadline):
            for piece in response.iter_bytes():
                yield piece
                deadline.check()
    finally:
        response.close()


@contextlib.contextmanager
def connection_errors(deadline: Deadline) -> Iterator[None]:
    """Converts the errors of the connection."""
    try:
        yield
    except httpx.ConnectTimeout as error:
        raise UnreachableError(f"no connection: {error or 'timed out'}") from error
    except httpx.TimeoutException as error:
        deadline.check()
        raise CallTimeoutError("the server was silent for too long") from error
    except httpx.TransportError as error:
        raise UnreachableError(f"{type(error).__name__}: {error}") from error
    except httpx.DecodingError as error:
        raise ProtocolError(f"the answer cannot be decompressed: {error}") from error
