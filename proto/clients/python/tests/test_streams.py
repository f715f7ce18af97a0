"""Streams: analyses, reviews, puzzles, and what closing them does."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable
from typing import Any

import pytest

from pentad import Limits, LocalServer, Pentad, errors
from tests.conftest import wait_until_busy, wait_until_idle
from tests.test_calls import BOTH_THREATEN, NODES

# Nothing is proven here in this time.
LONG = Limits(time_ms=30_000)


def test_an_analysis_ends_with_one_final_update(pentad: Pentad) -> None:
    updates = list(pentad.analyze("pentaflip", limits=Limits(nodes=50_000), count=2))
    assert [update.final for update in updates].index(True) == len(updates) - 1
    assert updates[-1].stop_reason == "nodes" and len(updates[-1].hints) == 2
    assert pentad.analyze("pentago", position=BOTH_THREATEN).result().hints[0].move == "e1"


def test_a_review_in_playing_order(pentad: Pentad) -> None:
    stream = pentad.review("pentago", position=BOTH_THREATEN, moves=["f6-4r", "e3"], limits=NODES)
    messages = list(stream)
    assert [message.move.index for message in messages if message.move] == [1, 0]
    assert any(message.progress and message.progress.total == 2 for message in messages)
    review = pentad.review("pentago", position=BOTH_THREATEN, moves=["f6-4r", "e3"], limits=NODES).result()
    assert [move.label for move in review.moves] == ["blunder", "best"]
    assert review.summary.scores[0] == {"w": 1.0, "b": 0.0} and review.summary.turning_points == [0]


def test_puzzles(pentad: Pentad) -> None:
    found = pentad.puzzles("pentago", seed=7, limits=Limits(nodes=20_000), total_time_ms=20_000, max_plies=1).result()
    assert len(found.puzzles) == found.progress.found
    for puzzle in found.puzzles:
        assert puzzle.plies_to_end == 1 and puzzle.solutions[0][0] in puzzle.first_moves


def test_a_refused_question_is_no_stream(pentad: Pentad) -> None:
    stream = pentad.analyze("pentago", position="nonsense")
    with pytest.raises(errors.BadPositionError):
        next(stream)


@pytest.mark.parametrize("end", ["close", "with", "drop"])
def test_leaving_a_stream_stops_its_search(pentad: Pentad, server: LocalServer, end: str) -> None:
    wait_until_idle(server)
    stream = pentad.analyze("pentaflip", limits=LONG)
    assert not next(stream).final
    wait_until_busy(server)
    if end == "close":
        stream.close()
    elif end == "with":
        with stream:
            pass
    else:
        del stream
        gc.collect()
    wait_until_idle(server)


def test_a_stream_that_is_cut_says_so(start: Callable[..., LocalServer]) -> None:
    own = start()
    with Pentad(own.url, retries=0) as pentad:
        stream: Any = pentad.analyze("pentaflip", limits=LONG)
        next(stream)
        os.kill(own.pid, signal.SIGKILL)
        with pytest.raises(errors.StreamCutError):
            list(stream)


def test_a_stream_has_a_deadline_if_it_wants_one(pentad: Pentad, server: LocalServer) -> None:
    with pytest.raises(errors.CallTimeoutError):
        list(pentad.analyze("pentaflip", limits=LONG, timeout=0.5))
    wait_until_idle(server)
