"""Streams: iterators of messages whose closing cancels the work of the server."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from types import TracebackType
from typing import Generic, Self, TypeVar

from ..errors import StreamCutError
from ..results import PuzzleSet, ReviewedGame
from ..types import AnalysisUpdate, PuzzleMessage, ReviewMessage

M = TypeVar("M")


class AsyncStream(Generic[M]):
    """Messages as they arrive. The question is sent when the first one is requested.

    Closing the stream (`aclose`, the end of an `async with` block) closes the connection,
    and that stops the search. A stream that is dropped is closed when it is collected.
    """

    def __init__(self, messages: AsyncGenerator[M, None]) -> None:
        self._messages = messages

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> M:
        return await self._messages.__anext__()

    async def aclose(self) -> None:
        """Ends the stream; it yields nothing more."""
        await self._messages.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()


class AsyncAnalysisStream(AsyncStream[AnalysisUpdate]):
    """Improving hints; the last update is `final`."""

    async def result(self) -> AnalysisUpdate:
        """Reads to the end and returns the last update."""
        async for update in self:
            if update.final:
                return update
        raise StreamCutError("the analysis has no final update")


class AsyncReviewStream(AsyncStream[ReviewMessage]):
    """Moves from the last to the first, progress after each, and a summary at the end."""

    async def result(self) -> ReviewedGame:
        """Reads to the end and returns the moves in playing order, and the summary."""
        moves, summary = [], None
        async for message in self:
            if message.move is not None:
                moves.append(message.move)
            summary = message.summary or summary
        if summary is None:
            raise StreamCutError("the review has no summary")
        return ReviewedGame(moves=sorted(moves, key=lambda move: move.index), summary=summary)


class AsyncPuzzleStream(AsyncStream[PuzzleMessage]):
    """Puzzles as they are found, progress in between, and a `final` progress."""

    async def result(self) -> PuzzleSet:
        """Reads to the end and returns the puzzles."""
        puzzles, final = [], None
        async for message in self:
            if message.puzzle is not None:
                puzzles.append(message.puzzle)
            final = message.final or final
        if final is None:
            raise StreamCutError("the search for puzzles has no final message")
        return PuzzleSet(puzzles=puzzles, progress=final)
