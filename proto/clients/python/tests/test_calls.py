"""Every call against a server: the types hold everything that it sends."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any, get_args

import httpx
import pytest

import pentad.errors
from pentad import Limits, Pentad, errors, types
from tests.conftest import PATIENCE

# White completes a row with e1; black could with e3.
BOTH_THREATEN = "wwww2/6/bbbb2/6/6/6 w"
NODES = Limits(nodes=2000)


def assert_same(sent: Any, read: Any) -> None:
    """Everything that was sent was read, under the name of its field in snake case; what was
    not sent is empty."""
    if dataclasses.is_dataclass(read):
        names = {re.sub("([A-Z])", lambda match: f"_{match[1].lower()}", name): name for name in sent}
        fields = {field.name.rstrip("_"): getattr(read, field.name) for field in dataclasses.fields(read)}
        assert names.keys() <= fields.keys()
        for name, value in fields.items():
            if name in names:
                assert_same(sent[names[name]], value)
            else:
                assert not value, f"{name} is {value}"
    elif isinstance(read, dict):
        assert sent.keys() == read.keys()
        for key in read:
            assert_same(sent[key], read[key])
    elif isinstance(read, list):
        assert len(sent) == len(read)
        for one, other in zip(sent, read, strict=True):
            assert_same(one, other)
    else:
        assert sent == read


def test_games(pentad: Pentad) -> None:
    games = pentad.games()
    assert [game.id for game in games] == ["pentaflip", "pentagame", "pentago", "pentago-xl"]
    for game in games:
        sent = httpx.get(f"{pentad.url}/v1/games/{game.id}").json()
        details = pentad.game(game.id)
        assert_same(sent, details)
        assert details.layout and details.variants[0].seats == game.seats


def test_every_answer_is_read_completely(pentad: Pentad) -> None:
    moves = ["e2-3r"]
    # One after the other: the explorer's answer depends on what was searched before.
    asks: dict[str, Callable[[], object]] = {
        "position": lambda: pentad.position("pentago", position=BOTH_THREATEN, moves=moves),
        "legal-moves": lambda: pentad.legal_moves_page("pentago", position=BOTH_THREATEN, moves=moves),
        "threats": lambda: pentad.threats("pentago", position=BOTH_THREATEN, moves=moves),
        "explorer": lambda: pentad.explore_page("pentago", position=BOTH_THREATEN, moves=moves),
        "evaluation": lambda: pentad.evaluate("pentago", position=BOTH_THREATEN, moves=moves),
    }
    question = {"position": BOTH_THREATEN, "moves": moves}
    for call, ask in asks.items():
        answer = ask()
        sent = httpx.post(f"{pentad.url}/v1/games/pentago/{call}", json=question, timeout=PATIENCE).json()
        assert_same(sent, answer)


def test_hint(pentad: Pentad) -> None:
    answer = pentad.hint("pentago", position=BOTH_THREATEN, count=2, limits=NODES)
    best = answer.hints[0]
    assert (best.move, best.evaluation.certainty, best.evaluation.outcome) == ("e1", "proven", "win")
    assert best.evaluation.scores == {"w": 1.0, "b": 0.0}
    assert best.reasons[0].code == "wins_now" and best.reasons[0].cells == ["a1", "b1", "c1", "d1", "e1"]
    assert (answer.to_move, answer.position) == ("w", BOTH_THREATEN)


def test_position_and_outcome(pentad: Pentad) -> None:
    assert pentad.position("pentago").outcome is None
    over = pentad.position("pentago", position=BOTH_THREATEN, moves=["e1"])
    assert over.outcome and over.outcome.scores == {"w": 1.0, "b": 0.0} and over.outcome.text
    assert over.board["a1"] == ["w"]


def test_texts_are_in_the_language_of_the_client(server: Any) -> None:
    with Pentad(server.url, language="de") as german, Pentad(server.url) as english:
        texts = [it.hint("pentago", position=BOTH_THREATEN).hints[0].reasons[0].text for it in (german, english)]
    assert texts[0] != texts[1] and "five" in texts[1]


def test_legal_moves_come_page_by_page(pentad: Pentad) -> None:
    whole = pentad.legal_moves_page("pentago")
    assert whole.total == len(whole.moves) == 288
    assert list(pentad.legal_moves("pentago", page_size=100)) == whole.moves
    assert list(pentad.legal_moves("pentago", prefix="a1")) == [it for it in whole.moves if it.startswith("a1")]
    # Only the pages that are needed are requested.
    first = next(iter(pentad.legal_moves("pentago", page_size=1)))
    assert first == whole.moves[0]


def test_explore(pentad: Pentad) -> None:
    page = pentad.explore_page("pentago", page_size=2)
    moves = list(pentad.explore("pentago", page_size=2))
    assert len(moves) == page.total > len(page.moves) == 2
    assert all(move.evaluation.source == "book" for move in moves)


def test_compare_and_threats(pentad: Pentad) -> None:
    comparison = pentad.compare("pentago", position=BOTH_THREATEN, compare_moves=["f6-4r", "e1"], limits=NODES)
    assert comparison.best_move == "e1" and comparison.comparisons[0].reply == "e3"
    threats = pentad.threats("pentago", position=BOTH_THREATEN)
    assert [(it.seat, it.move) for it in threats.threats] == [("w", "e1"), ("b", "e3")]
    assert "e1" in threats.threats[1].stopped_by


def test_diagram(pentad: Pentad) -> None:
    svg = pentad.diagram(
        "pentago", position=BOTH_THREATEN, highlight=["a1", "b1"], arrows=["a1-e1"], size=200, theme="dark",
        moves=["e2-3r"], last_move=True,
    )
    assert svg.startswith("<svg") and 'width="200"' in svg


def test_none_means_not_given(pentad: Pentad) -> None:
    variant: Any = None
    assert pentad.position("pentago", variant=variant).to_move == "w"


def test_own_headers(pentad: Pentad) -> None:
    with pytest.raises(errors.UnknownGameError) as caught:
        pentad.game("chess", headers={"X-Request-Id": "mine"})
    assert caught.value.request_id == "mine"


@pytest.mark.parametrize(
    ("question", "kind", "field", "index", "column"),
    [
        ({"moves": ["a1-2r", "a1-2r"]}, errors.IllegalMoveError, "moves[1]", 1, None),
        ({"moves": ["a1-2x"]}, errors.BadMoveError, "moves[0]", 0, 5),
        ({"position": "6/6/6/6/6/7 w"}, errors.BadPositionError, "position", None, 11),
        ({"variant": "nonsense"}, errors.UnknownVariantError, "variant", None, None),
        ({"count": 1000}, errors.BadArgumentError, "count", None, None),
        ({"limits": {"time_ms": 0}}, errors.BadArgumentError, "limits.timeMs", None, None),
        ({"position": BOTH_THREATEN, "moves": ["e1"]}, errors.GameOverError, None, None, None),
        ({"position": "w" * 100_000}, errors.TooLargeError, "position", None, None),
    ],
)
def test_errors_name_what_is_wrong(
    pentad: Pentad, question: dict[str, Any], kind: type[errors.ApiError], field: str, index: int, column: int
) -> None:
    with pytest.raises(errors.ApiError) as caught:
        pentad.hint("pentago", **question)
    error = caught.value
    assert (type(error), error.field, error.index, error.column) == (kind, field, index, column), error.detail
    assert error.reason == kind.reason_of_class and error.request_id and str(error) == error.detail
    assert error.reason in error.type


def test_every_reason_has_a_class() -> None:
    assert set(pentad.errors.BY_REASON) == set(get_args(types.Reason))
