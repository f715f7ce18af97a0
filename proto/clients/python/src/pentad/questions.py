"""Questions of a batch, and their results."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, Unpack

from . import types
from ._wire import to_json
from .errors import ApiError

__all__ = ["BatchResult", "Priority", "Question"]

A = TypeVar("A", covariant=True)
Priority = Literal["low", "normal", "high"]
"""The order of the questions of a batch that the server has read."""


@dataclass(frozen=True, kw_only=True)
class Question(Generic[A]):
    """A question of a batch, made by `Question.hint` and its like.

    `tag` is anything that the caller wants to find in the result.
    """

    kind: str
    game: str
    fields: Mapping[str, Any]
    decode: Callable[[Mapping[str, Any]], A]
    priority: Priority | None = None
    tag: Any = None

    @staticmethod
    def position(
        game: str, *, priority: Priority | None = None, tag: Any = None, **question: Unpack[types.PositionQuestion]
    ) -> Question[types.PositionAnswer]:
        """As `Pentad.position`."""
        return _question("position", game, question, types.PositionAnswer.from_json, priority, tag)

    @staticmethod
    def legal_moves(
        game: str, *, priority: Priority | None = None, tag: Any = None, **question: Unpack[types.MovesQuestion]
    ) -> Question[types.MovesAnswer]:
        """As `Pentad.legal_moves_page`."""
        return _question("legal-moves", game, question, types.MovesAnswer.from_json, priority, tag)

    @staticmethod
    def evaluate(
        game: str, *, priority: Priority | None = None, tag: Any = None, **question: Unpack[types.EvaluationQuestion]
    ) -> Question[types.EvaluationAnswer]:
        """As `Pentad.evaluate`."""
        return _question("evaluation", game, question, types.EvaluationAnswer.from_json, priority, tag)

    @staticmethod
    def hint(
        game: str, *, priority: Priority | None = None, tag: Any = None, **question: Unpack[types.HintsQuestion]
    ) -> Question[types.HintsAnswer]:
        """As `Pentad.hint`."""
        return _question("hints", game, question, types.HintsAnswer.from_json, priority, tag)

    @staticmethod
    def compare(
        game: str, *, priority: Priority | None = None, tag: Any = None, **question: Unpack[types.ComparisonQuestion]
    ) -> Question[types.ComparisonAnswer]:
        """As `Pentad.compare`."""
        return _question("compare", game, question, types.ComparisonAnswer.from_json, priority, tag)

    @staticmethod
    def threats(
        game: str, *, priority: Priority | None = None, tag: Any = None, **question: Unpack[types.ThreatsQuestion]
    ) -> Question[types.ThreatsAnswer]:
        """As `Pentad.threats`."""
        return _question("threats", game, question, types.ThreatsAnswer.from_json, priority, tag)

    @staticmethod
    def judge(
        game: str, *, priority: Priority | None = None, tag: Any = None, **question: Unpack[types.JudgeQuestion]
    ) -> Question[types.JudgeAnswer]:
        """How often the decisions of a game kept what was proven; only batches have it."""
        return _question("judge", game, question, types.JudgeAnswer.from_json, priority, tag)

    def line(self, id: str) -> bytes:
        """The question as a line of a batch."""
        priority = {} if self.priority is None else {"priority": self.priority}
        line = {"id": id, "kind": self.kind, "game": self.game} | priority | to_json(self.fields)
        return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def _question(
    kind: str,
    game: str,
    fields: Mapping[str, Any],
    decode: Callable[[Mapping[str, Any]], A],
    priority: Priority | None,
    tag: Any,
) -> Question[A]:
    return Question(kind=kind, game=game, fields=fields, decode=decode, priority=priority, tag=tag)


@dataclass(frozen=True, kw_only=True)
class BatchResult(Generic[A]):
    """The outcome of a question of a batch: an answer or an error."""

    question: Question[A]
    error: ApiError | None = None
    _answer: Any = None

    @property
    def answer(self) -> A:
        """The answer; raises the error if there is one."""
        if self.error is not None:
            raise self.error
        answer: A = self._answer
        return answer
