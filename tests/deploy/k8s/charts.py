"""Renders the Helm chart with a table of values and validates it.

Each file of deploy/helm/values that has a kustomization of the same name has to give the same
objects, so that neither lags behind the other. All renderings pass the schemas and policies of
the kustomizations. Values that make no sense are refused, by values.schema.json or the chart. The schema
describes each value as the comments of values.yaml do.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

import policies
import validate
from served import DEPLOY, OUT, Server

CHART = DEPLOY / "helm/pentad"
VALUES = DEPLOY / "helm/values"
sys.path.append(str(DEPLOY / "helm"))
sys.dont_write_bytecode = True

import schema

# A provider of OpenID Connect, and the rule that lets servers read its keys.
OIDC = [
    "access.insecure=false", "access.oidc.issuer=https://id.example.com", "access.oidc.audience=pentad",
    "access.oidc.jwks=https://id.example.com/keys", "access.oidc.cpuMsPerSecond=500",
    "networkPolicy.egress[0].to[0].ipBlock.cidr=192.0.2.1/32", "networkPolicy.egress[0].ports[0].port=443",
]
SETTINGS_FILE = "# Ours.\nworkers = 2\nmemory_per_search_mib = 512\n\ncache_mib = 32\n"
# On top of production.yaml, as their comments say.
ON_PRODUCTION = {"keda", "queue-metric", "route-by-key", "route-by-key-istio", "site", "store-file", "store-own", "store-shared", "tls", "tokens"}
# Values without a kustomization, from the schema's corners.
OTHER = {
    "tls": [], "store-own": [],
    "pod-monitor": ["monitoring.kind=PodMonitor", "monitoring.rules.enabled=false", "monitoring.dashboard.enabled=false"],
    "digest": [f"image.digest=sha256:{'0' * 64}", "image.pullSecrets={registry}", "priorityClassName=high"],
    "oidc": OIDC,
    "quota": ["access.insecure=false", "access.anonymousCpuMsPerSecond=500", "podDisruptionBudget.enabled=false"],
}
# Refused values, and what the message has to name.
REFUSED = {
    "access.insecure=false": "anyone could call",
    "acess.insecure=true": "acess",
    "image.tag=latest": "/image/tag",
    "replicas=0": "/replicas",
    "settings.Workers=2": "Workers",
    "resources.limits.memory=lots": "/resources/limits/memory",
    "autoscaling.kind=vpa": "/autoscaling/kind",
    "gateway.routeByKey=nginx": "/gateway/routeByKey",
    "networkPolicy.tracing.port=99999": "/networkPolicy/tracing/port",
    "podDisruptionBudget.maxUnavailable=0": "/podDisruptionBudget/maxUnavailable",
    "store.shared.url=redis://user:password@store": "/store/shared/url",
    "tls.clientCaSecret=ca": "tls.clientCaSecret needs tls.secret",
    "access.oidc.issuer=https://id.example.com": "set issuer, audience and jwks",
    "rulesets[0].name=x,rulesets[0].image=x:1,rulesets[0].file=/x.so,rulesets[0].sha256=12,rulesets[0].mount=init-container": "/rulesets/0/sha256",
}


def main():
    modules = pathlib.Path(sys.argv[1])
    linted = helm("lint", "--strict", CHART, "--set", "access.insecure=true")
    assert "0 chart(s) failed" in linted and "[WARNING]" not in linted, linted
    custom, n_equal = [], 0
    for file in sorted(VALUES.glob("*.yaml")):
        objects = render(file.stem)
        custom += valid(file.stem, objects)
        n_equal += equal(file.stem, objects)
    for name, pairs in OTHER.items():
        custom += valid(name, render(name if (VALUES / f"{name}.yaml").exists() else "production", pairs))
    own_file = render("production", more=["--set-file", f"settingsFile={settings_file()}"])
    custom += valid("settings-file", own_file)
    wrong = validate.custom_findings(custom, modules)
    assert not wrong, "\n".join(wrong)
    print(f"   ok  {len(list(VALUES.glob('*.yaml'))) + len(OTHER) + 1} renderings of the chart pass lint, schemas and policies; {n_equal} equal their kustomization")
    check_settings(own_file)
    check_descriptions()
    check_names()
    check_refused()
    check_package()
    check_notes()


def helm(*arguments, check=True):
    ran = subprocess.run(["helm", *map(str, arguments)], capture_output=True, text=True)
    assert ran.returncode == 0 or not check, ran.stderr
    return ran.stdout if check else ran.stderr


def arguments(name, pairs=(), release="pentad", namespace=None):
    files = ["production", name] if name in ON_PRODUCTION else [name]
    given = [one for file in files for one in ("--values", VALUES / f"{file}.yaml")]
    namespace = namespace or ("pentad-dev" if name == "dev" else "pentad")
    return [release, CHART, "--namespace", namespace, *given, *(one for pair in pairs for one in ("--set", pair))]


def render(name, pairs=(), more=(), **where):
    text = helm("template", *arguments(name, pairs, **where), *more)
    return policies.Objects(item for item in yaml.safe_load_all(text) if item)


def valid(name, objects):
    """Returns the custom resources, after all others have passed."""
    kept = policies.POLICIES + policies.OVERLAY_POLICIES + (policies.PRODUCTION_POLICIES if name == "site" else [])
    kept = [policy for policy in kept if policy is not policies.references_exist or not objects.of("PodMonitor")]
    wrong = validate.findings(policies.Objects(item for item in objects if item["kind"] != "PodMonitor"), kept)
    assert not wrong, f"values {name}:\n  " + "\n  ".join(wrong)
    return objects.of(*validate.CRDS)


def equal(name, objects):
    """Compares with the kustomization of this name, in both directions; returns whether there is one."""
    folder = next((path for path in (validate.K8S / "overlays" / name, validate.K8S / "examples" / name) if path.is_dir()), None)
    folder = validate.K8S / "base" if name == "base" else folder
    if not folder:
        return False
    if name == "base":
        # Base leaves access to overlays.
        with tempfile.TemporaryDirectory(dir=validate.K8S / "examples") as overlay:
            access = [{"name": "pentad-env", "behavior": "merge", "literals": ["PENTAD_INSECURE=true"]}]
            text = yaml.safe_dump({"resources": ["../../base"], "namespace": "pentad", "configMapGenerator": access})
            pathlib.Path(overlay, "kustomization.yaml").write_text(text)
            kustomized = validate.render(overlay)
    else:
        kustomized = validate.render(folder)
    ours, theirs = normalized(objects), normalized(kustomized)
    assert ours.keys() == theirs.keys(), f"values {name}: only one side has {ours.keys() ^ theirs.keys()}"
    for key in ours:
        for path, chart, kustomize in differences(ours[key], theirs[key]):
            raise AssertionError(f"values {name}: {'/'.join(key)}{path} is {chart} in the chart, {kustomize} in {folder.name}")
    return True


def normalized(objects):
    """Objects by kind and name, without what the two tools add: labels of releases, namespaces, and how a changed
    ConfigMap rolls out (by a hash in its name, or of its content in an annotation)."""
    made = {}
    hashed = {item["metadata"]["name"] for item in objects.of("ConfigMap")}
    for item in json.loads(json.dumps(objects)):
        if item["kind"] == "Namespace":
            continue
        item["metadata"].get("annotations", {}).clear()
        strip_labels(item)
        for labels in (item["metadata"].get("labels", {}),):
            labels.pop("app.kubernetes.io/name", None)
        for _, key, value in list(policies.walk(item)):
            if key == "annotations" and isinstance(value, dict):
                value.pop("checksum/config", None)
        text = json.dumps(prune(item), sort_keys=True)
        for name in hashed:
            text = text.replace(f'"{name}"', f'"{re.sub("-[a-z0-9]{10}$", "", name)}"')
        item = json.loads(text)
        # Equal to no variable.
        if item.get("data", {}).get("PENTAD_INSECURE") == "false":
            del item["data"]["PENTAD_INSECURE"]
        for key in [key for key in item.get("data", {}) if key.endswith(".json")]:
            item["data"][key] = json.loads(item["data"][key])
        by_name(item)
        made[item["kind"], item["metadata"]["name"]] = item
    return made


def strip_labels(item):
    for _, key, value in list(policies.walk(item)):
        if key in ("labels", "matchLabels", "selector") and isinstance(value, dict):
            for label in ("helm.sh/chart", *(f"app.kubernetes.io/{name}" for name in ("instance", "version", "managed-by"))):
                value.pop(label, None)


def prune(item):
    """Without empty maps, which say nothing; but an empty podSelector selects all pods."""
    if isinstance(item, dict):
        pruned = {key: prune(value) for key, value in item.items()}
        return {key: value for key, value in pruned.items() if value != {} or key in ("podSelector", "maglev")}
    return [prune(one) for one in item] if isinstance(item, list) else item


def by_name(item):
    """Sorts volumes and mounts, whose order says nothing."""
    for _, key, value in list(policies.walk(item)):
        if key in ("volumes", "volumeMounts"):
            value.sort(key=lambda one: one["name"])


def differences(chart, kustomize, path=""):
    if isinstance(chart, dict) and isinstance(kustomize, dict):
        for key in chart.keys() | kustomize.keys():
            yield from differences(chart.get(key), kustomize.get(key), f"{path}.{key}")
    elif isinstance(chart, list) and isinstance(kustomize, list) and len(chart) == len(kustomize):
        for idx, pair in enumerate(zip(chart, kustomize)):
            yield from differences(*pair, f"{path}[{idx}]")
    elif chart != kustomize:
        yield path, chart, kustomize


def check_names():
    """A release of another name and namespace is the same, under that name."""
    n_names = 0
    for name in ("site", "store-shared", "store-file", "keda", "route-by-key", "tokens"):
        other = helm("template", *arguments(name, release="games", namespace="elsewhere"))
        assert "\n  name: pentad\n" not in other, "an object has the name of another release"
        renamed = other.replace("games-pentad", "pentad").replace("instance: games", "instance: pentad")
        renamed = renamed.replace("namespace: elsewhere", "namespace: pentad").replace('namespace="elsewhere"', 'namespace="pentad"')
        without_hash = lambda text: re.sub("checksum/config: .*", "", text)
        assert without_hash(renamed) == without_hash(helm("template", *arguments(name))), f"{name}: a name is not that of the release"
        n_names += 1
    print(f"   ok  under another name and in another namespace {n_names} renderings are the same")


def settings_file():
    path = OUT / "settings.toml"
    path.write_text(SETTINGS_FILE)
    return path


def check_settings(own_file):
    """The server takes what access.oidc and settingsFile render."""
    variables, _ = config_maps(render("production", OIDC))
    given = {pair.partition("=")[0]: pair.partition("=")[2] for pair in OIDC}
    for setting, value in (("ISSUER", "issuer"), ("AUDIENCE", "audience"), ("JWKS", "jwks"), ("CPU_MS_PER_SECOND", "cpuMsPerSecond")):
        assert variables[f"PENTAD_OIDC_{setting}"] == given[f"access.oidc.{value}"], variables
    assert "PENTAD_INSECURE" not in variables, variables
    effective(variables, "", "oidc_issuer = \"https://id.example.com\"", "oidc_cpu_ms_per_second = 500")
    variables, text = config_maps(own_file)
    assert text == SETTINGS_FILE, text
    effective(variables, text, "memory_per_search_mib = 512", "cache_mib = 32")
    print("   ok  the server takes a provider of OpenID Connect and a settings file as they are rendered")


def config_maps(objects):
    """Returns the variables and the settings file."""
    data = {item["metadata"]["name"]: item["data"] for item in objects.of("ConfigMap")}
    return data["pentad-env"], data["pentad"]["pentad.toml"]


def effective(variables, text, *expected):
    """Prints the configuration with these variables and this file, which has to contain what is expected."""
    path = OUT / "effective.toml"
    path.write_text(text)
    env = {name: value for name, value in os.environ.items() if not name.startswith("PENTAD_")}
    ran = subprocess.run([os.environ["PENTAD"], "--print-config"], capture_output=True, text=True, env=env | variables | {"PENTAD_CONFIG": str(path)})
    assert ran.returncode == 0, ran.stderr
    missing = [line for line in expected if not re.search(rf"^{re.escape(line)}(\s|$)", ran.stdout, re.M)]
    assert not missing, f"no {missing} in:\n{ran.stdout}"


def check_descriptions():
    """Each value has a description in the schema, which is its comment in values.yaml; a changed comment is noticed."""
    values = (CHART / "values.yaml").read_text()
    text = (CHART / "values.schema.json").read_text()
    found, described = schema.comments(values), {
        path: properties[name].get("description") for path, properties, name in schema.walk(json.loads(text))}
    without = [".".join(path) for path, description in described.items() if not description]
    assert not without, f"values without a description: {', '.join(without)}; comment them in values.yaml and run deploy/generate"
    unknown = found.keys() - described.keys()
    assert not unknown, f"comments of values that the schema lacks: {unknown}"
    assert {path for path, description in described.items() if found.get(path) != description} == described.keys() - found.keys()
    assert described.keys() - found.keys() == {path for path in described if path[-1] in ("claims", "global")}, "only these have no comment"
    assert schema.described(text, values) == text
    assert schema.described(text, values.replace("# The server's image.", "# Another.")) != text
    print(f"   ok  the schema describes all {len(described)} values as their comments do")


def check_refused():
    for pair, expected in REFUSED.items():
        base = [] if pair == "access.insecure=false" else ["--set", "access.insecure=true"]
        message = helm("template", "pentad", CHART, *base, "--set", pair, check=False)
        assert expected in message, f"--set {pair}: expected a message about {expected}, found: {message}"
    print(f"   ok  {len(REFUSED)} wrong values are refused, each with its name")


def check_package():
    version = re.search(r'^version = "(.+)"$', (DEPLOY.parent / "Cargo.toml").read_text(), re.M)[1]
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert chart["version"] == chart["appVersion"] == version, f"the chart is {chart['version']} of {chart['appVersion']}, Pentad is {version}"
    with tempfile.TemporaryDirectory(dir=OUT) as folder:
        helm("package", CHART, "--destination", folder)
        archive = pathlib.Path(folder, f"pentad-{version}.tgz")
        packed = helm("template", "pentad", archive, "--namespace", "pentad", "--values", VALUES / "production.yaml")
        assert packed == helm("template", *arguments("production")), "the packed chart renders other objects"
    print(f"   ok  packed as pentad-{version}.tgz, it renders the same")


def check_notes():
    """A live server answers the calls of NOTES.txt."""
    notes = lambda name: helm("install", *arguments(name), "--dry-run=client").partition("NOTES:\n")[2]
    assert "runbook is not set" in notes("production") and "runbook is not set" not in notes("site")
    assert "WARNING: access.insecure" in notes("base") and "WARNING" not in notes("tokens")
    assert "pentad/access=callers" in notes("production") and "statefulset/pentad" in notes("store-file")
    text = notes("production")
    with Server("notes") as server:
        calls = re.findall(r"^  (curl .*)$", text, re.M)
        for call in calls:
            for port, address in (("9090", server.admin), ("8080", server.rest)):
                call = call.replace(f"localhost:{port}", address)
            answer = subprocess.run(["bash", "-c", f"{call} --silent"], capture_output=True, text=True, check=True).stdout
    winning = re.search(r"White wins by (\w+)", text)[1]
    assert len(calls) == 3 and f'"move":"{winning}"' in answer, answer
    print(f"   ok  a live server answers the {len(calls)} calls of its notes, the last with {winning}")


if __name__ == "__main__":
    main()
