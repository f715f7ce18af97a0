"""Runs the Indexed Job of k8s/examples/batch-job as processes, two of which are ended half-way.

Arguments, environment, completions and parallelism are those of the manifest; the volume is a
directory. One pod is killed (SIGKILL) and one evicted (SIGTERM) half-way, and both are
restarted, as the Job's controller does. They read their questions from a pipe that holds
the first half and does not end, so on any machine they have answers and cannot complete. Then
every question has to be answered exactly once, in the files of all pods together, and running
the whole Job again searches nothing. Run by tests/load/check.
"""

import collections
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import yaml

from questions import pentago_positions
from served import DEPLOY, OUT

JOB = DEPLOY / "k8s/examples/batch-job/job.yaml"
N_QUESTIONS = 200
NODES = 1000
# Capacity of a pipe on Linux.
PIPE_BYTES = 64 * 1024
ENDED = {1: signal.SIGKILL, 3: signal.SIGTERM}


def main():
    volume = OUT / "batch-job"
    shutil.rmtree(volume, ignore_errors=True)
    volume.mkdir(parents=True)
    asked = list(questions())
    (volume / "questions.ndjson").write_text("".join(json.dumps(question) + "\n" for question in asked))
    job = Job(yaml.safe_load(JOB.read_text())["spec"], volume)

    run_and_check(job, asked)


def run_and_check(job, asked):
    """Runs the Job with two ends half-way, then once more."""
    job.run(ENDED)
    assert job.n_started == job.n_indexes + len(ENDED), f"{job.n_started} pods were started"
    for index, n_answers in job.had_answers.items():
        assert 0 < n_answers < len(job.answers(index)), f"pod {index} was not ended half-way: {n_answers} answers"
    check_answers(job, asked)
    written = job.files()
    job.run({})
    assert job.files() == written, "the second run changed something"
    ends = ", ".join(f"pod {index} by {ENDED[index].name} after {n_answers} answers" for index, n_answers in job.had_answers.items())
    print(f"   ok  {len(asked)} questions, {job.n_indexes} pods, {job.parallelism} at once; ended and started again: {ends}")
    print("   ok  every question was answered exactly once, and a second run searched nothing")


def questions():
    """Yields mostly hints, and some questions that need no search. Every tenth position repeats under another id."""
    fresh = pentago_positions(marbles=12)
    position = None
    for idx in range(N_QUESTIONS):
        position = position if idx % 10 == 9 else next(fresh)
        question = {"id": f"question-{idx}", "game": "pentago", "position": position}
        if idx % 5 == 4:
            yield question | {"kind": "position"}
        else:
            yield question | {"kind": "hints", "limits": {"nodes": NODES, "timeMs": 10_000}}


def check_answers(job, asked):
    """Checks that every question has exactly one answer, and that it fits the question."""
    counts, by_id = collections.Counter(), {}
    for index in range(job.n_indexes):
        for line in job.answers(index):
            counts[line["id"]] += 1
            by_id[line["id"]] = line["answer"]
    ids = [question["id"] for question in asked]
    lacking, repeated = set(ids) - counts.keys(), [one for one, count in counts.items() if count > 1]
    assert not lacking and not repeated and len(counts) == len(ids), f"lacking {lacking}, repeated {repeated}"
    for question in asked:
        answer = by_id[question["id"]]
        assert answer["hints"] if question["kind"] == "hints" else answer["position"] == question["position"], answer


class Job:
    """Runs up to `parallelism` processes at a time until each index has completed."""

    def __init__(self, spec, volume):
        self.n_indexes, self.parallelism, self.volume = spec["completions"], spec["parallelism"], volume
        self.retries_max = spec["backoffLimitPerIndex"]
        (container,) = spec["template"]["spec"]["containers"]
        (mount,) = container["volumeMounts"]
        self.arguments = [argument.replace(mount["mountPath"], str(volume)) for argument in container["args"]]
        variables = {one["name"]: one["value"] for one in container["env"]}
        self.environment = os.environ | variables | {"PENTAD_RULESETS": os.environ["RULESETS"]}
        self.n_started, self.had_answers, self.pipes = 0, {}, []

    def run(self, to_end):
        """`to_end` maps an index to the signal that its first pod gets after its first answer."""
        waiting, pods, n_failed = list(range(self.n_indexes)), {}, collections.Counter()
        to_end = dict(to_end)
        while waiting or pods:
            while waiting and len(pods) < self.parallelism:
                index = waiting.pop(0)
                pods[index] = self.start(index, half=index in to_end)
            for index, pod in list(pods.items()):
                if index in to_end and self.n_answers(index) > 0:
                    pod.send_signal(to_end.pop(index))
                    pod.wait()
                    self.had_answers[index] = self.n_answers(index)
                code = pod.poll()
                if code is None:
                    continue
                del pods[index]
                if code != 0:
                    n_failed[index] += 1
                    assert code not in (2, 64) and n_failed[index] <= self.retries_max, f"index {index} fails: {code}\n{self.log(index).read_text()}"
                    waiting.append(index)
            time.sleep(0.005)

    def start(self, index, half):
        """Starts a pod. With `half`, its input is a pipe with at most half of the questions, which stays open."""
        arguments = self.arguments_of(index)
        if half:
            arguments[1] = self.half_pipe(index, self.input(index))
        self.n_started += 1
        with open(self.log(index), "ab") as log:
            return subprocess.Popen([os.environ["PENTAD"], *arguments], env=self.environment, stdout=log, stderr=log)

    def arguments_of(self, index):
        return [argument.replace("$(JOB_COMPLETION_INDEX)", str(index)) for argument in self.arguments]

    def input(self, index):
        return pathlib.Path(self.arguments_of(index)[1])

    def half_pipe(self, index, questions):
        pipe = self.volume / f"half-{index}.pipe"
        os.mkfifo(pipe)
        # Open for reading, too, so that opening does not wait for the pod.
        self.pipes.append(open(pipe, "r+b", buffering=0))
        lines = questions.read_bytes().splitlines(keepends=True)
        text = b"".join(lines[: len(lines) // 2])[:PIPE_BYTES]
        self.pipes[-1].write(text[: text.rindex(b"\n") + 1])
        return pipe

    def log(self, index):
        return self.volume / f"pod-{index}.log"

    def path(self, index):
        (output,) = [argument for argument in self.arguments_of(index) if argument.startswith("--output=")]
        return pathlib.Path(output.removeprefix("--output="))

    def n_answers(self, index):
        """Counts whole lines: a truncated one is not an answer."""
        return self.path(index).read_bytes().count(b"\n") if self.path(index).exists() else 0

    def answers(self, index):
        return [json.loads(line) for line in self.path(index).read_text().splitlines()]

    def files(self):
        return [self.path(index).read_bytes() for index in range(self.n_indexes)]


if __name__ == "__main__":
    main()
