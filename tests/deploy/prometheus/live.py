"""A real Prometheus scrapes real servers, and rules and dashboard find every metric they name.

One server is healthy. Another, in its own namespace, also serves a rule set that hangs, and
finds a file that is not a rule set. The third has a certificate that expires in two days. Checked:

- the metrics pass Prometheus' own lint;
- Prometheus answers every query of rules.yaml and of the dashboard;
- every metric they name exists, with every label value they select, from the start;
- they use every metric of the server;
- a burst of invalid calls counts as at most 100 % of calls;
- the hanging rule set, the refused file and the certificate raise their alerts; so does
  the healthy server when it is killed while the other lives, and when it loses a game.
"""

import contextlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.parse

import yaml

from served import DEPLOY, OUT, TREE, Server, free_port, http

PROMETHEUS = DEPLOY / "prometheus"
# Absent while no alert fires, without a gateway in front, and without isolated rule sets.
ABSENT = {"ALERTS", "envoy_cluster_upstream_rq_xx", "haproxy_backend_http_responses_total"}
# Labels whose series appear with the first such call.
CODES = {"code"}
# The objective that needs a gateway.
GATEWAY_SLO = "callers"
# Alerts with `for` are pending first; waiting for them to fire would take too long.
PROVOKED = {
    "PentadRulesetFaults": "firing", "PentadRulesetRefused": "pending", "PentadRulesetDown": "pending",
    "PentadCertificateExpires": "pending",
}
N_MISTAKES = 300


def main():
    sick = build_plugin("search_ignores_stop")
    junk = OUT / "libruleset_junk.so"
    junk.write_text("this is not a library\n")
    # In a worker process a search that sleeps for seconds has not hung yet.
    with Server("live-healthy") as healthy, Server("live-sick", extra_rulesets=[sick, junk], hang_grace_ms=50, isolation="in-process") as ill, \
            Server("live-expiring", **certificate(days=2)) as expiring:
        lint_metrics(healthy)
        with Prometheus({"healthy": healthy, "ill": ill, "expiring": expiring}) as prometheus:
            prometheus.until("it is ready", lambda: http(f"http://{prometheus.address}/-/ready")[0] == 200)
            prometheus.until("all are scraped", lambda: value(prometheus, 'count(up{job="pentad"} == 1)') == 3)
            records = {name for name, _ in rule_queries() if ":" in name}
            prometheus.until("all is recorded", lambda: records <= set(prometheus.get("label/__name__/values")))
            queries = [*rule_queries(), *dashboard_queries(), *adapter_queries(), *keda_queries()]
            names = check_queries(prometheus, queries)
            print(f"   ok  Prometheus answers all {len(queries)} queries of rules and dashboard")
            print(f"   ok  all {len(names)} metrics they name exist, with all label values they select")
            check_all_used(expiring, names)
            check_mistakes(prometheus, healthy)
            with provoked(ill):
                for alert, state in PROVOKED.items():
                    await_alert(prometheus, alert, state)
            healthy.kill()
            await_alert(prometheus, "PentadDown", "pending", 'namespace="healthy"')
            # A busy machine may miss a scrape of the other, but not for long.
            prometheus.until("PentadDown is quiet where a server lives", lambda: not prometheus.query('ALERTS{alertname="PentadDown", namespace="ill"}'))
            (healthy.rulesets / "libruleset_pentaflip.so").unlink()
            healthy.start()
            await_alert(prometheus, "PentadGameVanished", "pending", 'namespace="healthy", game="pentaflip"')


def await_alert(prometheus, alert, state, labels=""):
    seen = f'ALERTS{{alertname="{alert}", alertstate=~"{state}|firing", {labels}}}'
    prometheus.until(f"{alert} is {state}", lambda: prometheus.query(seen))
    print(f"   ok  {alert} is {state}, provoked on a live server")


def check_mistakes(prometheus, server):
    """Sends them between two scrapes, so that the first sample of their codes is not zero."""
    for _ in range(N_MISTAKES):
        status, _ = http(f"http://{server.rest}/v1/games/pentago/position", b'{"position": "?"}')
        assert status == 400, status
    mistakes = 'pentad:rejected:ratio_rate5m{reason="bad_position", namespace="healthy"}'
    prometheus.until("they are recorded", lambda: (value(prometheus, mistakes) or 0) > 0)
    share = value(prometheus, f"max_over_time({mistakes}[1m])")
    assert share <= 1.01, f"{share:.0%} of calls are invalid"
    print(f"   ok  {N_MISTAKES} invalid calls at once count as {share:.0%} of all calls")


def lint_metrics(server):
    text = http(f"http://{server.admin}/metrics")[1]
    lint = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
    assert lint.returncode == 0 and not lint.stderr, lint.stderr + lint.stdout
    print(f"   ok  {text.count('# TYPE')} metrics pass promtool check metrics")


def rules():
    return [rule for group in yaml.safe_load((PROMETHEUS / "rules.yaml").read_text())["groups"] for rule in group["rules"]]


def rule_queries():
    return [(rule.get("alert") or rule["record"], rule["expr"]) for rule in rules()]


def dashboard_queries():
    board = json.loads((DEPLOY / "grafana/pentad.json").read_text())
    fill = {"$namespace": ".*", "$game": ".*", "$__rate_interval": "1m"}
    for panel in board["panels"]:
        for target in panel["targets"]:
            expr = target["expr"]
            for name, value in fill.items():
                expr = expr.replace(name, value)
            assert "$" not in expr, f"{panel['title']}: a variable without a value: {expr}"
            yield panel["title"], expr


