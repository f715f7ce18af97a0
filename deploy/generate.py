"""Writes the generated files; see deploy/generate.

Values that differ from site to site are parameters. The tracked files have the defaults: a
site's overlay or values file replaces the address of the runbook (components/site,
monitoring.runbook), and other repositories generate files of their own with --into.
"""

import argparse
import dataclasses
import json
import pathlib
import sys

import yaml

DEPLOY = pathlib.Path(__file__).resolve().parent
sys.path += [str(DEPLOY / folder) for folder in ("prometheus", "grafana", "helm")]
sys.dont_write_bytecode = True

import dashboard
import mixin
import schema


@dataclasses.dataclass
class Parameters:
    """What a site may set. Each field is a NAME of --set."""

    runbook: str = dataclasses.field(default="deploy/runbook.md", metadata={"help": "address of your copy of runbook.md"})
    job: str = dataclasses.field(default="pentad", metadata={"help": "label `job` of the servers' series"})
    selector: str = dataclasses.field(default="", metadata={"help": "more matchers of all series, such as cluster=\"eu\""})
    labels: str = dataclasses.field(default="", metadata={"help": "labels of all alerts: team=games,tier=1"})
    page: str = dataclasses.field(default="page", metadata={"help": "label `severity` of alerts that need action now"})
    ticket: str = dataclasses.field(default="ticket", metadata={"help": "that of the others"})
    availability: str = dataclasses.field(default="99.9", metadata={"help": "objective in percent of calls that do not fail"})
    latency: str = dataclasses.field(default="99", metadata={"help": "objective in percent of calls in time"})
    title: str = dataclasses.field(default="Pentad", metadata={"help": "title of the dashboard"})
    uid: str = dataclasses.field(default="pentad", metadata={"help": "identifier of the dashboard"})

    def __post_init__(self):
        self.labels = dict(label.split("=", 1) for label in self.labels.split(",") if label)
        for name in ("availability", "latency"):
            if not 95 <= self.percent(name) < 100:
                raise ValueError(f"{name}: expected a percentage from 95 to below 100, found {self.percent(name):g}")
        if '"' in self.job or not self.job:
            raise ValueError("job: expected the value of a label")

    def percent(self, name):
        text = getattr(self, name)
        try:
            return float(text)
        except ValueError:
            raise ValueError(f"{name}: expected a percentage, found {text!r}") from None

    def objective(self, name):
        return round(self.percent(name) / 100, 6)

    def budget(self, name):
        return round(1 - self.percent(name) / 100, 6)

    def localized(self, expr):
        """The expression for this job and selector."""
        return expr.replace(mixin.JOB, ", ".join(filter(None, [f'job="{self.job}"', self.selector])))


def files(parameters):
    """Returns the texts by kind."""
    header = "# Written by deploy/generate; change deploy/prometheus/mixin.py.\n"
    spec = {"groups": mixin.groups(parameters)}
    # Prometheus instances select rules by labels: an overlay adds theirs.
    metadata = {"name": "pentad", "labels": {"app.kubernetes.io/name": "pentad"}}
    resource = {"apiVersion": "monitoring.coreos.com/v1", "kind": "PrometheusRule", "metadata": metadata, "spec": spec}
    return {
        "rules.yaml": header + as_yaml(spec),
        "prometheusrule.yaml": header + as_yaml(resource),
        "dashboard.json": json.dumps(dashboard.dashboard(parameters), indent=1, ensure_ascii=False) + "\n",
    }


def tracked(made):
    """Returns the texts of the generated files of deploy/, by path. A chart is packed without the files around it, so it
    has copies."""
    return {
        "prometheus/rules.yaml": made["rules.yaml"],
        "k8s/components/monitoring/prometheusrule.yaml": made["prometheusrule.yaml"],
        "grafana/pentad.json": made["dashboard.json"],
        "helm/pentad/files/rules.yaml": made["rules.yaml"],
        "helm/pentad/files/dashboard.json": made["dashboard.json"],
        "helm/pentad/files/pentad.toml": (DEPLOY / "k8s/base/pentad.toml").read_text(),
        "helm/pentad/values.schema.json": schema.described(
            *((DEPLOY / "helm/pentad" / name).read_text() for name in ("values.schema.json", "values.yaml"))),
    }


def as_yaml(content):
    yaml.SafeDumper.add_representer(str, as_block)
    return yaml.safe_dump(content, sort_keys=False, width=1000, allow_unicode=True)


def as_block(dumper, text):
    """Writes multi-line texts as blocks instead of quoted strings."""
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


def main():
    names = "\n".join(f"  {field.name:13} {field.metadata['help']} ({field.default or 'none'})" for field in dataclasses.fields(Parameters))
    options = argparse.ArgumentParser(
        prog="deploy/generate", description="Writes recording and alerting rules, the dashboard, and descriptions of the chart's values.",
        epilog=f"parameters (defaults):\n{names}", formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--into", type=pathlib.Path, metavar="DIR", help="writes rules.yaml, prometheusrule.yaml and dashboard.json there")
    options.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="sets a parameter; needs --into")
    options.add_argument("--check", action="store_true", help="fails if a tracked file differs, and writes nothing")
    given = options.parse_args()
    if given.set and not given.into:
        options.error("--set needs --into: the tracked files have the defaults")
    known = {field.name for field in dataclasses.fields(Parameters)}
    values = dict(pair.split("=", 1) if "=" in pair else (pair, "") for pair in given.set)
    if unknown := values.keys() - known:
        options.error(f"no parameter {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    try:
        made = files(Parameters(**values))
    except ValueError as error:
        options.error(str(error))
    texts = {given.into / name: text for name, text in made.items()} if given.into else {
        DEPLOY / name: text for name, text in tracked(made).items()}
    if given.check:
        stale = [str(path) for path, text in texts.items() if not path.is_file() or path.read_text() != text]
        if stale:
            sys.exit(f"not what deploy/generate writes; run it: {', '.join(stale)}")
        print(f"{len(texts)} generated files are up to date")
        return
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
