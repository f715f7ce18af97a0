"""Measures the cache hits of two servers with and without routing by position.

Two servers stand behind a proxy: HAProxy with REST, then Envoy with gRPC. Callers request
hints, for some positions far more often than for others and in any orientation, first without
`x-pentad-key`, then with the `key` that answers about the position carry. Each round starts
new servers, so that all caches are cold. Checked:

- with the key fewer questions are searched: about one per position instead of
  one per position and server;
- both servers get a share of the questions either way.

Counts come from /metrics. Run by tests/load/check, or with other numbers by
tests/load/routing; the table in the runbook comes from it.
"""

import argparse
import http.client
import json
import threading

import grpc
from pentad.v1 import analysis_pb2, analysis_pb2_grpc

from proxies import Envoy, HAProxy
from questions import orientations, popular_positions
from served import Server
from served import http as get

MARBLES = 12
KEY = "x-pentad-key"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--positions", type=int, default=100, help="number of positions")
    options.add_argument("--questions", type=int, default=500)
    options.add_argument("--nodes", type=int, default=500, help="node limit of each search")
    options.add_argument("--callers", type=int, default=8, help="concurrent callers")
    options = options.parse_args()
    asked = popular_positions(options.positions, options.questions, MARBLES)
    n_distinct = len({min(orientations(position)) for position in asked})
    print(f"{len(asked):,} questions about {n_distinct:,} positions ({len(set(asked)):,} with their orientations), two servers\n")
    print("| | searched | answered from a cache | calls of the servers |\n| --- | --- | --- | --- |")
    for proxy, caller in ((HAProxy, RestCaller), (Envoy, GrpcCaller)):
        without = ask_all(proxy, caller, asked, options, with_key=False)
        with_key = ask_all(proxy, caller, asked, options, with_key=True)
        assert with_key.n_searched < without.n_searched, f"the key saves no search: {with_key} {without}"
        for result in (without, with_key):
            # How even it is depends on the keys and, for Envoy, on the servers' ports.
            assert min(result.calls) > 0.02 * len(asked), f"one server gets nearly everything: {result}"
    print(f"   ok  with {KEY} more questions are answered from a cache, behind HAProxy and Envoy")


class Result:
    """Totals of the servers' counters."""

    def __init__(self, servers):
        count = lambda result: sum(int(server.total(f'^pentad_cache_requests_total.*result="{result}"')) for server in servers)
        self.n_searched, self.n_hits, self.n_shared = count("miss"), count("hit"), count("shared")
        self.calls = [int(server.total(r'^pentad_requests_total.*method="Hint".*code="(OK|200)"')) for server in servers]

    def row(self, name):
        total = self.n_searched + self.n_hits + self.n_shared
        return f"| {name} | {self.n_searched:,} | {1 - self.n_searched / total:.0%} | {self.calls[0]:,}, {self.calls[1]:,} |"

    def __repr__(self):
        return str(vars(self))


def ask_all(proxy, caller, asked, options, with_key):
    """Asks everything once, with several callers, through a proxy to two new servers."""
    settings = {"workers": 1, "memory_per_search_mib": 64}
    with Server("routing-a", **settings) as a, Server("routing-b", **settings) as b, proxy(a, b) as front:
        rest, errors, lock = iter(asked), [], threading.Lock()

        def run():
            with caller(front) as ask:
                while True:
                    with lock:
                        position = next(rest, None)
                    if position is None or errors:
                        return
                    try:
                        ask.hint(position, options.nodes, ask.key(position) if with_key else None)
                    except Exception as failed:
                        errors.append(failed)

        callers = [threading.Thread(target=run) for _ in range(options.callers)]
        for thread in callers:
            thread.start()
        for thread in callers:
            thread.join()
        if errors:
            raise errors[0]
        result = Result((a, b))
        if proxy is Envoy:
            # The objective `callers` of prometheus/mixin.py counts this one.
            counted = get(f"http://{front.admin}/stats/prometheus")[1]
            assert 'envoy_cluster_upstream_rq_xx{envoy_response_code_class="2",envoy_cluster_name="grpc' in counted, "Envoy counts calls elsewhere"
    assert sum(result.calls) == len(asked), f"{sum(result.calls)} of {len(asked)} questions were answered"
    print(result.row(f"{proxy.__name__}, {caller.PROTOCOL}, {'with' if with_key else 'without'} the key"), flush=True)
    return result


class RestCaller:
    PROTOCOL = "REST"

    def __init__(self, front):
        self.connection = http.client.HTTPConnection(front.rest, timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def key(self, position):
        """Any answer about the position has the key; a front end requests this one after each move."""
        return self.call("position", {"position": position}, {})["key"]

    def hint(self, position, nodes, key):
        question = {"position": position, "limits": {"nodes": nodes, "timeMs": 10_000}}
        assert self.call("hints", question, {KEY: key} if key else {})["hints"]

    def call(self, path, question, head):
        head = {"content-type": "application/json", **head}
        self.connection.request("POST", f"/v1/games/pentago/{path}", json.dumps(question), head)
        answer = self.connection.getresponse()
        text = answer.read()
        assert answer.status == 200, f"{answer.status} {text[:200]}"
        return json.loads(text)


class GrpcCaller:
    PROTOCOL = "gRPC"

    def __init__(self, front):
        self.channel = grpc.insecure_channel(front.grpc)
        self.stub = analysis_pb2_grpc.AnalysisStub(self.channel)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.channel.close()

    def key(self, position):
        return self.stub.DescribePosition(analysis_pb2.DescribePositionRequest(game="pentago", position=position), timeout=60).key

    def hint(self, position, nodes, key):
        limits = analysis_pb2.Limits(nodes=nodes, time_ms=10_000)
        request = analysis_pb2.HintRequest(game="pentago", position=position, limits=limits)
        assert self.stub.Hint(request, metadata=[(KEY, key)] if key else [], timeout=60).hints


if __name__ == "__main__":
    main()
