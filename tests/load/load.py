"""Measures one core: calls per second, hints per second, memory; and recommends settings for this machine.

The server runs on one core and the callers on the others, so the figures do not
depend on the machine's number of cores. Run by tests/load/load; the tables in the
runbook come from it, by

  tests/load/load --solve 18:1000 17:1500 17:5120 --write

on a machine that does nothing else.
"""

import argparse
import itertools
import math
import os
import pathlib
import re
import subprocess
import threading
import time

import grpc
from pentad.v1 import analysis_pb2, analysis_pb2_grpc
from pentad.v1.evaluation_pb2 import Source

from questions import pentago_positions
from served import DEPLOY, OUT, Server
from tables import Table, replaced

CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE, CALLER_CORES = {CORES[0]}, set(CORES[1:]) or {CORES[0]}
# As in the image for bundled rule sets.
ISOLATION = "in-process"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=5, help="duration of each measurement")
    options.add_argument("--budgets", type=int, nargs="*", default=[10, 100, 1000], help="time limits of hints, in ms")
    options.add_argument("--callers", type=int, nargs="*", default=[1, 4, 16], help="concurrent callers, for hints")
    options.add_argument("--solve", type=solution, nargs="*", default=[(18, 1000)], metavar="MARBLES:MIB", help="solve positions with these numbers of marbles and memory limits, by default 18:1000")
    options.add_argument("--hints-per-second", type=float, default=100, help="load that the recommendation is for")
    options.add_argument("--write", action="store_true", help="put the tables into deploy/runbook.md")
    options = options.parse_args()
    load_before = os.getloadavg()[0]
    calls = calls_without_search(options.seconds)
    measured, table = hints(options.seconds, options.budgets, options.callers)
    tables = [calls, table]
    if options.solve:
        tables.append(solutions(options.solve))
    recommend(options.hints_per_second, measured)
    tables.append(machine(load_before))
    if options.write:
        runbook = DEPLOY / "runbook.md"
        runbook.write_text(replaced(runbook.read_text(), tables))


def solution(text):
    """Parses `18:1000`: marbles and MiB."""
    marbles, mib = text.split(":")
    return int(marbles), int(mib)


