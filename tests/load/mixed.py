"""Mixed load beyond capacity, with cancels, reloads, crashes, pauses and busy neighbours.

    tests/load/mixed [--seconds 600] [--factor 2]

Measures how many hints per second this machine answers, then sends twice as many calls of
every kind over gRPC and REST. Meanwhile callers leave in the middle, rule sets are reloaded
and replaced, a rule set crashes, the server is stopped and continued, and other processes
use every core. Checked at any speed:

- every answer is complete or an honest refusal: `overloaded` with a time to retry, or
  `ruleset_fault` and `ruleset_unavailable` of the rule set that crashes, and of no other;
- nothing proven is false: some of the positions have been solved before, without load;
- afterwards the server answers every game, has no search left, and its memory is bounded.

Prints rates, latencies and those of `/healthz`; judging these is left to the reader, because
they depend on the machine.
"""

import argparse
import collections
import http.client
import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

import grpc
from google.rpc import error_details_pb2, status_pb2
from pentad.v1 import analysis_pb2, analysis_pb2_grpc, limits_pb2

from questions import pentago_positions
from served import OUT, TREE, Server
from served import http as get

BUDGET_MS = 50
CRASHING = "crashes"
# An honest answer to a call beyond capacity, with a time to retry.
REFUSED = "overloaded"
FAULTS = ("ruleset_fault", "ruleset_unavailable")
# Caches, idle tables and stores have bounds of their own; beyond this something grows.
MEMORY_MIB_MAX = 2048
# Positions with this many marbles are solved exactly within the time of a question.
SOLVED_MARBLES = 24


class Tally:
    """Counts what came back, and keeps what must not have."""

    def __init__(self):
        self.lock = threading.Lock()
        self.counts = collections.Counter()
        self.took = collections.defaultdict(list)
        self.wrong = []

    def count(self, kind, what, seconds):
        with self.lock:
            self.counts[kind, what] += 1
            self.took[kind].append(seconds)

    def fault(self, text):
        with self.lock:
            self.wrong.append(text)


class Load:
    """Callers that each send one call after the other, at most `rate` per second in total."""

    def __init__(self, server, positions, known, rate, tally):
        self.server, self.known, self.tally = server, known, tally
        self.positions = itertools.cycle(positions)
        self.lock, self.stopping = threading.Lock(), threading.Event()
        self.interval, self.next_call = 1 / rate, time.monotonic()
        self.threads = []

    def run(self, n_callers):
        for seed in range(n_callers):
            thread = threading.Thread(target=self.caller, args=(random.Random(seed),))
            thread.start()
            self.threads.append(thread)

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def take_turn(self):
        """Waits for the time of the next call; calls that are late are not made up for."""
        with self.lock:
            now = time.monotonic()
            self.next_call = max(self.next_call + self.interval, now)
            position, due = next(self.positions), self.next_call
        self.stopping.wait(due - now)
        return position

    def caller(self, chance):
        rest, grpc_calls = RestCaller(self), GrpcCaller(self)
        while not self.stopping.is_set():
            position = self.take_turn()
            caller = chance.choice((rest, grpc_calls))
            kind = chance.choice(caller.KINDS)
            started = time.monotonic()
            try:
                what = caller.call(kind, position, chance)
            except Exception as error:  # Any exception is no answer.
                what = "no answer"
                self.tally.fault(f"{kind}: {type(error).__name__}: {error}")
                caller.reconnect()
            self.tally.count(kind, what, time.monotonic() - started)
        grpc_calls.channel.close()

    def check_refusal(self, kind, game, reason, has_retry):
        """Counts a refusal, which is wrong unless it is an honest one."""
        honest = (reason == REFUSED and has_retry) or (game == CRASHING and reason in FAULTS)
        if not honest:
            self.tally.fault(f"{kind}: {game}: refused with {reason!r}, time to retry: {has_retry}")
        return reason

    def check_evaluation(self, kind, position, certainty, outcome):
        known = self.known.get(position)
        if known and certainty == "proven" and outcome != known:
            self.tally.fault(f"{kind}: {position} is a {known}, but {outcome!r} is called proven")


