"""The asynchronous client, which is the source of the other one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing

import pytest

from pentad import AsyncPentad, Limits, LocalServer, Question, errors
from pentad.types import HintsAnswer
from tests.conftest import PATIENCE, wait_until_busy, wait_until_idle
from tests.test_calls import BOTH_THREATEN, NODES

LONG = Limits(time_ms=30_000)


def run(server: LocalServer, test: Callable[[AsyncPentad], Awaitable[None]]) -> None:
    async def main() -> None:
        async with AsyncPentad(server.url, timeout=PATIENCE) as pentad:
            await test(pentad)

    asyncio.run(main())


def test_calls(server: LocalServer) -> None:
    async def test(pentad: AsyncPentad) -> None:
        games, position, answer, svg = await asyncio.gather(
            pentad.games(),
            pentad.position("pentago"),
            pentad.hint("pentago", position=BOTH_THREATEN),
            pentad.diagram("pentago"),
        )
        assert len(games) == 4 and position.to_move == "w" and answer.hints[0].move == "e1" and svg.startswith("<svg")
        assert len([move async for move in pentad.legal_moves("pentago", page_size=50)]) == 288
        with pytest.raises(errors.UnknownGameError):
            await pentad.game("chess")

    run(server, test)


def test_streams(server: LocalServer) -> None:
    async def test(pentad: AsyncPentad) -> None:
        review = await pentad.review("pentago", position=BOTH_THREATEN, moves=["f6-4r", "e3"], limits=NODES).result()
        assert [move.label for move in review.moves] == ["blunder", "best"]
        async with pentad.analyze("pentaflip", limits=LONG) as updates:
            async for update in updates:
                assert not update.final
                break
        await asyncio.to_thread(wait_until_idle, server)

    run(server, test)


def test_cancelling_a_task_stops_its_search(server: LocalServer) -> None:
    async def test(pentad: AsyncPentad) -> None:
        task = asyncio.create_task(pentad.hint("pentaflip", limits=LONG))
        await asyncio.to_thread(wait_until_busy, server)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.to_thread(wait_until_idle, server)

    run(server, test)


def test_a_batch_of_questions_that_arrive_over_time(server: LocalServer) -> None:
    async def test(pentad: AsyncPentad) -> None:
        async def questions() -> AsyncIterator[Question[HintsAnswer]]:
            async for move in pentad.legal_moves("pentago"):
                yield Question.hint("pentago", moves=[move], limits=Limits(nodes=50), tag=move)

        async with aclosing(pentad.batch(questions(), group_size=50)) as results:
            tags = [result.question.tag async for result in results if result.answer.hints]
        assert len(tags) == len(set(tags)) == 288

    run(server, test)


def test_a_server_of_its_own() -> None:
    async def main() -> int:
        async with await AsyncPentad.local("--workers=1") as pentad:
            assert pentad.server
            assert await pentad.games()
            return pentad.server.pid

    assert asyncio.run(main())