def machine(load_before):
    """Names the machine. With other work on it the figures are lower bounds."""
    names = re.findall(r"^(?:model name|Model|CPU part)\s*: (.+)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    version = subprocess.run([os.environ["PENTAD"], "--version"], capture_output=True, text=True, check=True).stdout.splitlines()
    print()
    table = Table("machine")
    loads = (f"{load:.1f}" for load in (load_before, os.getloadavg()[0]))
    table.row(names[0] if names else "unknown", len(CORES), f"{memory_limit_mib():,} MiB", f"{version[0]}, {version[-1]}", *loads)
    return table


def calls_without_search(seconds):
    """Measures calls as fast as h2load sends them over 16 connections."""
    table = Table("calls")
    place = {"game": "pentago", "position": next(pentago_positions(marbles=10))}
    rpcs = [
        ("gRPC DescribePosition", "DescribePosition", analysis_pb2.DescribePositionRequest(**place)),
        ("gRPC ListLegalMoves", "ListLegalMoves", analysis_pb2.ListLegalMovesRequest(**place)),
        ("gRPC Hint, from the book", "Hint", analysis_pb2.HintRequest(game="pentago")),
        ("gRPC Hint, remembered", "Hint", analysis_pb2.HintRequest(**place, limits=analysis_pb2.Limits(time_ms=50))),
    ]
    with Server("load", cores=SERVER_CORE, workers=1, isolation=ISOLATION) as server:
        for name, rpc, request in rpcs:
            # A gRPC message on the wire: uncompressed flag, length, message.
            message = request.SerializeToString()
            body = OUT / "load-body"
            body.write_bytes(b"\0" + len(message).to_bytes(4, "big") + message)
            heads = ["-H", "content-type: application/grpc", "-H", "te: trailers", "-d", body]
            table.row(name, *measure(name, server, seconds, [*heads, f"http://{server.grpc}/pentad.v1.Analysis/{rpc}"]))
        path = f"http://{server.rest}/v1/games/pentago/position"
        name, ask = "REST GET position", ["--h1", f"{path}?position={place['position'].replace(' ', '%20')}"]
        table.row(name, *measure(name, server, seconds, ask))
    return table


def measure(name, server, seconds, ask):
    """Returns calls per second of CPU time, CPU time per call and calls per second."""
    answered = lambda: server.total(r'^pentad_requests_total.*code="(OK|200)"')
    warm_up = ["taskset", "-c", ",".join(map(str, CALLER_CORES)), "h2load", "-c16", "-t1"]
    subprocess.run([*warm_up, "-n100", *ask], check=True, capture_output=True)
    before, cpu, started = answered(), server.cpu_seconds(), time.monotonic()
    subprocess.run([*warm_up, f"-D{seconds * 1000:.0f}ms", *ask], check=True, capture_output=True)
    count, took = answered() - before, time.monotonic() - started
    assert count > 0, f"{name}: nothing was answered"
    # At least one tick of the kernel's clock.
    cpu = max(server.cpu_seconds() - cpu, 1 / os.sysconf("SC_CLK_TCK"))
    return f"{count / cpu:,.0f}", f"{cpu / count * 1e6:.0f} µs", f"{count / took:,.0f}"


def hints(seconds, budgets, callers):
    """Uses new positions only, so that every hint is searched. Returns budget, callers, hints per second and p99 of
    each row, and the table."""
    measured = []
    print()
    table = Table("hints")
    fresh = pentago_positions(marbles=12)
    for budget in budgets:
        for n_callers in callers:
            with Server("load", cores=SERVER_CORE, workers=1, memory_per_search_mib=64, isolation=ISOLATION) as server:
                started, cpu = time.monotonic(), server.cpu_seconds()
                took, stops = ask_hints(server, fresh, budget, n_callers, max(seconds, 5 * budget / 1000))
                per_second = len(took) / (time.monotonic() - started)
                cpu = (server.cpu_seconds() - cpu) / len(took)
            took.sort()
            share = lambda stop: f"{stops.count(stop) / len(stops):.0%}"
            p50, p99 = took[len(took) // 2], took[int(len(took) * 0.99)]
            times = (f"{cpu * 1000:,.1f} ms", f"{p50 * 1000:,.0f}", f"{p99 * 1000:,.0f}")
            table.row(budget, n_callers, f"{per_second:,.1f}", *times, share("PROVEN"), share("LOAD"))
            measured.append((budget, n_callers, per_second, p99))
    return measured, table


def ask_hints(server, fresh, budget, n_callers, seconds):
    os.sched_setaffinity(0, CALLER_CORES)
    took, stops, lock = [], [], threading.Lock()
    give_up = time.monotonic() + seconds

    def ask():
        # At least once, however slow the machine is.
        is_first = True
        while (started := time.monotonic()) < give_up or is_first:
            is_first = False
            with lock:
                position = next(fresh)
            limits = analysis_pb2.Limits(time_ms=budget)
            answer = stub.Hint(analysis_pb2.HintRequest(game="pentago", position=position, limits=limits))
            with lock:
                took.append(time.monotonic() - started)
                stops.append(analysis_pb2.StopReason.Name(answer.stop_reason).removeprefix("STOP_REASON_"))

    with grpc.insecure_channel(server.grpc) as channel:
        stub = analysis_pb2_grpc.AnalysisStub(channel)
        callers = [threading.Thread(target=ask) for _ in range(n_callers)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
    os.sched_setaffinity(0, CORES)
    return took, stops


def solutions(wanted):
    """Measures time and memory of one exact solution each, in a new server with all cores."""
    print()
    table = Table("memory")
    for count, mib in wanted:
        with Server("load", time_max_ms=600_000, memory_per_search_mib=mib, isolation=ISOLATION) as server:
            idle = server.memory_mib()
            took = solve_one(server, itertools.islice(pentago_positions(marbles=count), 200))
            peak = server.memory_peak_mib()
            time.sleep(1)
            memory = (f"{mib:,.0f} MiB" for mib in (idle, peak, peak - idle, server.memory_mib()))
            table.row(f"{count} marbles", f"{mib:,}", f"{took:.1f} s", *memory)
    return table


def recommend(wanted, measured):
    """Prints settings for this machine, and how many machines like it the load needs."""
    cores, memory_mib = len(CORES), memory_limit_mib()
    cache_mib = max(64, memory_mib // 16)
    # Short and long searches may run at once; a quarter stays free for the system.
    per_search_mib = min(5120, max(16, (memory_mib * 3 // 4 - cache_mib - 256) // (2 * cores)))
    needed_mib = 2 * cores * per_search_mib + cache_mib + 256
    print(f"\nsettings for this machine, {cores} cores and {memory_mib:,} MiB:\n")
    print(f"workers = {cores}\nmemory_per_search_mib = {per_search_mib}\ncache_mib = {cache_mib}\n")
    print(f"limits of the container: cpu {cores}, memory {needed_mib:,}Mi")
    for budget, n_callers, per_second, p99 in measured:
        # Half as much again for peaks.
        machines = math.ceil(wanted * 1.5 / (per_second * cores))
        load = f"{n_callers} caller{'s' * (n_callers > 1)} per core, {per_second:,.1f} hints/s per core, p99 {p99 * 1000:,.0f} ms"
        print(f"{wanted:g} new hints per second of {budget} ms: {machines} such machine{'s' * (machines > 1)} ({load})")


def memory_limit_mib():
    """Returns the memory that this process may use: the container's limit, or the machine's."""
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limit = pathlib.Path("/sys/fs/cgroup/memory.max")
    text = limit.read_text().strip() if limit.exists() else "max"
    return (total if text == "max" else min(total, int(text))) >> 20


def solve_one(server, positions):
    """Returns the seconds for the first position that only the solver can prove."""
    limits = analysis_pb2.Limits(time_ms=600_000)
    with grpc.insecure_channel(server.grpc) as channel:
        stub = analysis_pb2_grpc.AnalysisStub(channel)
        for position in positions:
            started = time.monotonic()
            request = analysis_pb2.EvaluateRequest(game="pentago", position=position, limits=limits)
            answer = stub.Evaluate(request).evaluation
            if Source.Name(answer.source) == "SOURCE_SOLVER":
                return time.monotonic() - started
    raise AssertionError("no position needed the solver")


if __name__ == "__main__":
    main()
