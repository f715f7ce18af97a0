#!/usr/bin/env python3
"""Writes src/pentad/_sync/ from src/pentad/_async/, so that both clients are one source.

    ./generate_sync.py            writes the files
    ./generate_sync.py --check    fails if they are not current

`waiting.py` has what differs, and is written by hand in both folders.
"""

import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "src/pentad"
BY_HAND = {"waiting.py"}
NOTE = "\n\nWritten by generate_sync.py from _async/{name}; do not edit.\n"
REPLACEMENTS = [
    (r"AsyncGenerator\[(.+), None\]", r"Generator[\1, None, None]"),
    (r"\bAsyncGenerator\b", "Generator"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"httpx\.AsyncClient", "httpx.Client"),
    (r"\bStopAsyncIteration\b", "StopIteration"),
    (r"__a(enter|exit|iter|next)__", r"__\1__"),
    (r"\basync (?=def|with|for)", ""),
    (r"\bawait ", ""),
    (r"\baclosing\b", "closing"),
    (r"\baclose\b", "close"),
    (r"\banext\(", "next("),
    (r"\baiter_bytes\b", "iter_bytes"),
    (r"\b_async\b", "_sync"),
    (r"The asynchronous client\.", "The synchronous client."),
]


def main() -> int:
    is_check = "--check" in sys.argv
    stale = [path for path in sorted((PACKAGE / "_async").glob("*.py")) if not write(path, is_check)]
    for path in stale:
        print(f"{target(path)} is out of date: run {Path(__file__).name}")
    return 1 if stale else 0


def write(path: Path, is_check: bool) -> bool:
    """Writes the synchronous form of a file; returns whether it is current."""
    if path.name in BY_HAND:
        return True
    text = synchronous(path.read_text(), path.name)
    if not is_check:
        target(path).write_text(text)
    return target(path).exists() and target(path).read_text() == text


def target(path: Path) -> Path:
    return PACKAGE / "_sync" / path.name


def synchronous(text: str, name: str) -> str:
    for pattern, replacement in REPLACEMENTS:
        text = re.sub(pattern, replacement, text)
    # The note follows the module's docstring.
    start, end = '"""', '"""\n'
    head, body = text.split(start, 2)[1:]
    head = head.rstrip("\n").split(" `generate_sync.py`")[0]
    return f'{start}{head}{NOTE.format(name=name)}{end}{body.removeprefix(chr(10))}'


if __name__ == "__main__":
    sys.exit(main())