def adapter_queries():
    """Yields the queries that the autoscaler's adapter would send."""
    fill = {"<<.Series>>": "pentad_queue_depth", "<<.LabelMatchers>>": 'job="pentad", class="interactive"', "<<.GroupBy>>": "pod"}
    for rule in yaml.safe_load((PROMETHEUS / "adapter.yaml").read_text())["rules"]:
        expr = rule["metricsQuery"]
        for name, value in fill.items():
            expr = expr.replace(name, value)
        yield "adapter.yaml", expr


def keda_queries():
    """Yields the queries of the ScaledObject, for any namespace."""
    scaled = yaml.safe_load((DEPLOY / "k8s/components/keda/scaledobject.yaml").read_text())
    for trigger in scaled["spec"]["triggers"]:
        yield "scaledobject.yaml", trigger["metadata"]["query"].replace('namespace="pentad"', 'namespace=~".*"')


def check_queries(prometheus, queries):
    """Checks that every query is answered and selects existing series. Returns the metrics named."""
    known = set(prometheus.get("label/__name__/values"))
    named = set()
    for where, expr in queries:
        prometheus.query(expr)
        # A metric is a word with selectors, or one with an underscore or colon.
        words = set(re.findall(r"[a-zA-Z_][\w:]*(?=\{)", expr)) | set(re.findall(r"\b(?:pentad|process)[_:][\w:]+", expr))
        missing = words - known - ABSENT
        assert not missing, f"{where}: no such metric: {missing}"
        named |= words
        for metric, selectors in re.findall(r"([a-zA-Z_][\w:]*)\{([^}]*)\}", expr):
            if metric not in ABSENT:
                check_labels(prometheus, where, metric, selectors)
    return named


def check_labels(prometheus, where, metric, selectors):
    for label, operator, values in re.findall(r'(\w+)(=~|=)"([^"]*)"', selectors):
        if label in CODES:
            continue
        for word in set(values.split("|") if operator == "=~" else [values]) - {GATEWAY_SLO}:
            found = prometheus.query(f'{metric}{{{label}{operator}"{word}"}}')
            assert found, f'{where}: no {metric} with {label} "{word}"'


def check_all_used(server, names):
    """A metric that neither a rule nor a panel uses costs memory and helps nobody."""
    exported = re.findall(r"^# TYPE (pentad_\w+)", http(f"http://{server.admin}/metrics")[1], re.M)
    unused = [name for name in exported if not any(name == used or used.removeprefix(name) in ("_bucket", "_count", "_sum") for used in names)]
    assert not unused, f"neither rules nor dashboard use {unused}"
    print(f"   ok  rules and dashboard use all {len(exported)} metrics of the server")


def certificate(days):
    """Makes a certificate and returns the settings of a server that has it."""
    files = {"tls_cert": OUT / "expiring.pem", "tls_key": OUT / "expiring.key"}
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", str(days), "-subj", "/CN=localhost"]
    subprocess.run([*request, "-out", files["tls_cert"], "-keyout", files["tls_key"]], check=True, capture_output=True)
    return files


@contextlib.contextmanager
def provoked(server):
    """Requests searches that ignore cancellation, so that the game is quarantined repeatedly."""
    done = threading.Event()
    url = f"http://{server.rest}/v1/games/search-ignores-stop/hints"

    def ask():
        # Different counts have different cache keys.
        for count in itertools.cycle(range(1, 60)):
            if done.wait(0.1):
                return
            http(url, json.dumps({"limits": {"timeMs": 20}, "count": count}).encode(), timeout=20)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield
    finally:
        done.set()
        asking.join()


def build_plugin(name):
    """Compiles one of the misbehaving rule sets of tests/plugins."""
    library = OUT / f"lib{name}.so"
    source = TREE / f"tests/plugins/misbehaving/{name}.c"
    game = f'-DGAME_ID="{name.replace("_", "-")}"'
    flags = ["-shared", "-fPIC", "-std=c11", "-O1", "-pthread", f"-I{TREE / 'rulesets/abi/include'}"]
    subprocess.run([os.environ.get("CC", "cc"), *flags, game, "-o", library, source], check=True)
    return library


def value(prometheus, expr):
    samples = prometheus.query(expr)
    return float(samples[0]["value"][1]) if samples else None


class Prometheus:
    """Runs prometheus.yaml with these servers, scraping every second."""

    def __init__(self, servers):
        config = yaml.safe_load((PROMETHEUS / "prometheus.yaml").read_text())
        config["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
        config["rule_files"] = [str(PROMETHEUS / "rules.yaml")]
        config["scrape_configs"][0]["static_configs"] = [
            {"targets": [server.admin], "labels": {"namespace": namespace}} for namespace, server in servers.items()
        ]
        self.config, self.address, self.log = OUT / "prometheus.yaml", f"127.0.0.1:{free_port()}", OUT / "prometheus.log"
        self.config.write_text(yaml.safe_dump(config))
        subprocess.run(["promtool", "check", "config", self.config], check=True, capture_output=True)

    def __enter__(self):
        data = OUT / "prometheus-data"
        subprocess.run(["rm", "-rf", data], check=True)
        command = ["prometheus", f"--config.file={self.config}", f"--storage.tsdb.path={data}", f"--web.listen-address={self.address}"]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)

    def get(self, path, **parameters):
        url = f"http://{self.address}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        status, text = http(url)
        assert status == 200, f"{parameters}: {status} {text}"
        return json.loads(text)["data"]

    def query(self, expr):
        return self.get("query", query=expr)["result"]

    def until(self, what, holds, seconds=120):
        give_up = time.monotonic() + seconds
        while True:
            try:
                if holds():
                    return
            except OSError:
                pass  # Not listening yet.
            assert time.monotonic() < give_up, f"not within {seconds} s: {what}\n{self.log.read_text()[-2000:]}"
            time.sleep(0.2)


if __name__ == "__main__":
    sys.exit(main())
