"""Recording and alerting rules.

deploy/generate writes them to rules.yaml for Prometheus, and to a PrometheusRule for
the operator (k8s/components/monitoring).

The scrape job is called `pentad` (prometheus.yaml here, the ServiceMonitor on
Kubernetes). `page` needs action now: users get less than was promised. `ticket` can
wait for the morning. Each alert has a section in runbook.md, and a firing and a quiet
case in tests/deploy/prometheus/tests.yaml.
"""

import argparse
import dataclasses
import pathlib

import yaml

JOB = 'job="pentad"'
PER_SERVICE = "sum by (namespace, job)"

# All calls. The histogram's series exist from the start; series of
# pentad_requests_total whose code is a caller's mistake appear with the first such
# call, and `rate` misses their initial value.
CALLS = "pentad_request_duration_seconds_count"

# Failures on the server's side; not a caller's mistake, cancellation or short deadline.
OURS = "overloaded|ruleset_fault|ruleset_unavailable|internal"
MISTAKES = "bad_argument|bad_move|bad_position|game_over|illegal_move|too_large|unknown_game|unknown_variant"
# Calls that need no search.
QUICK = "ListGames|GetGame|DescribePosition|ListLegalMoves|Diagram"
SEARCHED = "Hint|Evaluate"

# Error budgets of the objectives over 30 days, as shares of calls.
BUDGETS = {"availability": 0.001, "quick": 0.01, "hint": 0.01}
# Latency bounds in seconds. Callers choose the time of a search, so its overrun counts.
BOUNDS = {
    "quick": ("pentad_request_duration_seconds", "0.025", QUICK),
    "hint": ("pentad_request_overrun_seconds", "0.1", SEARCHED),
}
WINDOWS = ["5m", "30m", "1h", "6h", "3d"]


def share_broken(slo, window):
    """Share of calls that missed an objective. Without calls it is 0/0, which compares as false."""
    if slo == "availability":
        return (
            f'{PER_SERVICE} (rate(pentad_rejected_total{{{JOB}, reason=~"{OURS}"}}[{window}]))\n'
            f"/ {PER_SERVICE} (rate({CALLS}{{{JOB}}}[{window}]))"
        )
    histogram, bound, methods = BOUNDS[slo]
    calls = f'{JOB}, method=~"{methods}"'
    return (
        f'1 - {PER_SERVICE} (rate({histogram}_bucket{{{calls}, le="{bound}"}}[{window}]))\n'
        f"/ {PER_SERVICE} (rate({histogram}_count{{{calls}}}[{window}]))"
    )


def burns(slos, budget, pairs):
    """Both windows of a pair burn the budget `speed` times too fast: the problem is large and current."""
    ratio = lambda window: f'pentad:slo_broken:ratio_rate{window}{{slo=~"{slos}"}}'
    parts = [f"({ratio(long)} > {speed * budget:g} and {ratio(short)} > {speed * budget:g})" for long, short, speed in pairs]
    # A single failed call at night is not worth a page.
    return "(\n  " + "\n  or ".join(parts) + "\n)\nand on (namespace, job) pentad:calls:rate5m > 0.05"


def share_rejected(reasons):
    return f'{PER_SERVICE} (pentad:rejected:ratio_rate5m{{reason=~"{reasons}"}})'


RECORDS = [
    ("pentad:calls:rate5m", f"{PER_SERVICE} (rate({CALLS}{{{JOB}}}[5m]))"),
    (
        "pentad:rejected:ratio_rate5m",
        f"sum by (namespace, job, reason) (rate(pentad_rejected_total{{{JOB}}}[5m]))\n"
        f"/ on (namespace, job) group_left () {PER_SERVICE} (rate({CALLS}{{{JOB}}}[5m]))",
    ),
    ("pentad:queue_depth:sum", f'{PER_SERVICE} (pentad_queue_depth{{{JOB}, class="interactive"}})'),
]


@dataclasses.dataclass
class Alert:
    name: str
    severity: str
    wait: str
    summary: str
    expr: str


FAST = [("1h", "5m", 14.4), ("6h", "30m", 6)]
SLOW = [("3d", "6h", 1)]

