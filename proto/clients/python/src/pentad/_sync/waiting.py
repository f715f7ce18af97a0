"""Waits of the synchronous client; `_async/waiting.py` has those of the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

R = TypeVar("R")
T = TypeVar("T")

Items = Iterable[T]


def sleep(seconds: float) -> None:
    """Blocks."""
    time.sleep(seconds)


def run_blocking(function: Callable[[], R]) -> R:
    """Runs it."""
    return function()


def iterate(items: Items[T]) -> Iterator[T]:
    """Iterates."""
    return iter(items)
