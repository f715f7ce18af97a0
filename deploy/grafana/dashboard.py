"""The dashboard.

deploy/generate writes pentad.json, to be imported into Grafana or mounted by its
sidecar (kustomization.yaml here makes the ConfigMap, the Helm chart another). Four rows fill the first screen:
health, load, what users get, faulty rule sets. Below: callers and the error budget, then
searches, memory, stores and files.
"""

# Objectives of mixin.py, by the parameter that sets them.
OBJECTIVES = {"availability": "availability|callers", "latency": "quick|hint"}
# Selects the servers' series. Parameters.localized replaces the job.
S = 'job="pentad", namespace=~"$namespace"'
G = S + ', game=~"$game"'
SOURCE = {"type": "prometheus", "uid": "${datasource}"}
GREEN_TO_RED = [{"color": "green", "value": None}, {"color": "red", "value": 1}]
RED_TO_GREEN = [{"color": "red", "value": None}, {"color": "green", "value": 1}]


def rate(metric, selector, by=""):
    return f"sum{f' by ({by})' if by else ''} (rate({metric}{{{selector}}}[$__rate_interval]))"


def quantile(q, methods, histogram="pentad_request_duration_seconds"):
    buckets = rate(f"{histogram}_bucket", f'{G}, method=~"{methods}"', "le")
    return f"histogram_quantile({q}, {buckets})"


def healthy(availability, latency):
    """The first row, for these objectives: shares of calls."""
    return [
        ("Servers that answer", "stat", "short", RED_TO_GREEN, [(f"sum(up{{{S}}})", "")], "Scrape targets that are up."),
        ("Alerts firing", "stat", "short", GREEN_TO_RED, [('count(ALERTS{alertname=~"Pentad.+", alertstate="firing"}) or vector(0)', "")],
         "Each has a section in the runbook."),
        ("Games quarantined", "stat", "short", GREEN_TO_RED, [(f"sum(1 - pentad_ruleset_up{{{S}}})", "")],
         "Rule sets that are not served because they hang or crash, over all servers."),
        ("Files refused", "stat", "short", GREEN_TO_RED, [(f'sum(pentad_rulesets_refused{{{S}}})', "")],
         "Files in the rule-set directories that could not be loaded."),
        ("Calls that succeed", "stat", "percentunit", [{"color": "red", "value": None}, {"color": "green", "value": availability}],
         [('1 - avg(pentad:slo_broken:ratio_rate1h{slo="availability", namespace=~"$namespace"})', "")],
         f"Over an hour; the objective is {100 * availability:g} %. Callers' mistakes and cancellations do not count."),
        ("Quick calls in time", "stat", "percentunit", [{"color": "red", "value": None}, {"color": "green", "value": latency}],
         [('1 - avg(pentad:slo_broken:ratio_rate1h{slo="quick", namespace=~"$namespace"})', "")],
         f"Over an hour, within 25 ms; the objective is {100 * latency:g} %."),
        ("Hints in time", "stat", "percentunit", [{"color": "red", "value": None}, {"color": "green", "value": latency}],
         [('1 - avg(pentad:slo_broken:ratio_rate1h{slo="hint", namespace=~"$namespace"})', "")],
         f"Over an hour, at most 0.1 s beyond the granted time; the objective is {100 * latency:g} %."),
        ("Versions", "stat", "none", [{"color": "blue", "value": None}],
         [(f"count by (version, revision) (pentad_build_info{{{S}}})", "{{version}} {{revision}}")],
         "Number of servers per version. More than one version for long: a roll-out is stuck."),
    ]