ALERTS = [
    # All servers of a namespace are down, or were scraped within the hour and are not
    # scraped now, or no server has been scraped at all.
    Alert(
        "PentadDown", "page", "2m",
        "No Pentad server{{ with $labels.namespace }} in namespace {{ . }}{{ end }} answers its scrape.",
        f"{PER_SERVICE} (up{{{JOB}}}) == 0\n"
        f"or group by (namespace, job) (present_over_time(up{{{JOB}}}[1h])) unless group by (namespace, job) (up{{{JOB}}})\n"
        f"or absent_over_time(up{{{JOB}}}[1h])",
    ),
    Alert("PentadReplicaDown", "ticket", "5m", "Pentad on {{ $labels.instance }} does not answer its scrape.", f"up{{{JOB}}} == 0"),
    Alert(
        "PentadAvailabilityBurnsFast", "page", "1m",
        "{{ $value | humanizePercentage }} of calls fail on the server's side; the month's error budget will be gone within days.",
        burns("availability", BUDGETS["availability"], FAST),
    ),
    Alert(
        "PentadAvailabilityBurnsSlowly", "ticket", "1h",
        "{{ $value | humanizePercentage }} of calls failed on the server's side over three days; the month's error budget will not last.",
        burns("availability", BUDGETS["availability"], SLOW),
    ),
    Alert(
        "PentadLatencyBurnsFast", "page", "1m",
        "{{ $value | humanizePercentage }} of {{ $labels.slo }} calls are late; the month's error budget will be gone within days.",
        burns("quick|hint", BUDGETS["hint"], FAST),
    ),
    Alert(
        "PentadLatencyBurnsSlowly", "ticket", "1h",
        "{{ $value | humanizePercentage }} of {{ $labels.slo }} calls were late over three days; the month's error budget will not last.",
        burns("quick|hint", BUDGETS["hint"], SLOW),
    ),
    Alert(
        "PentadRulesetDown", "page", "1m",
        "{{ $labels.game }} is not served on {{ $labels.instance }}: its searches hang.",
        f"pentad_ruleset_up{{{JOB}}} == 0",
    ),
    Alert(
        "PentadGameVanished", "page", "2m",
        "{{ $labels.game }} was served within the last hour, and no server serves it now.",
        f"group by (namespace, job, game) (present_over_time(pentad_ruleset_info{{{JOB}}}[1h]))\n"
        f"unless group by (namespace, job, game) (pentad_ruleset_info{{{JOB}}})\n"
        # Otherwise PentadDown fires.
        f"and on (namespace, job) up{{{JOB}}} == 1",
    ),
    Alert(
        "PentadRulesetFaults", "ticket", "0m",
        "The rule set of {{ $labels.game }} misbehaved ({{ $labels.kind }}) on {{ $labels.instance }}.",
        f"sum by (namespace, job, instance, game, kind) (increase(pentad_ruleset_faults_total{{{JOB}}}[15m])) > 0",
    ),
    Alert(
        "PentadRulesetRefused", "ticket", "5m",
        "{{ $value }} files in the rule-set directory of {{ $labels.instance }} were refused.",
        f'pentad_rulesets_refused{{{JOB}}} > 0',
    ),
    Alert(
        "PentadRulesetsDiffer", "ticket", "30m",
        "Replicas do not serve the same rule set for {{ $labels.game }}.",
        f"count by (namespace, job, game) (count by (namespace, job, game, sha256) (pentad_ruleset_info{{{JOB}}})) > 1\n"
        f"or count by (namespace, job, game) (pentad_ruleset_info{{{JOB}}})\n"
        f"   < on (namespace, job) group_left () count by (namespace, job) (pentad_build_info{{{JOB}}})",
    ),
    Alert(
        "PentadStoreDown", "ticket", "15m",
        "An answer store does not work on {{ $labels.instance }}.",
        f"pentad_stores_down{{{JOB}}} > 0",
    ),
    Alert(
        "PentadQueueOld", "ticket", "5m",
        "Questions on {{ $labels.instance }} have waited {{ $value | humanizeDuration }} for a worker.",
        f'pentad_queue_oldest_seconds{{{JOB}, class="interactive"}} > 1',
    ),
    Alert(
        "PentadNeverIdle", "ticket", "0m",
        "The queue has not been empty for 15 minutes.",
        "min_over_time(pentad:queue_depth:sum[15m]) > 0",
    ),
    Alert(
        "PentadHintsCutShort", "ticket", "15m",
        "{{ $value | humanizePercentage }} of searches are cut short because others wait: hints are weaker than requested.",
        f'{PER_SERVICE} (rate(pentad_search_stops_total{{{JOB}, reason="load"}}[15m]))\n'
        f"/ {PER_SERVICE} (rate(pentad_search_stops_total{{{JOB}}}[15m])) > 0.25",
    ),
    Alert(
        "PentadRefusesCalls", "ticket", "5m",
        "{{ $value | humanizePercentage }} of calls are refused because the queue is full.",
        share_rejected("overloaded") + " > 0.01",
    ),
    Alert(
        "PentadDeadlinesMissed", "ticket", "15m",
        "{{ $value | humanizePercentage }} of calls got no answer before their deadline.",
        share_rejected("deadline") + " > 0.01",
    ),
    Alert(
        "PentadCallersMistaken", "ticket", "30m",
        "{{ $value | humanizePercentage }} of calls are invalid: a client may be broken.",
        share_rejected(MISTAKES) + " > 0.5\nand on (namespace, job) pentad:calls:rate5m > 0.05",
    ),
    Alert(
        "PentadInternalErrors", "ticket", "0m",
        "{{ $labels.instance }} answered with an internal error: a bug in the server.",
        f'sum by (namespace, job, instance) (increase(pentad_rejected_total{{{JOB}, reason="internal"}}[15m])) > 0',
    ),
    Alert(
        "PentadCancelSlow", "ticket", "15m",
        "Cancelled searches occupy their worker for {{ $value | humanizeDuration }} (99th percentile).",
        f"histogram_quantile(0.99, sum by (namespace, job, le) (rate(pentad_cancel_latency_seconds_bucket{{{JOB}}}[15m]))) > 0.05\n"
        # With fewer, the 99th percentile is the slowest one.
        f"and {PER_SERVICE} (increase(pentad_cancel_latency_seconds_count{{{JOB}}}[15m])) > 100",
    ),
    Alert(
        "PentadRestarts", "ticket", "0m",
        "{{ $labels.instance }} was restarted {{ $value }} times within an hour.",
        f"changes(process_start_time_seconds{{{JOB}}}[1h]) > 2",
    ),
    Alert(
        "PentadFilesRunOut", "ticket", "10m",
        "{{ $labels.instance }} uses {{ $value | humanizePercentage }} of its file descriptors.",
        f"process_open_fds{{{JOB}}} / process_max_fds{{{JOB}}} > 0.8",
    ),
]


