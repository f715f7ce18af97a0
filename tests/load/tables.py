"""Tables of tests/load/load: their columns, and their places in deploy/runbook.md."""

import re

COLUMNS = {
    "machine": ["processor", "cores", "memory", "server", "load average before", "after"],
    "calls": ["16 connections", "calls per second of CPU", "CPU per call", "calls/s, one core"],
    "hints": ["budget (`timeMs`)", "callers at once", "hints/s", "CPU per hint", "p50 ms", "p99 ms", "proven", "cut short for others"],
    "memory": ["Pentago, exact", "`memory_per_search_mib`", "time (all cores)", "idle server", "peak", "one search", "a second later"],
}
# A table in the runbook.
PLACE = re.compile(r"^<!-- measured: (\w+) -->\n(.*?)^<!-- end -->$", re.M | re.S)


class Table:
    """Prints each row as soon as it is measured, and keeps all of them for the runbook."""

    def __init__(self, name):
        self.name, self.lines = name, []
        self.row(*COLUMNS[name])
        self.row(*("---" for _ in COLUMNS[name]))

    def row(self, *cells):
        assert len(cells) == len(COLUMNS[self.name]), cells
        self.lines.append(f"| {' | '.join(map(str, cells))} |")
        print(self.lines[-1], flush=True)


def replaced(runbook, tables):
    """Returns the text of the runbook with these tables in their places."""
    texts = {table.name: "\n".join(table.lines) for table in tables}
    assert texts.keys() <= {place[1] for place in PLACE.finditer(runbook)}, "the runbook lacks a place"
    keep = lambda place: place[2].strip("\n")
    return PLACE.sub(lambda place: f"<!-- measured: {place[1]} -->\n\n{texts.get(place[1], keep(place))}\n\n<!-- end -->", runbook)
