"""Streams: iterators of messages whose closing cancels the work of the server.

Written by generate_sync.py from _async/streams.py; do not edit.
"""

from __future__ import annotations

from collections.abc import Generator
from types import TracebackType
from typing import Generic, Self, TypeVar

from ..errors import StreamCutError
from ..results import PuzzleSet, ReviewedGame
from ..types import AnalysisUpdate, PuzzleMessage, ReviewMessage

M = TypeVar("M")


class Stream(Generic[M]):
    """Messages as they arrive. The question is sent when the first one is requested.

    Closing the stream (`close`, the end of an `with` block) closes the connection,
    and that stops the search. A stream that is dropped is closed when it is collected.
    """

    def __init__(self, messages: Generator[M, None, None]) -> None:
        self._messages = messages

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> M:
        return self._messages.__next__()

    def close(self) -> None:
        """Ends the stream; it yields nothing more."""
        self._messages.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class AnalysisStream(Stream[AnalysisUpdate]):
    """Improving hints; the last update is `final`."""

    def result(self) -> AnalysisUpdate:
        """Reads to the end and returns the last update."""
        for update in self:
            if update.final:
                return update
        raise StreamCutError("the analysis has no final update")


class ReviewStream(Stream[ReviewMessage]):
    """Moves from the last to the first, progress after each, and a summary at the end."""

    def result(self) -> ReviewedGame:
        """Reads to the end and returns the moves in playing order, and the summary."""
        moves, summary = [], None
        for message in self:
            if message.move is not None:
                moves.append(message.move)
            summary = message.summary or summary
        if summary is None:
            raise StreamCutError("the review has no summary")
        return ReviewedGame(moves=sorted(moves, key=lambda move: move.index), summary=summary)


class PuzzleStream(Stream[PuzzleMessage]):
    """Puzzles as they are found, progress in between, and a `final` progress."""

    def result(self) -> PuzzleSet:
        """Reads to the end and returns the puzzles."""
        puzzles, final = [], None
        for message in self:
            if message.puzzle is not None:
                puzzles.append(message.puzzle)
            final = message.final or final
        if final is None:
            raise StreamCutError("the search for puzzles has no final message")
        return PuzzleSet(puzzles=puzzles, progress=final)
