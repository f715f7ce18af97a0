"""Measures one core: calls per second, hints per second, memory; and recommends settings for this machine.

The server runs on one core and the callers on the others, so the figures do not
depend on the machine's number of cores. Run by tests/load/load; the tables in the
runbook come from it.
"""

import argparse
import itertools
import math
import os
import pathlib
import subprocess
import threading
import time

import grpc
from pentad.v1 import analysis_pb2, analysis_pb2_grpc
from pentad.v1.evaluation_pb2 import Source

from questions import pentago_positions
from served import OUT, Server

CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE, CALLER_CORES = {CORES[0]}, set(CORES[1:]) or {CORES[0]}
# As in the image for bundled rule sets.
ISOLATION = "in-process"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=5, help="duration of each measurement")
    options.add_argument("--budgets", type=int, nargs="*", default=[10, 100, 1000], help="time limits of hints, in ms")
    options.add_argument("--callers", type=int, nargs="*", default=[1, 4, 16], help="concurrent callers, for hints")
    options.add_argument("--solve", type=int, nargs="*", default=[], help="solve positions with these numbers of marbles")
    options.add_argument("--solve-mib", type=int, default=5120, help="memory limit of a solution")
    options.add_argument("--hints-per-second", type=float, default=100, help="load that the recommendation is for")
    options = options.parse_args()
    # With other work on the machine the figures are lower bounds.
    print(f"{len(CORES)} cores, load average {os.getloadavg()[0]:.1f} before\n")
    calls_without_search(options.seconds)
    measured = hints(options.seconds, options.budgets, options.callers)
    solutions(options.solve, options.solve_mib)
    recommend(options.hints_per_second, measured)
    print(f"\nload average {os.getloadavg()[0]:.1f} after")


def calls_without_search(seconds):
    """Measures calls as fast as h2load sends them over 16 connections."""
    print("| 16 connections | calls per second of CPU | CPU per call | calls/s, one core |\n| --- | --- | --- | --- |")
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
            row(name, server, seconds, [*heads, f"http://{server.grpc}/pentad.v1.Analysis/{rpc}"])
        path = f"http://{server.rest}/v1/games/pentago/position"
        row("REST GET position", server, seconds, ["--h1", f"{path}?position={place['position'].replace(' ', '%20')}"])


def row(name, server, seconds, ask):
    answered = lambda: server.total(r'^pentad_requests_total.*code="(OK|200)"')
    warm_up = ["taskset", "-c", ",".join(map(str, CALLER_CORES)), "h2load", "-c16", "-t1"]
    subprocess.run([*warm_up, "-n100", *ask], check=True, capture_output=True)
    before, cpu, started = answered(), server.cpu_seconds(), time.monotonic()
    subprocess.run([*warm_up, f"-D{seconds * 1000:.0f}ms", *ask], check=True, capture_output=True)
    count, took = answered() - before, time.monotonic() - started
    assert count > 0, f"{name}: nothing was answered"
    # At least one tick of the kernel's clock.
    cpu = max(server.cpu_seconds() - cpu, 1 / os.sysconf("SC_CLK_TCK"))
    print(f"| {name} | {count / cpu:,.0f} | {cpu / count * 1e6:.0f} µs | {count / took:,.0f} |", flush=True)


def hints(seconds, budgets, callers):
    """Uses new positions only, so that every hint is searched. Returns budget, callers, hints per second and p99."""
    measured = []
    print("\n| one core, one worker | callers | hints/s | CPU per hint | p50 ms | p99 ms | proven | cut short for others |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
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
            line = f"| {budget} ms | {n_callers} | {per_second:,.1f} | {cpu * 1000:,.1f} ms "
            line += f"| {took[len(took) // 2] * 1000:,.0f} | {took[int(len(took) * 0.99)] * 1000:,.0f} "
            print(line + f"| {share('PROVEN')} | {share('LOAD')} |", flush=True)
            measured.append((budget, n_callers, per_second, took[int(len(took) * 0.99)]))
    return measured


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


def solutions(marbles, mib):
    """Times one exact solution per count, in a new server with all cores."""
    if marbles:
        print(f"\n| marbles | memory_per_search_mib | solved in ({len(CORES)} cores) | server's peak |\n| --- | --- | --- | --- |")
    for count in marbles:
        with Server("load", time_max_ms=600_000, memory_per_search_mib=mib, isolation=ISOLATION) as server:
            took = solve_one(server, itertools.islice(pentago_positions(marbles=count), 200))
            print(f"| {count} | {mib:,} | {took:.1f} s | {server.memory_peak_mib():,.0f} MiB |", flush=True)


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
        load = f"{n_callers} callers per core, {per_second:,.1f} hints/s per core, p99 {p99 * 1000:,.0f} ms"
        print(f"{wanted:g} new hints per second of {budget} ms: {machines} such machines ({load})")


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