class RestCaller:
    KINDS = ["rest hint", "rest evaluation", "rest position", "rest threats", "rest analysis", "rest review", "rest crash", "rest leave"]

    def __init__(self, load):
        self.load, self.connection = load, None

    def reconnect(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def send(self, path, body, accept="application/json"):
        self.connection = self.connection or http.client.HTTPConnection(self.load.server.rest, timeout=120)
        head = {"content-type": "application/json", "accept": accept}
        self.connection.request("POST", path, json.dumps(body), head)
        return self.connection.getresponse()

    def call(self, kind, position, chance):
        limits = {"timeMs": BUDGET_MS}
        game, body, path = "pentago", {"position": position, "limits": limits}, kind.removeprefix("rest ")
        if path in ("position", "threats"):
            del body["limits"]
        if path == "crash":
            game, path, body = CRASHING, "position", {"variant": "segfault", "position": "1 a", "moves": ["2"]}
        if path == "review":
            body = {"moves": ["c3-2r", "d4-1l", "b2-3r"], "limits": {"timeMs": 10}}
        if path == "leave":
            return self.leave(body, chance)
        path = "hints" if path == "hint" else path
        streams = path in ("analysis", "review")
        answer = self.send(f"/v1/games/{game}/{path}", body, "application/x-ndjson" if streams else "application/json")
        text = answer.read().decode()
        if answer.status != 200:
            problem = json.loads(text)
            return self.load.check_refusal(kind, game, problem["reason"], answer.getheader("retry-after") is not None)
        lines = [json.loads(line) for line in text.splitlines()] if streams else [json.loads(text)]
        self.check(kind, position, lines)
        return "answered"

    def check(self, kind, position, lines):
        last = lines[-1]
        if kind == "rest analysis" and not last.get("final"):
            self.load.tally.fault(f"{kind}: ended without a final message: {str(last)[:300]}")
        if kind == "rest review" and "summary" not in last and last.get("error", {}).get("reason") != REFUSED:
            self.load.tally.fault(f"{kind}: ended without a summary: {str(last)[:300]}")
        if kind == "rest hint" and not last["hints"]:
            self.load.tally.fault(f"{kind}: {position}: no move")
        evaluation = last.get("evaluation")
        if evaluation and kind != "rest review":
            self.load.check_evaluation(kind, position, evaluation["certainty"], evaluation["outcome"])

    def leave(self, body, chance):
        """Closes the connection while the answer is being searched."""
        connection = http.client.HTTPConnection(self.load.server.rest, timeout=120)
        body["limits"] = {"timeMs": 2000}
        connection.request("POST", "/v1/games/pentago/hints", json.dumps(body), {"content-type": "application/json"})
        self.load.stopping.wait(chance.uniform(0, BUDGET_MS / 1000))
        connection.close()
        return "left"


class GrpcCaller:
    KINDS = ["gRPC hint", "gRPC evaluation", "gRPC position", "gRPC analysis", "gRPC leave", "gRPC crash"]

    def __init__(self, load):
        self.load, self.channel = load, None
        self.reconnect()

    def reconnect(self):
        if self.channel:
            self.channel.close()
        self.channel = grpc.insecure_channel(self.load.server.grpc)
        self.stub = analysis_pb2_grpc.AnalysisStub(self.channel)

    def call(self, kind, position, chance):
        place = {"game": "pentago", "position": position}
        limits = limits_pb2.Limits(time_ms=BUDGET_MS)
        try:
            if kind == "gRPC hint":
                answer = self.stub.Hint(analysis_pb2.HintRequest(**place, limits=limits), timeout=120)
                assert answer.hints, f"{position}: no move"
                self.check(kind, position, answer.evaluation)
            elif kind == "gRPC evaluation":
                answer = self.stub.Evaluate(analysis_pb2.EvaluateRequest(**place, limits=limits), timeout=120)
                self.check(kind, position, answer.evaluation)
            elif kind == "gRPC position":
                assert self.stub.DescribePosition(analysis_pb2.DescribePositionRequest(**place), timeout=120).position
            elif kind == "gRPC analysis":
                *_, last = self.stub.Analyze(analysis_pb2.AnalyzeRequest(**place, limits=limits), timeout=120)
                assert last.final, "ended without a final message"
            elif kind == "gRPC leave":
                return self.leave(place, chance)
            else:
                place = {"game": CRASHING, "variant": "segfault", "position": "1 a", "moves": ["2"]}
                self.stub.DescribePosition(analysis_pb2.DescribePositionRequest(**place), timeout=120)
        except grpc.RpcError as error:
            reason, has_retry = decode(error)
            return self.load.check_refusal(kind, place["game"], reason, has_retry)
        return "answered"

    def check(self, kind, position, evaluation):
        certainty = "proven" if evaluation.certainty == 1 else "estimate"
        outcome = type(evaluation).DESCRIPTOR.fields_by_name["outcome"].enum_type.values_by_number[evaluation.outcome].name
        self.load.check_evaluation(kind, position, certainty, outcome.removeprefix("OUTCOME_").lower())

    def leave(self, place, chance):
        call = self.stub.Hint.future(analysis_pb2.HintRequest(**place, limits=limits_pb2.Limits(time_ms=2000)))
        self.load.stopping.wait(chance.uniform(0, BUDGET_MS / 1000))
        call.cancel()
        return "left"


def decode(error):
    """Returns the reason of a failed call, and whether it has a time to retry."""
    reason, has_retry = f"{error.code().name} {error.details()}", False
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            for detail in status_pb2.Status.FromString(value).details:
                info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
                if detail.Unpack(info):
                    reason = info.reason
                has_retry |= detail.Unpack(retry)
    return reason, has_retry


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=600, help="duration of the load")
    options.add_argument("--factor", type=float, default=2, help="calls per second, as a multiple of the measured capacity")
    options = options.parse_args()
    store = OUT / "mixed.redb"
    store.unlink(missing_ok=True)
    tally = Tally()
    with Server("mixed", extra_rulesets=[build_crashing()], store=store, memory_per_search_mib=64) as server:
        server.until("it serves all games", server.ready)
        known = solve(server, 40)
        positions = [*itertools.islice(pentago_positions(marbles=12), 2000), *known]
        random.Random(1).shuffle(positions)
        rate = capacity(server, min(5, options.seconds)) * options.factor
        print(f"{rate:.0f} calls per second, {options.factor:g} times what was answered before", flush=True)
        before = server.memory_mib()
        load = Load(server, positions, known, rate, tally)
        with Disturbances(server, options.seconds) as disturbances, Health(server, disturbances) as health:
            load.run(n_callers=64)
            time.sleep(options.seconds)
            load.stop()
        settle(server)
        report(tally, options.seconds)
        print(f"/healthz: {health.summary()}")
        print(f"disturbances: {dict(disturbances.done)}")
        print(f"memory: {before:.0f} MiB before, peak {server.memory_peak_mib():.0f}, {server.memory_mib():.0f} after")
        assert not tally.wrong, f"{len(tally.wrong)} wrong answers, for example:\n" + "\n".join(tally.wrong[:10])
        answered = sum(n for (_kind, what), n in tally.counts.items() if what == "answered")
        assert answered > 0, "nothing was answered"
        assert server.memory_peak_mib() < MEMORY_MIB_MAX, "memory is not bounded"
        assert all(disturbances.done.values()), f"not all disturbances took place: {disturbances.done}"
    print("   ok  mixed load beyond capacity: answers and honest refusals only")


