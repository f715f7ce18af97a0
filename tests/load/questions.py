"""Generates positions for the load tests."""

import random


def pentago_positions(marbles, seed=1):
    """Yields random Pentago positions with this many marbles, endlessly.

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
            return notation(rows, "b" if marbles % 2 else "w")


def notation(rows, side):
    text = "/".join(rows)
    for blanks in range(6, 0, -1):
        text = text.replace(" " * blanks, str(blanks))
    return f"{text} {side}"


def has_five(rows):
    """Whether either side has five in a row."""
    at = lambda x, y: rows[y][x] if 0 <= x < 6 and 0 <= y < 6 else " "
    steps = [(1, 0), (0, 1), (1, 1), (1, -1)]
    lines = ({at(x + i * dx, y + i * dy) for i in range(5)} for x in range(6) for y in range(6) for dx, dy in steps)
    return any(line in ({"w"}, {"b"}) for line in lines)


def popular_positions(n_positions, n_questions, marbles, seed=1):
    """Returns `n_questions` positions drawn from `n_positions`, the k-th 1/k times as often as the
    first (Zipf's law), each in a random one of its eight orientations."""
    chance = random.Random(seed)
    positions = [pentago_position(chance, marbles) for _ in range(n_positions)]
    weights = [1 / rank for rank in range(1, n_positions + 1)]
    asked = chance.choices(positions, weights, k=n_questions)
    return [chance.choice(orientations(position)) for position in asked]


def orientations(position):
    """Returns the eight symmetric positions."""
    board, side = position.split(" ")
    rows = ["".join(" " * int(cell) if cell.isdigit() else cell for cell in row) for row in board.split("/")]
    found = []
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1])]
        found += [notation(rows, side), notation([row[::-1] for row in rows], side)]
    return found