BUSY = [
    ("Calls", "timeseries", "reqps", None,
     [(rate("pentad_request_duration_seconds_count", G, "method"), "{{method}}")], "By method."),
    ("Workers and queue", "timeseries", "short", None,
     [(f"sum by (pool) (pentad_workers_busy{{{S}}})", "busy, {{pool}}"), (f"sum by (pool) (pentad_workers{{{S}}})", "workers, {{pool}}"),
      (f"sum by (class) (pentad_queue_depth{{{S}}})", "waiting, {{class}}")],
     "Workers for short searches, long searches and rules calls; each pool can be full alone."),
    ("Waiting for a worker", "timeseries", "s", None,
     [(f"max by (class) (pentad_queue_oldest_seconds{{{S}}})", "oldest, {{class}}"),
      (f"histogram_quantile(0.99, {rate('pentad_queue_wait_seconds_bucket', S, 'le, class')})", "p99, {{class}}")],
     "The longest current wait, and the waits of searches that got a worker."),
    ("CPU and memory per server", "timeseries", "short", None,
     [(f"rate(process_cpu_seconds_total{{{S}}}[$__rate_interval])", "cores {{instance}}"),
      (f"process_resident_memory_bytes{{{S}}} / 2^30", "GiB {{instance}}")],
     "Exact solutions briefly use gigabytes: see the runbook's capacity tables."),
]
USERS = [
    ("Hints and evaluations take", "timeseries", "s", None,
     [(quantile(0.5, "Hint|Evaluate"), "p50"), (quantile(0.95, "Hint|Evaluate"), "p95"), (quantile(0.99, "Hint|Evaluate"), "p99")],
     "Callers choose the time of a search, 1 s by default."),
    ("Hints and evaluations are late by", "timeseries", "s", None,
     [(quantile(q, "Hint|Evaluate", "pentad_request_overrun_seconds"), f"p{100 * q:g}") for q in (0.95, 0.99)],
     "Beyond the granted time: the caller's limit or deadline, or the default."),
    ("Quick calls take", "timeseries", "s", None,
     [(quantile(0.5, "ListGames|GetGame|DescribePosition|ListLegalMoves|Diagram"), "p50"),
      (quantile(0.99, "ListGames|GetGame|DescribePosition|ListLegalMoves|Diagram"), "p99")],
     "Calls that need no search."),
    ("Refused, by reason", "timeseries", "reqps", None, [(rate("pentad_rejected_total", S, "reason") + " > 0", "{{reason}}")],
     "overloaded, ruleset_* and internal are failures of the server; the others are callers' mistakes."),
    ("Where values come from", "timeseries", "percentunit", None,
     [(rate("pentad_evaluations_total", G, "certainty, source")
       + f" / ignoring (certainty, source) group_left () {rate('pentad_evaluations_total', G)}", "{{certainty}}, {{source}}")],
     "Proven by book, solver or search, or estimated."),
    ("Answered from the cache", "timeseries", "percentunit", None,
     [(rate("pentad_cache_requests_total", f'{G}, result=~"hit|shared"', "game") + " / " + rate("pentad_cache_requests_total", G, "game"),
       "{{game}}")],
     "Or shared with a running search. Low after a restart, and where callers rarely repeat positions."),
    ("Lookups in stores", "timeseries", "ops", None,
     [(rate("pentad_store_requests_total", S, "layer, result"), "{{layer}}, {{result}}")],
     "After a miss of the cache in memory. hit: a search was saved. skipped, timeout, failed: the store is down or slow."),
]
FAULTY = [
    ("Rule sets", "table", "short", None,
     [(f"min by (game) (pentad_ruleset_up{{{G}}})", "up"),
      (f"sum by (game) (increase(pentad_ruleset_faults_total{{{G}}}[1h]))", "faults, 1 h"),
      (f"count by (game) (count by (game, sha256) (pentad_ruleset_info{{{G}}}))", "builds"),
      (f"count by (game) (pentad_ruleset_info{{{G}}})", "servers"),
      (f"sum by (game) (increase(pentad_requests_total{{{G}, code=~\"UNAVAILABLE|INTERNAL|503|500\"}}[1h]))", "failed calls, 1 h")],
     "0 under `up`: quarantined. More than one build: replicas differ."),
    ("Faults", "timeseries", "short", None,
     [(f"sum by (game, kind) (increase(pentad_ruleset_faults_total{{{G}}}[$__rate_interval])) > 0", "{{game}}: {{kind}}")],
     "Details are in the log and at /plugins on the admin port."),
    ("Restarts of worker processes", "timeseries", "short", None,
     [(f"sum by (game) (increase(pentad_ruleset_restarts_total{{{G}}}[$__rate_interval])) > 0", "{{game}}")],
     "Of isolated rule sets: after a crash, a hang or a contract violation. Five failures within a minute cause a quarantine."),
    ("Searches end by", "timeseries", "ops", None,
     [(rate("pentad_search_stops_total", G, "reason"), "{{reason}}")],
     "`load`: cut short because others wait. `cancelled`: the caller is gone."),
    ("Cancelled searches stop within", "timeseries", "s", None,
     [(f"histogram_quantile(0.99, {rate('pentad_cancel_latency_seconds_bucket', G, 'le, game')})", "{{game}}, p99")],
     "After cancellation; the objective is 0.05 s."),
]


