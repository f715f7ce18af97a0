"""Waits of the asynchronous client; `_sync/waiting.py` has those of the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable
from typing import TypeVar

R = TypeVar("R")
T = TypeVar("T")

Items = Iterable[T] | AsyncIterable[T]


async def sleep(seconds: float) -> None:
    """Lets other tasks run."""
    await asyncio.sleep(seconds)


async def run_blocking(function: Callable[[], R]) -> R:
    """Runs a function that blocks on a thread of its own."""
    return await asyncio.to_thread(function)


async def iterate(items: Items[T]) -> AsyncIterator[T]:
    """Iterates over either kind."""
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item
