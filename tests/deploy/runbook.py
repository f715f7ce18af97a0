"""Checks that the alerts, links, settings, metrics and paths in the runbook exist, and that its measurements
have the columns of tests/load/load.
"""

import os
import pathlib
import re
import subprocess
import sys

import yaml

from served import TREE, Server, http

sys.path.append(str(TREE / "tests/load"))
import tables

deploy = pathlib.Path("deploy")
runbook = (deploy / "runbook.md").read_text()
rules = yaml.safe_load((deploy / "prometheus/rules.yaml").read_text())
alerts = [rule for group in rules["groups"] for rule in group["rules"] if "alert" in rule]
headings = re.findall(r"^#+ (.*)$", runbook, re.M)
anchor = lambda heading: re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")
anchors = {anchor(heading) for heading in headings}

for alert in alerts:
    file, _, place = alert["annotations"]["runbook_url"].partition("#")
    assert ("://" in file or pathlib.Path(file).is_file()) and place in anchors, f"{alert['alert']}: {file}#{place} leads nowhere"
sections = dict(re.findall(r"^### (Pentad\w+)\n(.*?)(?=^##)", runbook, re.M | re.S))
names = {alert["alert"] for alert in alerts}
assert sections.keys() == names, f"sections without an alert, or alerts without a section: {sections.keys() ^ names}"
for name, text in sections.items():
    assert all(f"**{part}** " in text for part in ("Means", "Look", "Do")), f"{name}: lacks Means, Look or Do"
print(f"   ok  {len(alerts)} alerts link to a section each, with Means, Look and Do")

n_links = 0
for page in sorted(deploy.rglob("*.md")):
    for link in re.findall(r"\]\(([^)]+)\)", page.read_text()):
        file, _, place = link.partition("#")
        target = page.parent / file if file else page
        assert target.exists(), f"{page}: {link} leads nowhere"
        places = {anchor(heading) for heading in re.findall(r"^#+ (.*)$", target.read_text(), re.M)} if place else set()
        assert not place or place in places, f"{page}: {link} leads nowhere"
        n_links += 1
print(f"   ok  {n_links} links have a target")

measured = {place[1]: place[2].strip().splitlines() for place in tables.PLACE.finditer(runbook)}
assert measured.keys() == tables.COLUMNS.keys(), f"tables between `<!-- measured: … -->` and `<!-- end -->`: {measured.keys()}"
for name, (head, _, *rows) in measured.items():
    assert head == f"| {' | '.join(tables.COLUMNS[name])} |" and rows, f"{name}: {head} is not what tests/load/load prints"
    assert all(line.count("|") == head.count("|") for line in rows), f"{name}: a row has other columns"
assert tables.replaced(runbook, []) == runbook, "tests/load/load --write changes nothing else"
print(f"   ok  its {len(measured)} tables of measurements have the columns of tests/load/load")

printed = subprocess.run([os.environ["PENTAD"], "--print-config"], capture_output=True, text=True, check=True).stdout
settings = set(re.findall(r"^#? ?(\w+) = ", printed, re.M))
settings |= {f"PENTAD_{name.upper()}" for name in settings}
words = set(re.findall(r"`(\w+_\w+)`", runbook))
with Server("runbook") as server:
    metrics = {re.split(r"[{ ]", name)[0] for name in server.metrics()}
    # Histograms by their own name.
    metrics |= {name.removesuffix("_bucket") for name in metrics}
    reasons = set(re.findall(r'reason="(\w+)"|kind="(\w+)"', http(f"http://{server.admin}/metrics")[1]))
    reasons = {word for pair in reasons for word in pair}
    for path in ("/healthz", "/readyz", "/metrics", "/plugins"):
        assert f"`{path}`" in runbook and http(f"http://{server.admin}{path}")[0] == 200, path
    for path in ("/v1/games", "/docs"):
        assert f"`{path}`" in runbook and http(f"http://{server.rest}{path}")[0] == 200, path
unknown = words - settings - metrics - reasons - {"round_robin", "should_stop", "channel_to"}
assert not unknown, f"not settings, metrics or reasons: {unknown}"
print(f"   ok  {len(words)} settings, metrics and reasons that it names exist, and its paths answer")
