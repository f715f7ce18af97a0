"""Checks that everything compose.yaml mounts and names exists.

Then a list of broken variants has to give the expected findings.
"""

import copy
import pathlib
import re
import shutil
import subprocess
import tempfile
import urllib.parse

import yaml

deploy = pathlib.Path("deploy").resolve()
# Changed contents of files, by path, while a broken variant is checked.
replaced = {}


def load(path):
    return replaced.get(path) or yaml.safe_load(path.read_text())


def mounts(service):
    """Returns (source, target, options) of the service's bind mounts."""
    return [(deploy / source, target, options) for source, target, options in (one.split(":") for one in service.get("volumes", []))]


def mounted_at(service, target):
    """Returns the file of this tree that is mounted at `target`, if any."""
    for source, place, _ in mounts(service):
        if target == place or target.startswith(place + "/"):
            found = source / target.removeprefix(place).lstrip("/")
            return found if found.exists() else None
    return None


def findings(compose):
    services = compose["services"]
    for name, service in services.items():
        for source, target, options in mounts(service):
            if not source.exists():
                yield f"{name}: mounts {source}, which does not exist"
            if options != "ro":
                yield f"{name}: may write to {source}"
        for port in service["ports"]:
            if not port.startswith("127.0.0.1:"):
                yield f"{name}: port {port} is open to others"
        if not re.search(r":v?\d+\.\d+\.\d+$", service["image"]):
            yield f"{name}: {service['image']} is not a fixed version"
        for other in service.get("depends_on", []):
            if other not in services:
                yield f"{name}: depends on {other}, which is not a service"
    yield from server_findings(services["pentad"])
    yield from prometheus_findings(services)
    yield from grafana_findings(services)


def server_findings(server):
    base = load(deploy / "k8s/base/kustomization.yaml")["images"][0]
    if server["image"] != f"{base['name']}:{base['newTag']}":
        yield f"pentad: {server['image']} is not the version of k8s/base, {base['newTag']}"
    context = deploy / server["build"]["context"]
    if not (context / "Cargo.toml").exists() or not (context / server["build"]["dockerfile"]).exists():
        yield "pentad: is not built from this tree"
    if not (server.get("read_only") and server.get("cap_drop") == ["ALL"] and "no-new-privileges:true" in server.get("security_opt", [])):
        yield "pentad: is less restricted than on Kubernetes"
    access = {"PENTAD_INSECURE", "PENTAD_TOKENS", "PENTAD_TLS_CLIENT_CA", "PENTAD_ANONYMOUS_CPU_MS_PER_SECOND"}
    if not access & server.get("environment", {}).keys():
        yield "pentad: does not start, because nothing restricts the callers"


def prometheus_findings(services):
    with tempfile.TemporaryDirectory() as root:
        for source, target, _ in mounts(services["prometheus"]):
            if source.is_file():
                place = pathlib.Path(root + target)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, place)
        # The path that the image reads.
        config = pathlib.Path(root, "etc/prometheus/prometheus.yml")
        checked = subprocess.run(["promtool", "check", "config", config], capture_output=True, text=True)
        if checked.returncode != 0 or not list(config.parent.glob("rules.yaml")):
            yield "prometheus: finds no configuration, or no rules"
            return
    config = load(mounted_at(services["prometheus"], "/etc/prometheus/prometheus.yml"))
    exposed = re.search(r"^EXPOSE (.*)$", (deploy / "image/Containerfile").read_text(), re.M)[1].split()
    for scrape in config["scrape_configs"]:
        for target in scrape["static_configs"][0]["targets"]:
            host, port = target.split(":")
            if host not in services or port not in exposed:
                yield f"prometheus: scrapes {target}, which no service serves"


def grafana_findings(services):
    grafana = services["grafana"]
    folder = "/etc/grafana/provisioning"
    source, provider = (mounted_at(grafana, f"{folder}/{file}") for file in ("datasources/prometheus.yaml", "dashboards/pentad.yaml"))
    if not source or not provider:
        yield "grafana: is not provisioned"
        return
    source, provider = load(source)["datasources"][0], load(provider)["providers"][0]
    if urllib.parse.urlsplit(source["url"]).hostname not in services:
        yield f"grafana: no service at {source['url']}"
    if source["jsonData"]["timeInterval"] != load(deploy / "prometheus/prometheus.yaml")["global"]["scrape_interval"]:
        yield "grafana: timeInterval is not scrape_interval"
    for path in {provider["options"]["path"] + "/pentad.json", grafana["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]}:
        if mounted_at(grafana, path) != deploy / "grafana/pentad.json":
            yield f"grafana: no dashboard at {path}"


compose = load(deploy / "compose.yaml")
wrong = list(findings(compose))
assert not wrong, "\n".join(wrong)
print(f"   ok  every file, port and service that its {len(compose['services'])} services name exists")

SCRAPE = "prometheus/prometheus.yaml"
SOURCE = "grafana/provisioning/datasources/prometheus.yaml"
PROVIDER = "grafana/provisioning/dashboards/pentad.yaml"
file = lambda path: replaced.setdefault(deploy / path, load(deploy / path))
BROKEN = [
    ("which does not exist", lambda s: s["prometheus"]["volumes"].append("./prometheus/alerts.yaml:/etc/prometheus/alerts.yaml:ro")),
    ("may write to", lambda s: s["prometheus"]["volumes"].append("./prometheus/adapter.yaml:/etc/prometheus/adapter.yaml:rw")),
    ("is open to others", lambda s: s["pentad"]["ports"].append("9090:9090")),
    ("is not a fixed version", lambda s: s["grafana"].update(image="docker.io/grafana/grafana")),
    ("which is not a service", lambda s: s["grafana"].update(depends_on=["loki"])),
    ("is not the version of k8s/base", lambda s: s["pentad"].update(image="pentad:0.0.9")),
    ("is not built from this tree", lambda s: s["pentad"].update(build={"context": ".", "dockerfile": "image/Containerfile"})),
    ("is less restricted", lambda s: s["pentad"].pop("cap_drop")),
    ("nothing restricts the callers", lambda s: s["pentad"].pop("environment")),
    ("finds no configuration, or no rules", lambda s: s["prometheus"]["volumes"].pop()),
    ("which no service serves", lambda s: file(SCRAPE)["scrape_configs"][0].update(static_configs=[{"targets": ["server:9090"]}])),
    ("which no service serves", lambda s: file(SCRAPE)["scrape_configs"][0].update(static_configs=[{"targets": ["pentad:9091"]}])),
    ("is not provisioned", lambda s: s["grafana"]["volumes"].pop(0)),
    ("no service at http", lambda s: file(SOURCE)["datasources"][0].update(url="http://metrics:9090")),
    ("timeInterval is not", lambda s: file(SOURCE)["datasources"][0].update(jsonData={"timeInterval": "1m"})),
    ("no dashboard at", lambda s: s["grafana"]["volumes"].pop()),
    ("no dashboard at", lambda s: file(PROVIDER)["providers"][0].update(options={"path": "/dashboards"})),
]
for expected, change in BROKEN:
    services = copy.deepcopy(compose)
    change(services["services"])
    found = list(findings(services))
    replaced.clear()
    assert found and all(expected in one for one in found), f"`{expected}` is not the only finding: {found}"
print(f"   ok  {len(BROKEN)} broken variants are rejected, each with its own finding")
