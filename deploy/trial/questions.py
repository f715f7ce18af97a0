"""Positions to ask about."""

import random


def pentago_positions(marbles, seed=1):
    """Pentago positions with so many marbles, thrown on the board, without end.

    The book ends at 6 marbles, and from 18 on a position is solved exactly; a
    position between them has to be searched.
    """
    chance = random.Random(seed)
    while True:
        yield pentago_position(chance, marbles)


def pentago_position(chance, marbles):
    cells = ["w"] * ((marbles + 1) // 2) + ["b"] * (marbles // 2) + [" "] * (36 - marbles)
    while True:
        chance.shuffle(cells)
        rows = ["".join(cells[start : start + 6]) for start in range(0, 36, 6)]
        if not has_five(rows):
            break
    text = "/".join(rows)
    for blanks in range(6, 0, -1):
        text = text.replace(" " * blanks, str(blanks))
    return f"{text} {'b' if marbles % 2 else 'w'}"


def has_five(rows):
    """Whether somebody has won already."""
    at = lambda x, y: rows[y][x] if 0 <= x < 6 and 0 <= y < 6 else " "
    steps = [(1, 0), (0, 1), (1, 1), (1, -1)]
    lines = ({at(x + i * dx, y + i * dy) for i in range(5)} for x in range(6) for y in range(6) for dx, dy in steps)
    return any(line in ({"w"}, {"b"}) for line in lines)
