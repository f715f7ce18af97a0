"""What callers see when the server is gone, busy, slow, closed to them, or not Pentad."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from pentad import Limits, LocalServer, Pentad, errors
from tests.conftest import PATIENCE, Peer, problem, response, wait_until_busy, wait_until_idle

GAMES = response("200 OK", '{"games": []}')
TOKEN = "a token"


def test_a_server_that_is_gone(start: Callable[..., LocalServer]) -> None:
    own = start()
    with Pentad(own.url, retries=1) as pentad:
        assert pentad.games()
        own.stop()
        with pytest.raises(errors.UnreachableError):
            pentad.games()


def test_a_server_that_dies_while_it_works(start: Callable[..., LocalServer]) -> None:
    own = start()
    with Pentad(own.url, retries=0) as pentad:
        stream = pentad.analyze("pentaflip", limits=Limits(time_ms=30_000))
        next(stream)
        os.kill(own.pid, signal.SIGKILL)
        with pytest.raises(errors.UnreachableError):
            pentad.games()


def test_a_slow_answer_is_given_up_and_cancelled(pentad: Pentad, server: LocalServer) -> None:
    with pytest.raises(errors.CallTimeoutError) as caught:
        pentad.hint("pentaflip", limits=Limits(time_ms=30_000), timeout=0.5)
    assert isinstance(caught.value, TimeoutError)
    wait_until_idle(server)


def test_tokens(start: Callable[..., LocalServer], tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(f"web {sha256(TOKEN.encode()).hexdigest()}\n")
    file.chmod(0o600)
    own = start(f"--tokens={file}")
    with Pentad(own.url) as without, Pentad(own.url, token="wrong") as wrong:
        for client in (without, wrong):
            with pytest.raises(errors.UnauthenticatedError):
                client.games()
    n_calls = 0

    def token() -> str:
        nonlocal n_calls
        n_calls += 1
        return TOKEN

    with Pentad(own.url, token=TOKEN) as fixed, Pentad(own.url, token=token) as renewed:
        assert fixed.games() and renewed.games() and renewed.games()
        assert renewed.analyze("pentago").result().final
    assert n_calls == 3


def test_a_quota_that_is_used_up(start: Callable[..., LocalServer]) -> None:
    own = start("--anonymous-cpu-ms-per-second=200", "--quota-window-s=2")
    with Pentad(own.url, retries=0) as impatient, Pentad(own.url, retries=20, timeout=PATIENCE) as patient:
        stream = impatient.analyze("pentaflip", limits=Limits(time_ms=3_000))
        next(stream)
        wait_until_busy(own)
        with pytest.raises(errors.RateLimitedError) as caught:
            impatient.games()
        assert caught.value.retry_after and caught.value.status == 429
        stream.close()
        assert patient.games()


def test_the_retry_time_is_honoured() -> None:
    refused = problem(429, "overloaded", ', "retryAfterMs": 700')
    with Peer(refused, refused, GAMES) as peer, Pentad(peer.url, retries=2) as pentad:
        assert pentad.games() == []
        waits = [after - before for before, after in zip(peer.arrivals, peer.arrivals[1:], strict=False)]
        assert len(waits) == 2 and min(waits) >= 0.7


def test_the_header_counts_without_a_problem_field() -> None:
    refused = problem(429, "rate_limited").replace("content-length", "retry-after: 1\ncontent-length")
    with Peer(refused) as peer, Pentad(peer.url, retries=0) as pentad:
        with pytest.raises(errors.RateLimitedError) as caught:
            pentad.games()
        assert caught.value.retry_after == 1.0


def test_no_wait_beyond_the_deadline() -> None:
    refused = problem(429, "rate_limited", ', "retryAfterMs": 3600000')
    with Peer(refused) as peer, Pentad(peer.url, retries=5) as pentad:
        with pytest.raises(errors.RateLimitedError):
            pentad.games()


@pytest.mark.parametrize(
    ("answer", "n_attempts"),
    [
        (problem(429, "overloaded", ', "retryAfterMs": 1'), 3),
        (problem(503, "ruleset_unavailable"), 3),
        (response("502 Bad Gateway", "<html>", kind="text/html"), 3),
        ("gone", 3),
        # These would fail again, or have used their time.
        (problem(400, "bad_argument"), 1),
        (problem(401, "unauthenticated"), 1),
        (problem(413, "too_large"), 1),
        (problem(422, "illegal_move"), 1),
        (problem(500, "internal"), 1),
        (problem(503, "ruleset_fault"), 1),
        (problem(504, "deadline"), 1),
        (response("404 Not Found", "<html>", kind="text/html"), 1),
        (response("302 Found", "", "location: http://127.0.0.1:1/"), 1),
        (response("200 OK", "{oops"), 1),
        (response("200 OK", '{"games": 7}'), 1),
    ],
)
def test_what_is_repeated(answer: str, n_attempts: int) -> None:
    with Peer(*[answer] * 3) as peer, Pentad(peer.url, retries=2) as pentad:
        with pytest.raises(errors.PentadError):
            pentad.games()
        assert len(peer.requests) == n_attempts


def test_a_silent_server() -> None:
    with Peer("silence", waits=True) as peer, Pentad(peer.url, idle_timeout=0.3) as pentad:
        with pytest.raises(errors.CallTimeoutError, match="silent"):
            next(pentad.analyze("pentago"))


def test_a_stream_without_an_end() -> None:
    text = 'event: update\nid: 1\ndata: {"final": false, "evaluation": {"certainty": "estimate", "source": "search"}}\n\n'
    answer = response("200 OK", text, kind="text/event-stream")
    with Peer(answer) as peer, Pentad(peer.url) as pentad:
        stream = pentad.analyze("pentago")
        assert next(stream).final is False
        with pytest.raises(errors.StreamCutError):
            next(stream)
        # Streams that have begun are not repeated.
        assert len(peer.requests) == 1


def test_an_error_inside_a_stream() -> None:
    text = 'event: error\nid: end\ndata: {"reason": "ruleset_fault", "status": 503, "detail": "it failed"}\n\n'
    with Peer(response("200 OK", text, kind="text/event-stream")) as peer, Pentad(peer.url) as pentad:
        with pytest.raises(errors.RulesetFaultError, match="it failed"):
            next(pentad.analyze("pentago"))


def test_requests_carry_what_the_contract_wants() -> None:
    with Peer(GAMES) as peer, Pentad(f"{peer.url}/", token=TOKEN, language="sv") as pentad:
        pentad.games(headers={"x-pentad-key": "k"})
        head = peer.requests[0].lower()
    for line in ("get /v1/games http/1.1", "authorization: bearer a token", "accept-language: sv", "x-pentad-key: k"):
        assert line in head


def test_new_fields_and_words_are_no_error() -> None:
    evaluation = '{"certainty": "guessed", "source": "dice", "scores": {"w": 1}, "new": [1]}'
    body = f'{{"evaluation": {evaluation}, "position": "p", "toMove": "w", "more": {{}}}}'
    with Peer(response("200 OK", body)) as peer, Pentad(peer.url) as pentad:
        answer = pentad.evaluate("pentago")
    # A field that is missing is empty.
    assert (answer.evaluation.scores, answer.evaluation.depth, answer.key) == ({"w": 1}, 0, "")


@pytest.mark.parametrize("url", ["localhost:8080", "ftp://localhost", "http://", ""])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(ValueError, match="http://127.0.0.1:8080"):
        Pentad(url)


def test_errors_can_be_pickled(pentad: Pentad) -> None:
    with pytest.raises(errors.IllegalMoveError) as caught:
        pentad.position("pentago", moves=["a1-2r", "a1-2r"])
    copy = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(copy, errors.IllegalMoveError)
    assert (copy.index, copy.detail, str(copy)) == (1, caught.value.detail, caught.value.detail)
