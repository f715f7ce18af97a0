"""Plots a reviewed game: `python plot_review.py GAME FILE.png MOVE...`."""

import sys

import matplotlib.pyplot as plt

from pentad import Pentad

game, file, *moves = sys.argv[1:]
with Pentad("http://127.0.0.1:8080") as pentad:
    review = pentad.review(game, moves=moves, limits={"time_ms": 500}).result()

figure, axes = plt.subplots(figsize=(max(6, len(moves) / 3), 4))
for seat, totals in review.summary.seats.items():
    accuracy = "–" if totals.accuracy is None else f"{totals.accuracy:.0f} %"
    scores = [score.get(seat, float("nan")) for score in review.summary.scores]
    axes.plot(range(len(scores)), scores, marker="o", label=f"{seat}, accuracy {accuracy}")
for move in review.moves:
    if move.label in ("mistake", "blunder", "missed_win"):
        score = review.summary.scores[move.index + 1].get(move.seat, 0.5)
        axes.annotate(f"{move.move}: {move.label}", (move.index + 1, score), rotation=20)
axes.set(xlabel="moves", ylabel="expected score", ylim=(-0.05, 1.05), title=f"A game of {game}")
axes.legend()
figure.savefig(file, bbox_inches="tight")
