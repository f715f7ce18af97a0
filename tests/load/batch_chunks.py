"""Runs k8s/examples/batch-chunks as processes: questions split by position, one chunk per pod.

`pentad batch` finds the `key` of every position first, and equal and symmetric positions go
into one chunk, as the runbook describes for 10^9 questions. Then the Job's pods answer one
chunk each, two of them are ended half-way, and every question has to be answered exactly once.
Run by tests/load/check with few questions.
"""

import argparse
import json
import os
import shutil
import subprocess
import time
import zlib

import yaml

from batch_job import Job, run_and_check
from questions import popular_positions
from served import DEPLOY, OUT

EXAMPLE = DEPLOY / "k8s/examples/batch-chunks"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--questions", type=int, default=1000)
    options.add_argument("--chunks", type=int, default=20)
    options.add_argument("--parallelism", type=int, default=4)
    options.add_argument("--nodes", type=int, default=1, help="node limit of each search")
    options = options.parse_args()
    volume = OUT / "batch-chunks"
    shutil.rmtree(volume, ignore_errors=True)
    (volume / "answers").mkdir(parents=True)
    asked = list(questions(options.questions, options.nodes))
    job = Job(spec() | {"completions": options.chunks, "parallelism": options.parallelism}, volume)
    started = time.monotonic()
    n_positions = split(asked, job)
    print(f"{len(asked):,} questions about {n_positions:,} positions, split within {time.monotonic() - started:.1f} s")
    started = time.monotonic()
    run_and_check(job, asked)
    n_bytes = sum(map(len, job.files()))
    print(f"   ok  {options.chunks} chunks, twice, within {time.monotonic() - started:.1f} s; {n_bytes / len(asked):,.0f} bytes per answer")


def questions(n_questions, nodes):
    for idx, position in enumerate(popular_positions(n_questions // 2, n_questions, marbles=12)):
        question = {"id": f"question-{idx}", "game": "pentago", "position": position}
        yield question | ({"kind": "position"} if idx % 2 else {"kind": "hints", "limits": {"nodes": nodes, "timeMs": 10_000}})


def spec():
    text = subprocess.run(["kubectl", "kustomize", EXAMPLE], check=True, capture_output=True, text=True).stdout
    return next(item["spec"] for item in yaml.safe_load_all(text) if item["kind"] == "Job")


def split(asked, job):
    """Writes a chunk per index; returns the number of different positions."""
    lines = lambda questions: "".join(json.dumps(question) + "\n" for question in questions)
    positions = [{name: question[name] for name in ("id", "game", "position")} | {"kind": "position"} for question in asked]
    answered = subprocess.run([os.environ["PENTAD"], "batch", "-"], env=job.environment, input=lines(positions), capture_output=True, text=True, check=True)
    keys = {line["id"]: line["answer"]["key"] for line in map(json.loads, answered.stdout.splitlines())}
    chunks = [[] for _ in range(job.n_indexes)]
    for question in asked:
        chunks[zlib.crc32(keys[question["id"]].encode()) % job.n_indexes].append(question)
    for index, chunk in enumerate(chunks):
        path = job.input(index)
        path.parent.mkdir(parents=True)
        path.write_text(lines(chunk))
    return len(set(keys.values()))


if __name__ == "__main__":
    main()
