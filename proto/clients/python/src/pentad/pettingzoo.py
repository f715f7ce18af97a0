"""Games of Pentad as PettingZoo environments (AEC), with exact values as rewards.

    pip install "pentad[pettingzoo]"

    from pentad import Pentad
    from pentad.pettingzoo import env

    with Pentad.local() as pentad:
        game = env(pentad, "pentago", exact=True)
        game.reset()
        for agent in game.agent_iter():
            observation, reward, termination, truncation, info = game.last()
            over = termination or truncation
            game.step(None if over else game.action_space(agent).sample(observation["action_mask"]))

Agents are the ids of the seats. An observation is the board: for each point of the layout how
many of each piece are on it, in the layout's order (`points` and `pieces` name them).

**Actions** are numbers of moves in a vocabulary, `actions`. It begins with the moves that the
caller gives, and moves that are seen for the first time are appended, so that a number means
the same move for the life of an environment. Save `actions` with a trained policy and pass it
to the next environment. `max_actions` bounds it, and is the size of the action space.

**Rewards** are on a scale on which a win against all is 1 and an equal share is 0. They add up
to the result of the game. With `exact`, every position that the server can prove within
`limits` pays the difference to what was paid so far: who makes a lost position of a won one
pays for it at once, not at the end of the game. Since the sum stays the same, the best policy
does as well. With `adjudicate`, a game ends with its first proven position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._sync.client import Pentad
from .types import Limits, PositionAnswer

__all__ = ["PentadEnv", "env"]

# Maximum number of pieces on a point.
PIECES_MAX = 127
Observation = dict[str, NDArray[np.int8]]


def env(pentad: Pentad, game: str, **settings: Any) -> Any:
    """Returns the environment with the usual wrappers: an illegal action ends the game and
    loses it, and calls in the wrong order are errors. Settings are those of `PentadEnv`."""
    raw = PentadEnv(pentad, game, **settings)
    return wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1))


class PentadEnv(AECEnv[str, Observation, int | None]):
    """One game."""

    def __init__(
        self,
        pentad: Pentad,
        game: str,
        *,
        variant: str | None = None,
        actions: Sequence[str] = (),
        max_actions: int = 4096,
        exact: bool = False,
        adjudicate: bool = False,
        limits: Limits | None = None,
        max_moves: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.metadata = {"name": f"pentad_{game}", "render_modes": ["ansi", "svg"], "is_parallelizable": False}
        self.render_mode = render_mode
        details = pentad.game(game)
        chosen = next((it for it in details.variants if variant in (None, it.id)), None)
        layout = details.layout if chosen is None else details.variant_layouts.get(chosen.id, details.layout)
        if chosen is None or layout is None:
            raise ValueError(f"{game}: there is no variant {variant!r}, or it has no layout")
        self.pentad, self.game, self.variant = pentad, game, chosen.id
        self.possible_agents = list(chosen.seats)
        self.agents: list[str] = []
        self.points = [point.id for point in layout.points]
        self.pieces = [piece.id for piece in layout.pieces]
        self.actions = list(actions)
        self._numbers = {move: number for number, move in enumerate(self.actions)}
        self.max_actions = max_actions
        self._n_sides = len(set(chosen.sides.values())) or len(chosen.seats)
        self._is_exact, self._adjudicates, self._max_moves = exact or adjudicate, adjudicate, max_moves
        self._limits = limits or Limits(nodes=10_000)
        board = spaces.Box(0, PIECES_MAX, (len(self.points), len(self.pieces)), np.int8)
        mask = spaces.Box(0, 1, (max_actions,), np.int8)
        space = spaces.Dict({"observation": board, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(max_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The board and the mask of legal actions."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Numbers of moves in `actions`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begins a game: from `options["position"]` and `options["moves"]`, if they are given.

        Nothing is random but the caller's choices, so `seed` changes nothing.
        """
        options = options or {}
        self._start: str | None = options.get("position")
        self.moves: list[str] = list(options.get("moves", ()))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._paid = dict.fromkeys(self.agents, 0.0)
        self._look()
        if self.position.outcome is not None:
            raise ValueError(f"{self.game}: the game is over in {self.position.position}")

    def observe(self, agent: str) -> Observation:
        """The board; the mask is empty for agents whose turn it is not."""
        mask = np.zeros(self.max_actions, np.int8)
        if agent == self.agent_selection:
            mask[self._legal] = 1
        return {"observation": self._board, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays a move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or action not in self._legal:
            raise ValueError(f"action {action} is not legal for {agent}; see action_mask")
        self._cumulative_rewards[agent] = 0.0
        self.moves.append(self.actions[action])
        self._look()
        self._pay()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The position in the game's notation, or a picture as SVG."""
        if self.render_mode == "svg":
            return self.pentad.diagram(self.game, variant=self.variant, position=self.position.position)
        return self.position.position if self.render_mode == "ansi" else None

    def close(self) -> None:
        """The client is the caller's, and stays open."""

    def _look(self) -> None:
        """Asks what the position is and what is legal there."""
        question: dict[str, Any] = {"variant": self.variant, "position": self._start, "moves": self.moves}
        self.position: PositionAnswer = self.pentad.position(self.game, **question)
        self.agent_selection = self.position.to_move
        self._board = np.zeros((len(self.points), len(self.pieces)), np.int8)
        for point, pieces in self.position.board.items():
            for piece in pieces:
                self._board[self.points.index(point), self.pieces.index(piece)] += 1
        moves = self.pentad.legal_moves(self.game, **question) if self.position.outcome is None else ()
        self._legal = [self._number(move) for move in moves]
        for info in self.infos.values():
            info |= {"position": self.position.position, "evaluation": None}

    def _number(self, move: str) -> int:
        if move not in self._numbers:
            if len(self.actions) >= self.max_actions:
                raise ValueError(f"{self.game} has more than max_actions ({self.max_actions}) different moves")
            self._numbers[move] = len(self.actions)
            self.actions.append(move)
        return self._numbers[move]

    def _pay(self) -> None:
        """Pays what is known of the result and was not paid, and ends the game if it is over."""
        self._clear_rewards()
        outcome, scores = self.position.outcome, None
        if outcome is not None:
            scores = outcome.scores
        elif self._is_exact:
            question: dict[str, Any] = {"variant": self.variant, "position": self._start, "moves": self.moves}
            value = self.pentad.evaluate(self.game, limits=self._limits, **question).evaluation
            scores = value.scores if value.certainty == "proven" else None
            for info in self.infos.values():
                info["evaluation"] = value
        if scores is not None:
            for agent in self.agents:
                value_of_seat = self._value(scores[agent])
                self.rewards[agent] = value_of_seat - self._paid[agent]
                self._paid[agent] = value_of_seat
        if outcome is not None or (self._adjudicates and scores is not None):
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._max_moves is not None and len(self.moves) >= self._max_moves:
            self.truncations = dict.fromkeys(self.agents, True)

    def _value(self, score: float) -> float:
        """A score as a reward: 1 for all of it, 0 for an equal share."""
        return (self._n_sides * score - 1) / (self._n_sides - 1)
