"""Checks that the dashboard is well-formed; prometheus/live.py runs its queries.
"""

import itertools
import json
import re

board = json.load(open("deploy/grafana/pentad.json"))
panels = board["panels"]
place = lambda panel: [panel["gridPos"][key] for key in "xywh"]
for panel in panels:
    x, y, w, h = place(panel)
    # Each unit of height is 38 pixels: 24 of them and the bars fill a screen of 1080 lines.
    assert 0 <= x and x + w <= 24 and 0 <= y and (y + h <= 24 or y >= 24), f"{panel['title']} is cut by the screen's edge"
    assert panel["title"] and panel["description"] and panel["targets"], f"{panel} has no title, description or query"
    assert panel["fieldConfig"]["defaults"]["unit"], f"{panel['title']} has no unit"
    for target in panel["targets"]:
        assert target["datasource"]["uid"] == "${datasource}", f"{panel['title']} is bound to one data source"
for one, other in itertools.combinations(panels, 2):
    (x, y, w, h), (u, v, s, t) = place(one), place(other)
    assert x + w <= u or u + s <= x or y + h <= v or v + t <= y, f"{one['title']} covers {other['title']}"
assert len({panel["id"] for panel in panels}) == len(panels), "two panels have the same id"
known = {variable["name"] for variable in board["templating"]["list"]} | {"__rate_interval", "__all"}
used = set(re.findall(r"\$\{?(\w+)", json.dumps(board)))
assert used <= known, f"undefined variables: {used - known}"
print(f"   ok  {len(panels)} panels lie on whole screens without overlap, each with a title, description and unit")
