"""The environment in PettingZoo itself."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("pettingzoo")

import numpy as np
from pettingzoo.test import api_test

from pentad import Limits, Pentad
from pentad.pettingzoo import PentadEnv, env
from tests.test_calls import BOTH_THREATEN


def play(game: Any, seed: int, n_moves: int | None = None, **options: Any) -> dict[str, float]:
    """Plays at random; returns what each agent got in all."""
    random = np.random.default_rng(seed)
    game.reset(options=options)
    returns = dict.fromkeys(game.possible_agents, 0.0)
    for agent in game.agent_iter():
        observation, reward, termination, truncation, _ = game.last()
        returns[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        game.step(None if termination or truncation else int(random.choice(legal)))
    return returns


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("game", "exact"), [("pentago", True), ("pentaflip", False)])
def test_the_api(pentad: Pentad, game: str, exact: bool) -> None:
    api_test(env(pentad, game, exact=exact, limits=Limits(nodes=200)), num_cycles=40)


def test_returns_are_the_result_with_and_without_exact_values(pentad: Pentad) -> None:
    for seed in range(2):
        plain = PentadEnv(pentad, "pentago")
        exact = PentadEnv(pentad, "pentago", exact=True, limits=Limits(nodes=500), actions=plain.actions)
        returns = [play(game, seed) for game in (plain, exact)]
        outcome = plain.position.outcome
        assert outcome and plain.moves == exact.moves
        expected = {seat: 2 * score - 1 for seat, score in outcome.scores.items()}
        assert returns[0] == expected and returns[1] == pytest.approx(expected)


def test_a_blunder_is_paid_for_at_once(pentad: Pentad) -> None:
    game = PentadEnv(pentad, "pentago", exact=True, limits=Limits(nodes=20_000))
    game.reset(options={"position": BOTH_THREATEN})
    game.step(game.actions.index("f6-4r"))
    # Black can win: known before Black has moved.
    assert (game.rewards, game.terminations["w"]) == ({"w": -1.0, "b": 1.0}, False)
    assert game.infos["w"]["evaluation"].certainty == "proven"
    game.step(game.actions.index("e3"))
    assert (game.rewards, game.terminations["w"]) == ({"w": 0.0, "b": 0.0}, True)


def test_adjudication_ends_the_game(pentad: Pentad) -> None:
    game = PentadEnv(pentad, "pentago", adjudicate=True, limits=Limits(nodes=20_000))
    game.reset(options={"position": BOTH_THREATEN})
    game.step(game.actions.index("f6-4r"))
    assert game.rewards == {"w": -1.0, "b": 1.0} and all(game.terminations.values())


def test_more_than_two_seats(pentad: Pentad) -> None:
    game = PentadEnv(pentad, "pentago-xl", max_moves=6)
    assert len(game.possible_agents) == 4
    assert play(game, 1) == dict.fromkeys(game.possible_agents, 0.0)
    assert len(game.moves) == 6


def test_observations_are_the_board(pentad: Pentad) -> None:
    game = PentadEnv(pentad, "pentago", render_mode="ansi")
    game.reset(options={"position": BOTH_THREATEN})
    board = game.observe("w")["observation"]
    white = [game.points[row] for row in np.flatnonzero(board[:, game.pieces.index("w")])]
    assert white == ["a1", "b1", "c1", "d1"] and board.sum() == 8
    assert game.render() == BOTH_THREATEN
    assert game.observe("b")["action_mask"].sum() == 0
    legal = {game.actions[number] for number in np.flatnonzero(game.observe("w")["action_mask"])}
    assert legal == set(pentad.legal_moves("pentago", position=BOTH_THREATEN))


def test_numbers_of_moves_are_kept(pentad: Pentad) -> None:
    game = PentadEnv(pentad, "pentago", actions=["e1", "a1-1l"])
    game.reset(options={"position": BOTH_THREATEN})
    first = list(game.actions)
    assert first[0] == "e1"
    game.step(0)
    game.reset()
    assert game.actions[: len(first)] == first
    with pytest.raises(ValueError, match="not legal"):
        game.step(0)
    with pytest.raises(ValueError, match="max_actions"):
        PentadEnv(pentad, "pentago", max_actions=100).reset()
    with pytest.raises(ValueError, match="no variant"):
        PentadEnv(pentad, "pentago", variant="nonsense")
