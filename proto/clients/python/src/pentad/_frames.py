"""Readers of streams: server-sent events and lines of JSON, from pieces of any size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .errors import ProtocolError

# Maximum bytes of one line. The largest, an analysis with many hints, has some 100 kB.
LINE_LEN_MAX: Final = 64 << 20


class LineReader:
    """Cuts pieces of text into lines, without their ends."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._len = 0

    def feed(self, piece: bytes) -> list[str]:
        """Returns the lines that this piece completes."""
        *complete, rest = piece.split(b"\n")
        lines = []
        for part in complete:
            self._parts.append(part)
            lines.append(b"".join(self._parts).removesuffix(b"\r").decode(errors="replace"))
            self._parts, self._len = [], 0
        if rest:
            self._parts.append(rest)
            self._len += len(rest)
        if self._len > LINE_LEN_MAX:
            raise ProtocolError(f"a line of the stream is longer than {LINE_LEN_MAX} bytes")
        return lines


@dataclass(frozen=True)
class Event:
    """A server-sent event."""

    name: str
    id: str
    data: str


class EventReader:
    """Parses server-sent events; comments only keep the connection alive."""

    def __init__(self) -> None:
        self._lines = LineReader()
        self._fields: dict[str, str] = {}

    def feed(self, piece: bytes) -> list[Event]:
        """Returns the events that this piece completes."""
        events = []
        for line in self._lines.feed(piece):
            if line:
                self._field(line)
            elif fields := self._fields:
                self._fields = {}
                if "data" in fields:
                    events.append(Event(fields.get("event", "message"), fields.get("id", ""), fields["data"]))
        return events

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        if not name:
            return
        value = value.removeprefix(" ")
        has_data = name == "data" and "data" in self._fields
        self._fields[name] = f"{self._fields['data']}\n{value}" if has_data else value