def groups(runbook_base):
    slo = [
        {"record": f"pentad:slo_broken:ratio_rate{window}", "labels": {"slo": name}, "expr": share_broken(name, window)}
        for name in BUDGETS
        for window in WINDOWS
    ]
    return [
        {"name": "pentad-slo", "rules": slo},
        {"name": "pentad-records", "rules": [{"record": name, "expr": expr} for name, expr in RECORDS]},
        {"name": "pentad-alerts", "rules": [as_rule(alert, runbook_base) for alert in ALERTS]},
    ]


def as_rule(alert, runbook_base):
    rule = {"alert": alert.name, "expr": alert.expr, "for": alert.wait, "labels": {"severity": alert.severity}}
    rule["annotations"] = {"summary": alert.summary, "runbook_url": f"{runbook_base}#{alert.name.lower()}"}
    return rule


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runbook-base", required=True, metavar="URL", help="address of runbook.md")
    options.add_argument("--into", type=pathlib.Path, required=True, metavar="DIR", help="deploy/, or a folder to compare with it")
    options = options.parse_args()
    spec = {"groups": groups(options.runbook_base)}
    # Prometheus instances select rules by labels: an overlay adds theirs.
    metadata = {"name": "pentad", "labels": {"app.kubernetes.io/name": "pentad"}}
    resource = {"apiVersion": "monitoring.coreos.com/v1", "kind": "PrometheusRule", "metadata": metadata, "spec": spec}
    write(options.into / "prometheus/rules.yaml", spec)
    write(options.into / "k8s/components/monitoring/prometheusrule.yaml", resource)


def write(path, content):
    yaml.SafeDumper.add_representer(str, as_block)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = yaml.safe_dump(content, sort_keys=False, width=1000, allow_unicode=True)
    path.write_text("# Written by deploy/generate; change deploy/prometheus/mixin.py.\n" + text)


def as_block(dumper, text):
    """Writes multi-line texts as blocks instead of quoted strings."""
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


if __name__ == "__main__":
    main()
