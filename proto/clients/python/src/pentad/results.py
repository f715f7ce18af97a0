"""What streams add up to."""

from __future__ import annotations

from dataclasses import dataclass

from .types import Puzzle, PuzzleProgress, ReviewedMove, ReviewSummary

__all__ = ["PuzzleSet", "ReviewedGame"]


@dataclass(frozen=True, kw_only=True)
class ReviewedGame:
    """A complete review."""

    moves: list[ReviewedMove]
    """In playing order."""
    summary: ReviewSummary


@dataclass(frozen=True, kw_only=True)
class PuzzleSet:
    """The puzzles of a finished search."""

    puzzles: list[Puzzle]
    progress: PuzzleProgress
    """How many were found and looked at."""
