"""Checks that tests.yaml has a firing and a quiet case for every alert."""

import collections
import pathlib

import yaml

from served import DEPLOY

rules = yaml.safe_load((DEPLOY / "prometheus/rules.yaml").read_text())
alerts = {rule["alert"] for group in rules["groups"] for rule in group["rules"] if "alert" in rule}
cases = collections.defaultdict(set)
for test in yaml.safe_load(pathlib.Path(__file__).with_name("tests.yaml").read_text())["tests"]:
    for case in test.get("promql_expr_test", []):
        if case["expr"].startswith("ALERTS"):
            alert = case["expr"].split('"')[1]
            cases[alert].add("fires" if case["exp_samples"] else "stays quiet")
for alert in sorted(alerts):
    missing = {"fires", "stays quiet"} - cases[alert]
    assert not missing, f"{alert} has no case in which it {missing}"
print(f"   ok  each of {len(alerts)} alerts has a firing and a quiet case")
