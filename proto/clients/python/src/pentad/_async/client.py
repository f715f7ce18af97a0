"""The client: one method per call of the contract."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

import httpx

from .. import types
from .._local import LocalServer
from .._wire import DEFAULT_URL, EVENTS, Call, Options, Settings, body_of, decoded, game_path, params_of
from ..questions import BatchResult, Question
from .batch import AsyncBatch
from .streams import AsyncAnalysisStream, AsyncPuzzleStream, AsyncReviewStream, AsyncStream
from .transport import AsyncTransport
from .waiting import Items, run_blocking

A = TypeVar("A")
Headers = Mapping[str, str] | None


class AsyncPentad:
    """A client of one server.

    Every call takes the fields of its question as keyword arguments, as `/docs` of the server
    describes them, in snake case; `timeout` in seconds, instead of the client's; and
    `headers`, such as `x-request-id` or `x-pentad-key`.

    Several threads or tasks may use one client. `http` is a pool of connections to use
    instead of its own, for proxies and certificates.
    """

    def __init__(
        self, url: str = DEFAULT_URL, *, http: httpx.AsyncClient | None = None, **options: Unpack[Options]
    ) -> None:
        self._transport = AsyncTransport(Settings(url, **options), http)
        self.server: LocalServer | None = None
        """The server of a client made by `local`."""

    @classmethod
    async def local(
        cls, *arguments: str, binary: str | Path | None = None, **options: Unpack[Options]
    ) -> Self:
        """Starts a server on free ports and returns its client; closing it stops the server.

        The program is `binary`, or `$PENTAD`, or `pentad` on the `PATH`; `arguments` are its
        own, such as `--workers=2`.
        """
        server = await run_blocking(lambda: LocalServer(binary, arguments))
        client = cls(server.url, **options)
        client.server = server
        return client

    async def aclose(self) -> None:
        """Closes the connections, and stops the server that `local` started."""
        await self._transport.aclose()
        if self.server is not None:
            await run_blocking(self.server.stop)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    @property
    def url(self) -> str:
        """Address of the server."""
        return self._transport.settings.url

    async def games(self, *, timeout: float | None = None, headers: Headers = None) -> list[types.Game]:
        """The games that are served."""
        answer = await self._transport.json(Call("/v1/games", headers=headers or {}), timeout)
        return decoded(types.GamesAnswer.from_json, answer).games

    async def game(self, game: str, *, timeout: float | None = None, headers: Headers = None) -> types.GameAnswer:
        """One game, with its rules, its notation and its board."""
        answer = await self._transport.json(Call(game_path(game), headers=headers or {}), timeout)
        return decoded(types.GameAnswer.from_json, answer)

    async def position(
        self,
        game: str,
        *,
        timeout: float | None = None,
        headers: Headers = None,
        **question: Unpack[types.PositionQuestion],
    ) -> types.PositionAnswer:
        """A position: whose turn it is, whether the game is over, where the pieces are."""
        return await self._ask(game, "position", question, types.PositionAnswer.from_json, timeout, headers)

    async def legal_moves_page(
        self, game: str, *, timeout: float | None = None, headers: Headers = None, **question: Unpack[types.MovesQuestion]
    ) -> types.MovesAnswer:
        """A page of the legal moves, with their total number."""
        return await self._ask(game, "legal-moves", question, types.MovesAnswer.from_json, timeout, headers)

    async def legal_moves(
        self, game: str, *, timeout: float | None = None, headers: Headers = None, **question: Unpack[types.MovesQuestion]
    ) -> AsyncIterator[str]:
        """Yields the legal moves in canonical order; pages are requested as they are needed."""
        while True:
            page = await self.legal_moves_page(game, timeout=timeout, headers=headers, **question)
            for move in page.moves:
                yield move
            if not page.next_page_token:
                return
            question["page_token"] = page.next_page_token

    async def evaluate(
        self,
        game: str,
        *,
        timeout: float | None = None,
        headers: Headers = None,
        **question: Unpack[types.EvaluationQuestion],
    ) -> types.EvaluationAnswer:
        """The value of a position for every seat."""
        return await self._ask(game, "evaluation", question, types.EvaluationAnswer.from_json, timeout, headers)

    async def hint(
        self, game: str, *, timeout: float | None = None, headers: Headers = None, **question: Unpack[types.HintsQuestion]
    ) -> types.HintsAnswer:
        """The best moves, with their values, expected lines and reasons."""
        return await self._ask(game, "hints", question, types.HintsAnswer.from_json, timeout, headers)

    async def compare(
        self,
        game: str,
        *,
        timeout: float | None = None,
        headers: Headers = None,
        **question: Unpack[types.ComparisonQuestion],
    ) -> types.ComparisonAnswer:
        """Two to eight moves side by side, the best reply to each, and the best move."""
        return await self._ask(game, "compare", question, types.ComparisonAnswer.from_json, timeout, headers)

    async def threats(
        self,
        game: str,
        *,
        timeout: float | None = None,
        headers: Headers = None,
        **question: Unpack[types.ThreatsQuestion],
    ) -> types.ThreatsAnswer:
        """The wins that each seat would have if it were its turn, and the moves that stop them."""
        return await self._ask(game, "threats", question, types.ThreatsAnswer.from_json, timeout, headers)

    async def explore_page(
        self,
        game: str,
        *,
        timeout: float | None = None,
        headers: Headers = None,
        **question: Unpack[types.ExplorationQuestion],
    ) -> types.ExplorationAnswer:
        """A page of what is known of each distinct move, without a search."""
        return await self._ask(game, "explorer", question, types.ExplorationAnswer.from_json, timeout, headers)

    async def explore(
        self,
        game: str,
        *,
        timeout: float | None = None,
        headers: Headers = None,
        **question: Unpack[types.ExplorationQuestion],
    ) -> AsyncIterator[types.ExploredMove]:
        """Yields what is known of each distinct move; pages are requested as they are needed."""
        while True:
            page = await self.explore_page(game, timeout=timeout, headers=headers, **question)
            for move in page.moves:
                yield move
            if not page.next_page_token:
                return
            question["page_token"] = page.next_page_token

    async def diagram(
        self,
        game: str,
        *,
        timeout: float | None = None,
        headers: Headers = None,
        **question: Unpack[types.DiagramQuestion],
    ) -> str:
        """A picture of a position, as SVG."""
        call = Call(
            game_path(game, "diagram.svg"), params=params_of(question), accept="image/svg+xml", headers=headers or {}
        )
        return (await self._transport.read(call, timeout)).decode()

    def analyze(
        self, game: str, *, timeout: float | None = None, headers: Headers = None, **question: Unpack[types.AnalysisQuestion]
    ) -> AsyncAnalysisStream:
        """Like `hint`, but with every improvement as it is found; the last update is `final`."""
        decode = types.AnalysisUpdate.from_json
        return AsyncAnalysisStream(self._stream(game, "analysis", question, decode, timeout, headers))

    def review(
        self, game: str, *, timeout: float | None = None, headers: Headers = None, **question: Unpack[types.ReviewQuestion]
    ) -> AsyncReviewStream:
        """Reviews the game `moves`; `.result()` waits for all of it."""
        decode = types.ReviewMessage.from_json
        return AsyncReviewStream(self._stream(game, "review", question, decode, timeout, headers))

    def puzzles(
        self, game: str, *, timeout: float | None = None, headers: Headers = None, **question: Unpack[types.PuzzleQuestion]
    ) -> AsyncPuzzleStream:
        """Finds positions that exactly one distinct move wins; `.result()` waits for all."""
        decode = types.PuzzleMessage.from_json
        return AsyncPuzzleStream(self._stream(game, "puzzles", question, decode, timeout, headers))

    def batch(
        self,
        questions: Items[Question[A]],
        *,
        group_size: int = 64,
        timeout: float | None = None,
        headers: Headers = None,
    ) -> AsyncStream[BatchResult[A]]:
        """Answers any number of questions as they finish, in no particular order.

        Questions are taken from the iterable when there is room for them, at most two groups
        ahead of the results; while results are not read, no more are taken. They are
        answered at low priority and wait while the server is busy.
        """
        batch = AsyncBatch(self._transport, questions, max(group_size, 1), timeout, headers or {})
        return AsyncStream(batch.results())

    async def _ask(
        self,
        game: str,
        call: str,
        question: Mapping[str, Any],
        decode: Callable[[Any], A],
        timeout: float | None,
        headers: Headers,
    ) -> A:
        request = Call(game_path(game, call), body_of(question), headers=headers or {})
        return decoded(decode, await self._transport.json(request, timeout))

    async def _stream(
        self,
        game: str,
        call: str,
        question: Mapping[str, Any],
        decode: Callable[[Any], A],
        timeout: float | None,
        headers: Headers,
    ) -> AsyncGenerator[A, None]:
        request = Call(game_path(game, call), body_of(question), accept=EVENTS, headers=headers or {})
        events = self._transport.events(request, timeout)
        try:
            async for data in events:
                yield decoded(decode, data)
        finally:
            await events.aclose()
