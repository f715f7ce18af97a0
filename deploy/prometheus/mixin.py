"""Recording and alerting rules.

deploy/generate writes them to rules.yaml for Prometheus, to a PrometheusRule for the
operator (k8s/components/monitoring), and for the Helm chart.

The scrape job is called `pentad` (prometheus.yaml here, the ServiceMonitor on
Kubernetes); parameters name another one. `page` needs action now: users get less than
was promised. `ticket` can wait for the morning. Each alert has a section in runbook.md, and a firing and a quiet
case in tests/deploy/prometheus/tests.yaml.
"""

import dataclasses

# Selects the servers' series. Parameters.localized replaces it.
JOB = 'job="pentad"'
PER_SERVICE = "sum by (namespace, job)"

# All calls. The histogram's series exist from the start; series of
# pentad_requests_total whose code is a caller's mistake appear with the first such
# call, and `rate` misses their initial value.
CALLS = "pentad_request_duration_seconds_count"

# Failures on the server's side; not a caller's mistake, cancellation or short deadline.
OURS = "ruleset_fault|ruleset_unavailable|internal"
# So is `overloaded`, unless the caller had more than its share of the calls in flight: then
# fairness holds it back, others are served, and these calls do not count at all (see
# `overloaded`).
HELD_BACK = f'pentad_overloaded_total{{{JOB}, share="beyond"}}'
# Calls as a gateway in front sees them, by status; also those that reached no server. Envoy
# Gateway names clusters after the route (components/gateway), HAProxy its backends
# (proxies/haproxy.cfg).
ENVOY = "envoy_cluster_upstream_rq_xx", 'envoy_cluster_name=~"(http|grpc)route/[^/]+/pentad/.+"', 'envoy_response_code_class="5"'
HAPROXY = "haproxy_backend_http_responses_total", 'proxy=~"pentad.*"', 'code="5xx"'
MISTAKES = "bad_argument|bad_move|bad_position|game_over|illegal_move|too_large|unknown_game|unknown_variant"
# Calls that need no search.
QUICK = "ListGames|GetGame|DescribePosition|ListLegalMoves|Diagram"
SEARCHED = "Hint|Evaluate"

# Objectives over 30 days, each with the parameter that sets it.
OBJECTIVES = {"availability": "availability", "callers": "availability", "quick": "latency", "hint": "latency"}
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
            f'({PER_SERVICE} (rate(pentad_rejected_total{{{JOB}, reason=~"{OURS}"}}[{window}]))'
            f" + {overloaded(window)})\n"
            f"/ ({slo_calls(slo, window)})"
        )
    if slo == "callers":
        return f"({gateway(window, failed=True)})\n/ ({slo_calls(slo, window)})"
    histogram, bound, methods = BOUNDS[slo]
    calls = f'{JOB}, method=~"{methods}"'
    return f'1 - {PER_SERVICE} (rate({histogram}_bucket{{{calls}, le="{bound}"}}[{window}]))\n/ {slo_calls(slo, window)}'


def overloaded(window):
    """Refusals of callers that were mostly within their share. A greedy caller is within it, too, at
    moments at which nobody else happens to call."""
    by_client = lambda share: f'sum by (namespace, job, client) (rate(pentad_overloaded_total{{{JOB}, share="{share}"}}[{window}]))'
    return f"{PER_SERVICE} ({by_client('within')} unless {by_client('beyond')} > {by_client('within')})"


def slo_calls(slo, window):
    """Calls per second that an objective is about."""
    if slo == "availability":
        return f"{PER_SERVICE} (rate({CALLS}{{{JOB}}}[{window}])) - {PER_SERVICE} (rate({HELD_BACK}[{window}]))"
    if slo == "callers":
        return gateway(window, failed=False)
    histogram, _, methods = BOUNDS[slo]
    return f'{PER_SERVICE} (rate({histogram}_count{{{JOB}, method=~"{methods}"}}[{window}]))'


def gateway(window, failed):
    """Calls per second that passed the gateway, by namespace of the servers where it is known."""
    rates = []
    for metric, ours, failures in (ENVOY, HAPROXY):
        rates.append(f"rate({metric}{{{f'{ours}, {failures}' if failed else ours}}}[{window}])")
    envoy = f'label_replace({rates[0]}, "namespace", "$1", "envoy_cluster_name", "[a-z]+/([^/]+)/.+")'
    return f"sum by (namespace) ({envoy}) or sum by (namespace) ({rates[1]})"


def burns(slos, budget, pairs):
    """Both windows of a pair burn the budget `speed` times too fast: the problem is large and current."""
    ratio = lambda window: f'pentad:slo_broken:ratio_rate{window}{{slo=~"{slos}"}}'
    parts = [f"({ratio(long)} > {speed * budget:g} and {ratio(short)} > {speed * budget:g})" for long, short, speed in pairs]
    # A few failed calls at night are not worth a page, however many calls there are of other kinds.
    return "(\n  " + "\n  or ".join(parts) + f'\n)\nand on (namespace, job, slo) pentad:slo_calls:rate5m{{slo=~"{slos}"}} > 0.05'


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