def build_crashing():
    """Compiles the rule set that crashes, and returns the library."""
    library = OUT / "mixed-crashing" / f"libruleset_{CRASHING}.so"
    library.parent.mkdir(parents=True, exist_ok=True)
    flags = ["-shared", "-fPIC", "-std=c11", "-O1", "-pthread", f"-I{TREE / 'rulesets/abi/include'}", f'-DGAME_ID="{CRASHING}"']
    source = TREE / "tests/plugins/crashing/crashes.c"
    subprocess.run([os.environ.get("CC", "cc"), *flags, "-o", library, source], check=True)
    return library


def solve(server, n_positions):
    """Returns the outcomes of late positions, which the solver proves without load."""
    known = {}
    for position in itertools.islice(pentago_positions(marbles=SOLVED_MARBLES), n_positions):
        body = json.dumps({"position": position, "limits": {"timeMs": 60_000}}).encode()
        status, text = get(f"http://{server.rest}/v1/games/pentago/evaluation", body, timeout=120)
        assert status == 200, text
        evaluation = json.loads(text)["evaluation"]
        assert evaluation["certainty"] == "proven", f"{position}: {text}"
        known[position] = evaluation["outcome"]
    return known


def capacity(server, seconds):
    """Returns the searched hints per second that callers without pauses get."""
    fresh, lock, count = pentago_positions(marbles=11), threading.Lock(), itertools.count()
    give_up = time.monotonic() + seconds

    def ask():
        while time.monotonic() < give_up:
            with lock:
                position = next(fresh)
            body = json.dumps({"position": position, "limits": {"timeMs": BUDGET_MS}}).encode()
            if get(f"http://{server.rest}/v1/games/pentago/hints", body, timeout=120)[0] == 200:
                next(count)

    callers = [threading.Thread(target=ask) for _ in range(2 * (os.cpu_count() or 1))]
    started = time.monotonic()
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    return max(next(count), 1) / (time.monotonic() - started)


