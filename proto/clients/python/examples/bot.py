"""Two bots of different levels play a game: `python bot.py [GAME] [LEVEL LEVEL...]`."""

import sys

from pentad import Pentad

game = sys.argv[1] if len(sys.argv) > 1 else "pentago"
levels = [int(level) for level in sys.argv[2:]] or [3, 7]

with Pentad("http://127.0.0.1:8080") as pentad:
    seats = pentad.game(game).seats
    moves: list[str] = []
    while (position := pentad.position(game, moves=moves)).outcome is None:
        level = levels[seats.index(position.to_move) % len(levels)]
        answer = pentad.hint(game, moves=moves, level=level, limits={"time_ms": 500})
        moves.append(answer.hints[0].move)
        print(position.to_move, answer.hints[0].move, answer.evaluation.scores)
    print(position.outcome.text, position.outcome.scores)
