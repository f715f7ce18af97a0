"""Two servers under load: one is killed, then both are restarted in turn.

gRPC uses channels that balance round robin over both servers, one without and one
with a retry policy; REST uses HAProxy (haproxy.cfg), which retries, too. Checked:

- killed (SIGKILL): calls of every kind continue; without retries, calls in progress on
  that server and calls sent to it before the client notices fail; with retries none does;
- restarted with a drain (SIGTERM): no call fails, and every server logs that
  every call was finished.

Phases end by numbers of calls. Prints its figures as a table. Run by tests/load/check.
"""

import collections
import itertools
import json
import http.client
import sys
import threading
import time

import grpc
from pentad.v1 import analysis_pb2, analysis_pb2_grpc

from proxies import HAProxy
from questions import pentago_positions
from served import Server
from served import http as get

# For each kind of client: gRPC, gRPC with retries, REST.
CALLERS_EACH = 6
# Calls of each kind that a phase needs at least.
STEADY_CALLS = 100
# This many calls of a kind in a row succeed once its clients have noticed a death.
RECOVERED_CALLS = 100
BUDGET_MS = 20
# Longer than HAProxy's check interval (0.2 s), with room for a slow machine.
DRAIN_DELAY_MS = 3000
# Short enough for connections to be closed in every phase.
CONNECTION_AGE_MS = 1000

Call = collections.namedtuple("Call", "kind started ended error")


