"""Failures: one class per reason of the contract, and those of the connection.

    PentadError
    ├── ApiError             the server refused the question: one subclass per reason
    ├── UnreachableError     there was no answer: no connection, or it broke before the answer
    ├── StreamCutError       a stream ended before its last message
    ├── CallTimeoutError     the call's own `timeout` passed; also a TimeoutError
    └── ProtocolError        the answer is not Pentad's: a proxy's page, malformed JSON
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

__all__ = [
    "ApiError",
    "BadArgumentError",
    "BadMoveError",
    "BadPositionError",
    "CallTimeoutError",
    "DeadlineError",
    "GameOverError",
    "IllegalMoveError",
    "InternalError",
    "OverloadedError",
    "PentadError",
    "ProtocolError",
    "RateLimitedError",
    "RulesetFaultError",
    "RulesetUnavailableError",
    "StreamCutError",
    "TooLargeError",
    "UnauthenticatedError",
    "UnknownGameError",
    "UnknownVariantError",
    "UnreachableError",
]


class PentadError(Exception):
    """Base of everything that a call raises."""


class UnreachableError(PentadError):
    """The server did not answer: no connection, or it broke before the answer."""


class StreamCutError(PentadError):
    """A stream ended before its last message. What it yielded until then is valid."""


class CallTimeoutError(PentadError, TimeoutError):
    """The call took longer than its `timeout`, or a stream was silent for `idle_timeout`."""


class ProtocolError(PentadError):
    """The answer is not one of Pentad: a proxy's page, a redirect, malformed JSON."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status, if there was one."""


class ApiError(PentadError):
    """The server refused a question. Subclasses have the reasons of the contract."""

    reason_of_class: ClassVar[str] = ""

    def __init__(self, problem: Mapping[str, Any], retry_after: float | None = None) -> None:
        detail = str(problem.get("detail") or problem.get("title") or "no detail")
        super().__init__(detail)
        self.detail = detail
        """Describes this error."""
        self.reason = str(problem.get("reason", "internal"))
        """From the closed list of the contract."""
        self.type = str(problem.get("type", ""))
        """Path of the server's page about this reason, with causes and remedies."""
        self.status = int(problem.get("status", 0))
        """The HTTP status."""
        self.field: str | None = problem.get("field")
        """The invalid part of the question, as JSON names it: `moves[1]`, `limits.timeMs`."""
        self.column: int | None = problem.get("column")
        """Position of the offending character in that field, from 1."""
        self.index: int | None = problem.get("index")
        """Index of the move in its list, from 0."""
        after_ms = problem.get("retryAfterMs")
        self.retry_after: float | None = retry_after if after_ms is None else after_ms / 1000
        """Seconds to wait before a retry."""
        self.request_id = str(problem.get("requestId", ""))
        """As in the server's log."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuilt, (type(self), self.__dict__))


def _rebuilt(kind: type[ApiError], fields: dict[str, Any]) -> ApiError:
    error = kind({"detail": fields["detail"]})
    error.__dict__.update(fields)
    return error


class UnknownGameError(ApiError):
    """No such game is served."""

    reason_of_class = "unknown_game"


class UnknownVariantError(ApiError):
    """The game has no such variant."""

    reason_of_class = "unknown_variant"


class BadPositionError(ApiError):
    """The position's text is not a position; `column` says where."""

    reason_of_class = "bad_position"


class BadMoveError(ApiError):
    """The text of move `index` breaks the notation; `column` says where."""

    reason_of_class = "bad_move"


class BadArgumentError(ApiError):
    """Another part of the question is invalid; `field` names it."""

    reason_of_class = "bad_argument"


class IllegalMoveError(ApiError):
    """The rules forbid move `index`."""

    reason_of_class = "illegal_move"


class GameOverError(ApiError):
    """The game has ended, so it has no moves."""

    reason_of_class = "game_over"


class TooLargeError(ApiError):
    """A part of the question exceeds a bound of the server."""

    reason_of_class = "too_large"


class OverloadedError(ApiError):
    """Too many questions are waiting; `retry_after` says how long to wait."""

    reason_of_class = "overloaded"


class RateLimitedError(ApiError):
    """The caller's quota of CPU time is used up; `retry_after` says how long to wait."""

    reason_of_class = "rate_limited"


class DeadlineError(ApiError):
    """The deadline passed before there was even one legal move."""

    reason_of_class = "deadline"


class RulesetFaultError(ApiError):
    """The rule set misbehaved while it worked on this question."""

    reason_of_class = "ruleset_fault"


class RulesetUnavailableError(ApiError):
    """The rule set is not called for a while, because it keeps failing."""

    reason_of_class = "ruleset_unavailable"


class UnauthenticatedError(ApiError):
    """The server requires a token, or a different one."""

    reason_of_class = "unauthenticated"


class InternalError(ApiError):
    """A bug in the server; its log has the cause under `request_id`."""

    reason_of_class = "internal"


BY_REASON: dict[str, type[ApiError]] = {kind.reason_of_class: kind for kind in ApiError.__subclasses__()}


def api_error(problem: Mapping[str, Any], retry_after: float | None = None) -> ApiError:
    """Returns the error of a problem document."""
    return BY_REASON.get(str(problem.get("reason")), ApiError)(problem, retry_after)


def error_of_response(status: int, content_type: str, retry_after: str, body: bytes) -> ApiError | ProtocolError:
    """Returns the error of a response that is not a success."""
    if "json" in content_type:
        try:
            problem = json.loads(body)
        except ValueError:
            problem = None
        if isinstance(problem, dict) and "reason" in problem:
            return api_error(problem, float(retry_after) if retry_after.isdigit() else None)
    start = body[:200].decode(errors="replace").strip()
    return ProtocolError(f"HTTP {status} without a problem document: {start!r}", status)