DAY_S = 24 * 60 * 60
FAST = [("1h", "5m", 14.4), ("6h", "30m", 6)]
SLOW = [("3d", "6h", 1)]

def alerts(availability, latency):
    """All alerts, for these error budgets: shares of calls."""
    return [
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
            "{{ $value | humanizePercentage }} of calls fail ({{ $labels.slo }}); the month's error budget will be gone within days.",
            burns("availability|callers", availability, FAST),
        ),
        Alert(
            "PentadAvailabilityBurnsSlowly", "ticket", "1h",
            "{{ $value | humanizePercentage }} of calls failed ({{ $labels.slo }}) over three days; the month's error budget will not last.",
            burns("availability|callers", availability, SLOW),
        ),
        Alert(
            "PentadLatencyBurnsFast", "page", "1m",
            "{{ $value | humanizePercentage }} of {{ $labels.slo }} calls are late; the month's error budget will be gone within days.",
            burns("quick|hint", latency, FAST),
        ),
        Alert(
            "PentadLatencyBurnsSlowly", "ticket", "1h",
            "{{ $value | humanizePercentage }} of {{ $labels.slo }} calls were late over three days; the month's error budget will not last.",
            burns("quick|hint", latency, SLOW),
        ),
        Alert(
            "PentadRulesetDown", "page", "1m",
            "{{ $labels.game }} is not served on {{ $labels.instance }}: its rule set hangs or crashes.",
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
            "An answer store does not work on {{ $labels.instance }}, or works only at times.",
            # Over a while, so that a store that flaps does not start the alert again and again.
            f"max_over_time(pentad_stores_down{{{JOB}}}[5m]) > 0",
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
            f"{overloaded('5m')}\n/ ({slo_calls('availability', '5m')}) > 0.01",
        ),
        Alert(
            "PentadCallerHeldBack", "ticket", "15m",
            "{{ $labels.client }} sends more than its share: {{ $value | humanize }} of its calls per second are refused.",
            f"sum by (namespace, job, client) (rate({HELD_BACK}[5m])) > 1",
        ),
        Alert(
            "PentadAuthFailures", "ticket", "0m",
            "{{ $value | humanize }} calls within 15 minutes had no valid token ({{ $labels.kind }}).",
            f"sum by (namespace, job, kind) (increase(pentad_auth_failures_total{{{JOB}}}[15m])) > 100",
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
            "PentadReloadFailed", "ticket", "0m",
            "{{ $labels.instance }} could not reload its settings, and runs with the old ones.",
            f'sum by (namespace, job, instance) (increase(pentad_reloads_total{{{JOB}, result="failed"}}[1h])) > 0',
        ),
        Alert(
            "PentadCertificateExpires", "ticket", "10m",
            "A certificate in {{ $labels.file }} of {{ $labels.instance }} expires in {{ $value | humanizeDuration }}.",
            f"pentad_tls_not_after_seconds{{{JOB}}} - time() < {14 * DAY_S}",
        ),
        Alert(
            "PentadCertificateExpiresSoon", "page", "0m",
            "A certificate in {{ $labels.file }} of {{ $labels.instance }} expires in {{ $value | humanizeDuration }}.",
            f"pentad_tls_not_after_seconds{{{JOB}}} - time() < {DAY_S}",
        ),
        Alert(
            "PentadProtectionMissing", "ticket", "5m",
            "Worker processes of rule sets on {{ $labels.instance }} run without the protection {{ $labels.protection }}.",
            f"pentad_ruleset_protection{{{JOB}}} == 0",
        ),
        Alert(
            "PentadLogLinesLost", "ticket", "0m",
            "{{ $labels.instance }} lost {{ $value | humanize }} lines of its log within 15 minutes.",
            f"increase(pentad_log_lines_lost_total{{{JOB}}}[15m]) > 0",
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

def groups(parameters):
    # The gateway's own job is of no interest.
    labels = lambda name: {"slo": name} | ({"job": parameters.job} if name == "callers" else {})
    slo = [
        {"record": f"pentad:slo_broken:ratio_rate{window}", "labels": labels(name), "expr": share_broken(name, window)}
        for name in OBJECTIVES
        for window in WINDOWS
    ]
    slo += [{"record": "pentad:slo_calls:rate5m", "labels": labels(name), "expr": slo_calls(name, "5m")} for name in OBJECTIVES]
    records = [{"record": name, "expr": expr} for name, expr in RECORDS]
    fire = [as_rule(alert, parameters) for alert in alerts(parameters.budget("availability"), parameters.budget("latency"))]
    for rule in slo + records + fire:
        rule["expr"] = parameters.localized(rule["expr"])
    named = {"pentad-slo": slo, "pentad-records": records, "pentad-alerts": fire}
    return [{"name": name, "rules": rules} for name, rules in named.items()]


def as_rule(alert, parameters):
    severity = {"page": parameters.page, "ticket": parameters.ticket}[alert.severity]
    rule = {"alert": alert.name, "expr": alert.expr, "for": alert.wait, "labels": {"severity": severity} | parameters.labels}
    rule["annotations"] = {"summary": alert.summary, "runbook_url": f"{parameters.runbook}#{alert.name.lower()}"}
    return rule