class Callers:
    """Callers that send one call at a time, repeatedly, until stopped."""

    def __init__(self, addresses, front, positions):
        self.calls, self.stopping = [], threading.Event()
        self.positions = itertools.cycle(positions)
        self.channels = [channel_to(addresses, retries=False), channel_to(addresses, retries=True)]
        self.stub, self.retrying = map(analysis_pb2_grpc.AnalysisStub, self.channels)
        self.front = front
        kinds = [("gRPC", self.ask_grpc), ("gRPC with retries", self.ask_retrying), ("REST", self.ask_rest)]
        self.threads = [threading.Thread(target=self.run, args=kind) for kind in kinds for _ in range(CALLERS_EACH)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join()
        for channel in self.channels:
            channel.close()

    def run(self, kind, ask):
        state = {}
        while not self.stopping.is_set():
            started, error = time.monotonic(), None
            try:
                ask(next(self.positions), state)
            except Exception as failed:  # Any exception is a failed call.
                error = failed.code().name if isinstance(failed, grpc.RpcError) else f"{type(failed).__name__} {failed}"
                state.clear()
            self.calls.append(Call(kind, started, time.monotonic(), error))

    def ask_grpc(self, position, _state):
        assert self.stub.Hint(hint_request(position), timeout=20).hints[0].move

    def ask_retrying(self, position, _state):
        assert self.retrying.Hint(hint_request(position), timeout=20).hints[0].move

    def ask_rest(self, position, state):
        connection = state.setdefault("connection", http.client.HTTPConnection(self.front, timeout=20))
        body = json.dumps({"position": position, "limits": {"timeMs": BUDGET_MS}})
        connection.request("POST", "/v1/games/pentago/hints", body, {"content-type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status == 200 and json.loads(text)["hints"], f"{answer.status} {text[:200]}"

    def ended(self, since):
        return [call for call in self.calls if call.ended >= since]

    def have_recovered(self, since):
        """Whether the latest calls of every kind succeeded."""
        kinds = collections.defaultdict(list)
        for call in self.ended(since):
            kinds[call.kind].append(call)
        latest = [calls[-RECOVERED_CALLS:] for calls in kinds.values()]
        return len(kinds) == 3 and all(len(calls) == RECOVERED_CALLS and not any(call.error for call in calls) for calls in latest)


def hint_request(position):
    return analysis_pb2.HintRequest(game="pentago", position=position, limits=analysis_pb2.Limits(time_ms=BUDGET_MS))


def channel_to(addresses, retries):
    """Returns a channel that sends its calls to all addresses in turn.

    A headless Service provides the addresses by DNS: `dns:///pentad-headless:50051`.
    A list of addresses also needs an authority, because the list itself is not a valid
    host name and a server refuses requests that use it.
    """
    config = {"loadBalancingConfig": [{"round_robin": {}}]}
    if retries:
        policy = {"maxAttempts": 4, "initialBackoff": "0.05s", "maxBackoff": "0.5s", "backoffMultiplier": 2}
        policy["retryableStatusCodes"] = ["UNAVAILABLE"]
        config["methodConfig"] = [{"name": [{"service": "pentad.v1.Analysis"}], "retryPolicy": policy}]
    options = {"grpc.service_config": json.dumps(config), "grpc.default_authority": "pentad"}
    options |= {"grpc.initial_reconnect_backoff_ms": 200, "grpc.max_reconnect_backoff_ms": 1000}
    return grpc.insecure_channel("ipv4:" + ",".join(addresses), options=list(options.items()))


def main():
    settings = {"drain_delay_ms": DRAIN_DELAY_MS, "drain_ms_max": 10000, "memory_per_search_mib": 64}
    settings["connection_age_ms_max"] = CONNECTION_AGE_MS
    positions = list(itertools.islice(pentago_positions(marbles=10), 4000))
    with Server("scale-a", **settings) as a, Server("scale-b", **settings) as b, HAProxy(a, b) as front:
        with Callers([a.grpc, b.grpc], front.rest, positions) as callers:
            phase = Phases(callers)
            for server in (a, b):
                gets_calls(server)

            with phase("both serve"):
                gets_calls(a, STEADY_CALLS)
                gets_calls(b, STEADY_CALLS)
            assert not phase.failures, phase.failures[:3]

            with phase("one is killed"):
                killed = time.monotonic()
                a.kill()
                b.until("calls of every kind continue", lambda: callers.have_recovered(killed))
            kinds = collections.Counter(f"{call.kind}: {call.error}" for call in callers.ended(killed) if call.error)
            assert all(kind.startswith("gRPC:") for kind in kinds), f"lost despite retries: {kinds}"
            phase.note("failed: " + (", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "none"))

            with phase("it is back"):
                a.start()
                started = time.monotonic()
                gets_calls(a)
                took = time.monotonic() - started
            assert not phase.failures, phase.failures[:3]
            phase.note(f"it got its share again {took:.1f} s after it listened")

            for server in (a, b):
                with phase(f"{server.name[-1]} is restarted"):
                    code, took = server.drain()
                    said = server.logged()
                    server.start()
                    gets_calls(server)
                assert code == 0, f"exit code {code}\n{said}"
                assert "every call was finished" in said, said
                assert not phase.failures, phase.failures[:3]
                phase.note(f"drained in {took:.2f} s, of which {DRAIN_DELAY_MS / 1000} s was drain_delay_ms")
        # The objective `callers` of prometheus/mixin.py counts this one.
        counted = get(f"http://{front.metrics}/metrics")[1]
        assert 'haproxy_backend_http_responses_total{proxy="pentad",code="5xx"} 0' in counted, "HAProxy counts errors elsewhere"
    phase.print()
    print("   ok  killed: calls continued; restarted in turn: none failed")
    long_searches_are_cut_short()
    print("   ok  stopped during long searches: both returned their best result so far")


def gets_calls(server, n_calls=20):
    """Waits until the server has answered this many more hints over each protocol."""
    for protocol, answered in (("gRPC", r'requests_total.*grpc.*Hint.*"OK"'), ("REST", r'requests_total.*rest.*Hint.*"200"')):
        goal = server.total(answered) + n_calls
        server.until(f"it gets {protocol} calls", lambda: server.total(answered) >= goal)


def long_searches_are_cut_short():
    """A search that outlasts the drain returns its best result so far."""
    position = next(pentago_positions(marbles=10))
    answers = {}

    def ask_grpc():
        request = {"game": "pentago", "position": position, "limits": analysis_pb2.Limits(time_ms=30000)}
        with grpc.insecure_channel(server.grpc) as channel:
            answer = analysis_pb2_grpc.AnalysisStub(channel).Hint(analysis_pb2.HintRequest(**request), timeout=60)
        answers["gRPC"] = analysis_pb2.StopReason.Name(answer.stop_reason), answer.hints[0].move

    def ask_rest():
        # A different number of hints has a different cache key.
        body = json.dumps({"position": position, "limits": {"timeMs": 30000}, "count": 2}).encode()
        status, text = get(f"http://{server.rest}/v1/games/pentago/hints", body, timeout=60)
        assert status == 200, text
        answers["REST"] = json.loads(text)["stopReason"], json.loads(text)["hints"][0]["move"]

    with Server("scale-c", drain_ms_max=500, workers=2, memory_per_search_mib=64) as server:
        callers = [threading.Thread(target=ask) for ask in (ask_grpc, ask_rest)]
        for caller in callers:
            caller.start()
        server.until("both searches run", lambda: server.total("^pentad_searches_running") == 2)
        code, _took = server.drain()
        for caller in callers:
            caller.join()
    assert code == 0 and "cut short" in server.logged(), server.logged()
    assert answers["gRPC"][0] == "STOP_REASON_SHUTDOWN" and answers["REST"][0] == "shutdown", answers


class Phases:
    """Figures of each phase."""

    def __init__(self, callers):
        self.callers, self.rows = callers, []

    def __call__(self, name):
        self.name = name
        return self

    def __enter__(self):
        self.started = time.monotonic()

    def __exit__(self, *error):
        ended = time.monotonic()
        calls = [call for call in self.callers.calls if self.started <= call.ended < ended]
        self.failures = [call for call in calls if call.error]
        took = sorted(call.ended - call.started for call in calls) or [0]
        row = f"| {self.name} | {len(calls) / (ended - self.started):,.0f} | {len(calls):,} | {len(self.failures)} "
        row += f"| {took[len(took) // 2] * 1000:.0f} | {took[int(len(took) * 0.99)] * 1000:.0f} | {took[-1] * 1000:.0f} |"
        self.rows.append([row, ""])

    def note(self, text):
        self.rows[-1][1] = text

    def print(self):
        print("| | calls/s | calls | failed | p50 ms | p99 ms | max ms | |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
        for row, note in self.rows:
            print(f"{row} {note} |")


if __name__ == "__main__":
    sys.exit(main())
