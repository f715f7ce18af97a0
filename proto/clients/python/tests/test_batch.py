"""Batches: every question has one result, in bounded memory, also when servers go away."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator

import pytest

from pentad import Limits, LocalServer, Pentad, Question, errors
from pentad.types import HintsAnswer, PositionAnswer
from tests.conftest import Peer, wait_until_busy, wait_until_idle
from tests.test_calls import BOTH_THREATEN


def test_every_question_has_one_result(pentad: Pentad) -> None:
    moves = list(pentad.legal_moves("pentago"))
    questions = [Question.hint("pentago", moves=[move], limits=Limits(nodes=100), tag=move) for move in moves]
    questions[7] = Question.hint("pentago", moves=["nonsense"], tag="bad")
    results = list(pentad.batch(questions))
    assert sorted(result.question.tag for result in results) == sorted(question.tag for question in questions)
    [failed] = [result for result in results if result.error]
    assert failed.question.tag == "bad" and isinstance(failed.error, errors.BadMoveError)
    with pytest.raises(errors.BadMoveError):
        failed.answer
    assert all(isinstance(result.answer, HintsAnswer) for result in results if not result.error)


def test_every_kind(pentad: Pentad) -> None:
    questions = [
        Question.position("pentago", position=BOTH_THREATEN),
        Question.legal_moves("pentago", position=BOTH_THREATEN),
        Question.evaluate("pentago", position=BOTH_THREATEN, priority="low"),
        Question.hint("pentago", position=BOTH_THREATEN, priority="high"),
        Question.compare("pentago", position=BOTH_THREATEN, compare_moves=["e1", "e3-1l"]),
        Question.threats("pentago", position=BOTH_THREATEN),
        Question.judge("pentago", position=BOTH_THREATEN, moves=["f6-4r", "nonsense", "e3"], limits=Limits(nodes=2000)),
    ]
    kinds = {result.question.kind: type(result.answer).__name__ for result in pentad.batch(questions)}
    assert kinds == {
        "position": "PositionAnswer",
        "legal-moves": "MovesAnswer",
        "evaluation": "EvaluationAnswer",
        "hints": "HintsAnswer",
        "compare": "ComparisonAnswer",
        "threats": "ThreatsAnswer",
        "judge": "JudgeAnswer",
    }


def test_questions_are_taken_when_there_is_room(pentad: Pentad) -> None:
    taken = 0

    def endless() -> Iterator[Question[PositionAnswer]]:
        nonlocal taken
        while True:
            taken += 1
            yield Question.position("pentago")

    with pentad.batch(endless(), group_size=10) as results:
        for n_read in range(1, 100):
            assert next(results).answer.to_move == "w"
            # The current group, and the next one.
            assert taken <= n_read + 2 * 10
    assert taken < 200


def test_an_empty_batch(pentad: Pentad) -> None:
    nothing: list[Question[PositionAnswer]] = []
    assert list(pentad.batch(nothing)) == []


def test_leaving_a_batch_cancels_it(pentad: Pentad, server: LocalServer) -> None:
    slow = [Question.hint("pentaflip", limits=Limits(time_ms=30_000), count=count) for count in (1, 2)]
    fast = Question.position("pentaflip")
    wait_until_idle(server)
    with pentad.batch([fast, *slow]) as results:
        assert next(results).question is fast
        wait_until_busy(server)
    wait_until_idle(server)


def test_a_batch_survives_its_server(start: Callable[..., LocalServer]) -> None:
    """The questions that one server did not answer are sent to the one that replaces it."""
    first = start()
    port = first.url.rsplit(":", 1)[1]
    questions = [Question.hint("pentaflip", limits=Limits(nodes=3000), seed=n, level=9, tag=n) for n in range(60)]
    with Pentad(first.url, retries=60) as pentad, pentad.batch(questions, group_size=20) as results:
        tags = [next(results).question.tag for _ in range(5)]
        os.kill(first.pid, signal.SIGKILL)
        starting = threading.Timer(0.5, start, [f"--rest-listen=127.0.0.1:{port}"])
        starting.start()
        tags += [result.question.tag for result in results]
        starting.join()
    assert sorted(tags) == list(range(60))


def test_a_batch_without_progress_ends() -> None:
    broken = "HTTP/1.1 200 OK\ncontent-type: application/x-ndjson\n\n"
    with Peer(*[broken] * 3) as peer, Pentad(peer.url, retries=2) as pentad:
        with pytest.raises(errors.StreamCutError, match="1 unanswered"):
            list(pentad.batch([Question.position("pentago")]))
        assert len(peer.requests) == 3
