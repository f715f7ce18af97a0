"""What the synchronous and the asynchronous client share: requests, deadlines, retries.

Nothing here does I/O.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypedDict, TypeVar
from urllib.parse import quote, urlsplit

from ._version import __version__
from .errors import (
    ApiError,
    CallTimeoutError,
    OverloadedError,
    PentadError,
    ProtocolError,
    RateLimitedError,
    RulesetUnavailableError,
    UnreachableError,
)

T = TypeVar("T")

DEFAULT_URL: Final = "http://127.0.0.1:8080"
JSON: Final = "application/json"
EVENTS: Final = "text/event-stream"
LINES: Final = "application/x-ndjson"
# Statuses that a proxy gives while the server behind it restarts.
PROXY_STATUSES: Final = (502, 503, 504)
# A connection to a server that runs is made within this time, in seconds.
CONNECT_TIMEOUT: Final = 10.0
BACKOFF_FIRST: Final = 0.1
BACKOFF_MAX: Final = 2.0


class Options(TypedDict, total=False):
    """How a client calls the server."""

    token: str | Callable[[], str | None] | None
    """Bearer token, or a function that returns it: it is called for every request, so that
    tokens that expire can be renewed."""
    language: str | None
    """Language of texts for players, as in `Accept-Language`: `en`, `sv`, `fi`, `de`, `fr`."""
    timeout: float
    """Seconds that a call may take, retries included; 60 by default. Streams and batches have
    no such bound unless their own `timeout` is given."""
    idle_timeout: float
    """Seconds that a stream may be silent, 60 by default. The server sends something at least
    every 15 seconds."""
    retries: int
    """How often a call is repeated that was refused because the server is busy or restarts,
    2 by default."""


@dataclass(frozen=True)
class Settings:
    """The options of a client, with their defaults."""

    url: str
    token: str | Callable[[], str | None] | None = None
    language: str | None = None
    timeout: float = 60.0
    idle_timeout: float = 60.0
    retries: int = 2

    def __post_init__(self) -> None:
        address = urlsplit(self.url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError(f"{self.url!r} is no address of a server; write it as {DEFAULT_URL}")

    def headers(self, call: Call) -> dict[str, str]:
        """The headers of a request; those of the call come last and win."""
        token = self.token() if callable(self.token) else self.token
        headers = {"accept": call.accept, "user-agent": f"pentad-python/{__version__}"}
        if call.accept in (EVENTS, LINES):
            # Compressed streams wait in the buffers of proxies.
            headers["accept-encoding"] = "identity"
        if call.body is not None:
            headers["content-type"] = call.content_type
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        if self.language is not None:
            headers["accept-language"] = self.language
        return headers | {name.lower(): value for name, value in call.headers.items()}


@dataclass(frozen=True)
class Call:
    """A request without the parts that every request has."""

    path: str
    body: bytes | None = None
    """Calls without one are GET."""
    params: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    accept: str = JSON
    content_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def method(self) -> str:
        return "GET" if self.body is None else "POST"


def game_path(game: str, call: str = "") -> str:
    """The path of a game's call."""
    return f"/v1/games/{quote(game, safe='')}" + (f"/{call}" if call else "")


def to_json(question: Mapping[str, Any]) -> dict[str, Any]:
    """Converts a question's fields to JSON's names; None means not given."""
    return {_camel(name): _to_json(value) for name, value in question.items() if value is not None}


def body_of(question: Mapping[str, Any]) -> bytes:
    """The body of a POST."""
    return json.dumps(to_json(question), separators=(",", ":")).encode()


def params_of(question: Mapping[str, Any]) -> dict[str, str | Sequence[str]]:
    """The query of a GET: lists repeat their name."""

    def text(value: Any) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    fields = to_json(question)
    return {name: [text(it) for it in v] if isinstance(v, list) else text(v) for name, v in fields.items()}


def _to_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return to_json(value)
    if isinstance(value, str) or not isinstance(value, Sequence):
        return value
    return [_to_json(item) for item in value]


def _camel(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), name.rstrip("_"))


def parse_json(body: bytes) -> Any:
    """Parses an answer."""
    try:
        return json.loads(body)
    except ValueError as error:
        raise ProtocolError(f"the answer is not JSON: {error}") from error


def decoded(decode: Callable[[Any], T], answer: Any) -> T:
    """Converts an answer to its type."""
    try:
        return decode(answer)
    except (KeyError, TypeError, AttributeError) as error:
        raise ProtocolError(f"the answer has another form than the contract says: {error!r}") from error


class Deadline:
    """The end of a call's time."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds

    def remaining(self) -> float | None:
        """Seconds left, at least a millisecond; None without a bound."""
        return None if self._end is None else max(self._end - time.monotonic(), 0.001)

    def check(self) -> None:
        """Raises if the time is over."""
        if self._end is not None and time.monotonic() >= self._end:
            raise self.error()

    def error(self) -> CallTimeoutError:
        """The error of a call whose time is over."""
        return CallTimeoutError(f"no complete answer within {self._seconds} s")

    def allows(self, seconds: float) -> bool:
        """Whether a wait ends before the deadline."""
        return self._end is None or time.monotonic() + seconds < self._end


def retry_delay(error: PentadError, attempt: int, settings: Settings, deadline: Deadline) -> float | None:
    """Seconds to wait before a call is repeated; None if it is not.

    Calls only read, so a repetition changes nothing. Repeated are those that the server did
    not work on (`overloaded`, `rate_limited`, `ruleset_unavailable`) and those whose
    connection failed; not those that would fail again or have used their time.
    """
    is_refused = isinstance(error, OverloadedError | RateLimitedError | RulesetUnavailableError)
    is_away = isinstance(error, UnreachableError) or (
        isinstance(error, ProtocolError) and error.status in PROXY_STATUSES
    )
    if attempt >= settings.retries or not (is_refused or is_away):
        return None
    backoff = min(BACKOFF_FIRST * 2**attempt, BACKOFF_MAX) * random.uniform(0.5, 1.0)
    asked = error.retry_after if isinstance(error, ApiError) else None
    # Callers that are refused together do not come back together.
    delay = backoff if asked is None else asked + backoff / 4
    return delay if deadline.allows(delay) else None