def callers(budgets):
    """The row about callers, for error budgets (shares of calls) by objectives."""
    return [
        ("Error budget left", "timeseries", "percentunit", None,
         [(f'1 - avg by (slo) (avg_over_time((pentad:slo_broken:ratio_rate1h{{slo=~"{slos}", namespace=~"$namespace"}} >= 0)[30d:1h])) / {budget}', "{{slo}}")
          for slos, budget in budgets.items()],
         "Of 30 days, or as far as Prometheus remembers, with each hour that had calls weighing the same. Below 0 the objective is missed."),
        ("Callers: CPU time", "timeseries", "short", None,
         [(f"topk(10, {rate('pentad_client_cpu_seconds_total', S, 'client')})", "{{client}}")],
         "Cores used by searches, by name of the token; - without one, +oidc for all subjects of OpenID Connect."),
        ("Callers: refused", "timeseries", "reqps", None,
         [(rate("pentad_overloaded_total", S, "client, share") + " > 0", "{{client}}: overloaded, {{share}} its share"),
          (rate("pentad_rate_limited_total", S, "client") + " > 0", "{{client}}: over its quota")],
         "Beyond its share: others are served, and this caller is held back. Within: too little capacity."),
        ("Failed authentication, reloads, lost log", "timeseries", "short", None,
         [(f"sum by (kind) (increase(pentad_auth_failures_total{{{S}}}[$__rate_interval])) > 0", "token {{kind}}"),
          (f"sum by (result) (increase(pentad_reloads_total{{{S}}}[$__rate_interval])) > 0", "reload {{result}}"),
          (f"sum(increase(pentad_log_lines_lost_total{{{S}}}[$__rate_interval])) > 0", "log lines lost")],
         "Reloads: partial if a file was refused, failed if nothing was changed."),
        ("Connections", "timeseries", "short", None,
         [(f"sum by (port) (pentad_connections{{{S}}})", "open, {{port}}"), (f"sum by (protocol) (pentad_calls_in_flight{{{S}}})", "calls, {{protocol}}"),
          (f"sum by (reason) (increase(pentad_connections_closed_total{{{S}}}[$__rate_interval])) > 0", "closed: {{reason}}")],
         "The runbook explains why the server closes connections."),
        ("Batches", "timeseries", "ops", None, [(rate("pentad_batch_items_total", S, "kind, result") + " > 0", "{{kind}}, {{result}}")],
         "Questions of batches that were answered or failed."),
    ]


INSIDE = [
    ("Searches", "timeseries", "short", None, [(f"sum by (game) (pentad_searches_running{{{G}}})", "{{game}}")], "Running now, by game."),
    ("Positions searched", "timeseries", "ops", None, [(rate("pentad_search_nodes_total", G, "game"), "{{game}}")], "Per second, by game."),
    ("Searches take", "timeseries", "s", None,
     [(f"histogram_quantile({q}, {rate('pentad_search_duration_seconds_bucket', G, 'le')})", f"p{100 * q:g}") for q in (0.5, 0.99)],
     "Time on a worker."),
    ("Memory of cache and searches", "timeseries", "bytes", None,
     [(f"max(pentad_cache_bytes{{{S}}})", "cache"), (f"max(pentad_search_memory_bytes{{{S}}})", "searches"),
      (f"max(pentad_cache_entries{{{S}}})", "answers in the cache")],
     "Of the server that uses most."),
    ("Stores", "timeseries", "short", None,
     [(f"min by (layer) (pentad_store_up{{{S}}})", "up, {{layer}}"), (f"max by (layer) (pentad_store_entries{{{S}}})", "answers, {{layer}}"),
      (f"max by (layer) (pentad_store_bytes{{{S}}}) / 2^20", "MiB, {{layer}}"),
      (rate("pentad_store_writes_total", S, "layer, result") + " > 0", "writes/s, {{layer}} {{result}}"),
      (f"sum by (layer) (increase(pentad_store_set_aside_total{{{S}}}[$__rate_interval])) > 0", "set aside, {{layer}}")],
     "up is 0 also where no such store is configured. set aside: a file could not be read and was replaced."),
    ("Files and protections", "timeseries", "short", None,
     [(f"sum by (result) (increase(pentad_ruleset_loads_total{{{S}}}[$__rate_interval])) > 0", "rule sets {{result}}"),
      (f"min by (protection) (pentad_ruleset_protection{{{S}}})", "{{protection}}"),
      (f"min by (file) (pentad_tls_not_after_seconds{{{S}}} - time()) / 86400", "days left, {{file}}")],
     "Rule-set files loaded and refused; protections of worker processes, 0 where one is missing; days until a certificate expires."),
]