class Disturbances:
    """Reloads, replaces a rule set, pauses the server, and keeps every core busy, in turn."""

    def __init__(self, server, seconds):
        self.server, self.stopping = server, threading.Event()
        # Every kind takes place at least once in a short run.
        self.interval = min(10, seconds / 10)
        self.kinds = {"reload": self.reload, "replace": self.replace, "pause": self.pause, "busy": self.busy}
        self.done = collections.Counter({kind: 0 for kind in self.kinds})
        self.quiet = True
        self.thread = threading.Thread(target=self.run)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()

    def run(self):
        for kind in itertools.cycle(self.kinds):
            if self.stopping.wait(self.interval):
                return
            self.quiet = kind not in ("pause", "busy")
            self.kinds[kind]()
            self.quiet = True
            self.done[kind] += 1

    def reload(self):
        status, text = get(f"http://{self.server.admin}/plugins:reload", b"", timeout=120)
        assert status == 200, text

    def replace(self):
        """Writes a rule set beside itself and renames it, as an upgrade does."""
        library = next(self.server.rulesets.glob("libruleset_pentaflip.so"))
        copy = library.with_suffix(".new")
        shutil.copy(library, copy)
        copy.rename(library)
        self.reload()

    def pause(self):
        self.server.process.send_signal(signal.SIGSTOP)
        self.stopping.wait(2.5)
        self.server.process.send_signal(signal.SIGCONT)

    def busy(self):
        spin = [sys.executable, "-c", "while True: pass"]
        spinning = [subprocess.Popen(spin) for _ in range(20 * (os.cpu_count() or 1))]
        self.stopping.wait(self.interval)
        for process in spinning:
            process.kill()
            process.wait()


class Health:
    """Asks `/healthz` all the time; keeps times of pauses and busy cores apart."""

    def __init__(self, server, disturbances):
        self.server, self.disturbances, self.stopping = server, disturbances, threading.Event()
        self.took = {True: [], False: []}
        self.thread = threading.Thread(target=self.run)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()

    def run(self):
        while not self.stopping.wait(0.05):
            quiet, started = self.disturbances.quiet, time.monotonic()
            status, text = get(f"http://{self.server.admin}/healthz", timeout=120)
            assert status == 200, text
            self.took[quiet and self.disturbances.quiet].append(time.monotonic() - started)

    def summary(self):
        names = {True: "without", False: "with"}
        return "; ".join(f"{names[quiet]} pauses and busy cores {percentiles(took)}" for quiet, took in self.took.items())


def percentiles(took):
    took = sorted(took) or [0]
    return f"p50 {took[len(took) // 2] * 1000:.1f}, p99 {took[int(len(took) * 0.99)] * 1000:.1f}, max {took[-1] * 1000:.1f} ms of {len(took)}"


def settle(server):
    """Waits until nothing is left of the load, and every bundled game answers."""
    server.until("no search is left", lambda: server.total("^pentad_searches_running") == 0)
    server.until("queues are empty", lambda: server.total("^pentad_queue_depth") == 0)
    for game in ("pentago", "pentago-xl", "pentagame", "pentaflip"):
        body = json.dumps({"limits": {"timeMs": BUDGET_MS}}).encode()
        status, text = get(f"http://{server.rest}/v1/games/{game}/hints", body, timeout=120)
        assert status == 200, f"{game} does not answer after the load: {text}"


def report(tally, seconds):
    print("| call | per second | results | p50, p99, max |\n| --- | --- | --- | --- |")
    for kind in sorted(tally.took):
        results = {what: n for (of, what), n in tally.counts.items() if of == kind}
        took = tally.took[kind]
        print(f"| {kind} | {len(took) / seconds:.1f} | {results} | {percentiles(took)} |")


if __name__ == "__main__":
    main()
