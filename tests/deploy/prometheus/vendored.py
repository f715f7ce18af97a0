"""Checks files that deploy/generate wrote for another repository, with values of its own.

No trace of a default is left: address of the runbook, job, severities. With a selector, every
metric of the servers is selected by it.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

folder, runbook = pathlib.Path(sys.argv[1]), sys.argv[2]
texts = {name: (folder / name).read_text() for name in ("rules.yaml", "prometheusrule.yaml", "dashboard.json")}
for name, text in texts.items():
    assert runbook in text, f"{name} does not link to {runbook}"
    for default in ("deploy/runbook.md", 'job="pentad"', 'job=\\"pentad\\"', "severity: page", "severity: ticket"):
        assert default not in text, f"{name} still has {default}"
rules, resource = yaml.safe_load(texts["rules.yaml"]), yaml.safe_load(texts["prometheusrule.yaml"])
assert resource["spec"] == rules, "the PrometheusRule has other rules"
alerts = [rule for group in rules["groups"] for rule in group["rules"] if "alert" in rule]
assert all(rule["labels"]["team"] == "board" for rule in alerts), "an alert lacks a label"
board = json.loads(texts["dashboard.json"])
assert (board["uid"], board["title"], board["links"][0]["url"]) == ("games-pentad", "Games", runbook)

with tempfile.TemporaryDirectory() as elsewhere:
    made = ["deploy/generate", "--into", elsewhere, "--set", 'selector=cluster="eu"', "--set", "availability=99.95"]
    subprocess.run(made, check=True)
    subprocess.run(["promtool", "check", "rules", f"{elsewhere}/rules.yaml"], check=True, stdout=subprocess.DEVNULL)
    rules = yaml.safe_load(pathlib.Path(elsewhere, "rules.yaml").read_text())
    board = json.loads(pathlib.Path(elsewhere, "dashboard.json").read_text())
queries = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
queries += [target["expr"] for panel in board["panels"] for target in panel["targets"]]
queries += [variable["query"]["query"] for variable in board["templating"]["list"] if isinstance(variable["query"], dict)]
n_selected = 0
for query in queries:
    # A colon is a recorded metric's.
    for metric, selector in re.findall(r"\b((?:pentad|process)_\w+|up)\b(?!:)(?:\{([^}]*)\})?", re.sub(r'"[^"]*"', lambda it: it[0].replace("up", ""), query)):
        if metric in ("process", "up") and not selector:
            continue
        assert 'cluster="eu"' in selector, f"{metric} is not selected by the cluster in {query}"
        n_selected += 1
fast = next(rule["expr"] for group in rules["groups"] for rule in group["rules"] if rule.get("alert") == "PentadAvailabilityBurnsFast")
assert "> 0.0072" in fast, f"14.4 times a budget of 0.05 %: {fast}"
print(f"   ok  for another repository: its runbook, job, severities and labels in {len(alerts)} alerts, its selector in {n_selected} places")