def dashboard(parameters):
    budgets = {slos: parameters.budget(name) for name, slos in OBJECTIVES.items()}
    first = healthy(*(parameters.objective(name) for name in OBJECTIVES))
    panels, y = [], 0
    for height, row in ((4, first), (7, BUSY), (7, USERS), (6, FAULTY), (7, callers(budgets)), (7, INSIDE)):
        width = 24 // len(row)
        for column, definition in enumerate(row):
            panels.append(panel(len(panels) + 1, {"h": height, "w": width, "x": column * width, "y": y}, *definition))
        y += height
    for target in (target for panel in panels for target in panel["targets"]):
        target["expr"] = parameters.localized(target["expr"])
    build_info = parameters.localized('pentad_build_info{job="pentad"}')
    variables = [
        {"name": "datasource", "label": "Prometheus", "type": "datasource", "query": "prometheus"},
        variable("namespace", f"label_values({build_info}, namespace)"),
        variable("game", parameters.localized('label_values(pentad_ruleset_info{job="pentad", namespace=~"$namespace"}, game)')),
    ]
    runbook = {"title": "Runbook", "type": "link", "url": parameters.runbook, "targetBlank": True}
    return {
        "uid": parameters.uid, "title": parameters.title, "tags": ["pentad"], "schemaVersion": 39, "version": 1, "editable": True,
        "refresh": "30s", "time": {"from": "now-3h", "to": "now"}, "timezone": "browser", "graphTooltip": 1,
        "templating": {"list": variables}, "panels": panels, "links": [runbook],
    }


def variable(name, query):
    return {
        "name": name, "type": "query", "datasource": SOURCE, "query": {"query": query, "refId": name}, "refresh": 2,
        "includeAll": True, "multi": True, "allValue": ".*", "current": {"text": "All", "value": "$__all"},
    }


def panel(number, place, title, kind, unit, steps, queries, description):
    instant = kind != "timeseries"
    targets = [
        {"refId": chr(ord("A") + i), "datasource": SOURCE, "expr": expr, "legendFormat": legend, "instant": instant, "range": not instant}
        | ({"format": "table"} if kind == "table" else {})
        for i, (expr, legend) in enumerate(queries)
    ]
    made = {
        "id": number, "type": kind, "title": title, "description": description, "gridPos": place, "datasource": SOURCE,
        "targets": targets, "fieldConfig": {"defaults": {"unit": unit}, "overrides": []}, "options": {},
    }
    if steps:
        made["fieldConfig"]["defaults"]["thresholds"] = {"mode": "absolute", "steps": steps}
        made["options"] = {"colorMode": "background", "textMode": "auto", "reduceOptions": {"calcs": ["lastNotNull"]}}
    if kind == "timeseries":
        made["fieldConfig"]["defaults"]["min"] = 0
        made["options"] = {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi", "sort": "desc"}}
    if kind == "table":
        # One line per game, one column per query.
        columns = {f"Value #{target['refId']}": legend for target, (_, legend) in zip(targets, queries)}
        hide = {"excludeByName": {"Time": True}, "renameByName": columns}
        join = {"byField": "game", "mode": "outer"}
        made["transformations"] = [{"id": "joinByField", "options": join}, {"id": "organize", "options": hide}]
    return made
