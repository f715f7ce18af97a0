"""Follows deploy/README.md as far as possible without a registry and a cluster.

Its commands are run, and it has to name everything that the manifests rely on.
"""

import functools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap

import yaml

from served import OUT, Server

sys.path.append(str(pathlib.Path(__file__).parent / "k8s"))
import policies
import validate

readme = pathlib.Path("deploy/README.md").read_text()
# Blocks of commands that need more than this tree begin with such a line. release.py runs those about releases.
NEEDS = re.compile(
    r"# needs (a cluster|a container engine|a container engine and a registry|a Rust toolchain( and Node\.js)?"
    r"|the files of a release( and a registry)?)\n")
blocks = [textwrap.dedent(block) for block in re.findall(r"^ *```sh\n(.*?)^ *```", readme, re.M | re.S)]
split = lambda block: [shlex.split(line, comments=True) for line in block.replace("\\\n", "").splitlines() if not line.startswith("#")]
commands = [command for block in blocks for command in split(block)]
runnable = [command for block in blocks if not NEEDS.match(block) for command in split(block)]
starting_with = lambda *words: [command for command in commands if command[: len(words)] == list(words)]


def follow_installation():
    """Runs the commands that need nothing else, in a copy of deploy/. What is installed has to be what they show."""
    rendered = {}
    with tempfile.TemporaryDirectory(dir=OUT) as scratch:
        shutil.copytree("deploy", f"{scratch}/deploy", ignore=shutil.ignore_patterns("__pycache__"))
        for command in (command for command in runnable if command[0] not in ("curl", "pentad")):
            ran = subprocess.run(command, cwd=scratch, capture_output=True, text=True)
            assert ran.returncode == 0, f"{shlex.join(command)}: {ran.stderr}"
            if command[0] in ("helm", "kubectl"):
                rendered[command[0]] = policies.Objects(item for item in yaml.safe_load_all(ran.stdout) if item)
        vendored = pathlib.Path(starting_with("deploy/generate")[0][2])
        made = sorted(path.name for path in (scratch / vendored).iterdir())
        assert all(f"`{name}`" in readme for name in made), f"it writes {made}"
    (install,), (shown,) = starting_with("helm", "upgrade"), starting_with("helm", "template")
    assert [word for word in install[2:] if word not in ("--install", "--create-namespace")] == shown[2:], "what is installed is not what is shown"
    (apply,), (kustomized,) = starting_with("kubectl", "apply"), starting_with("kubectl", "kustomize")
    assert apply[-1] == kustomized[-1], "the rendered overlay is not the applied one"
    (build,), (push,), (copy,) = starting_with("podman", "build"), starting_with("podman", "push"), starting_with("skopeo", "copy")
    assert copy[-1] == f"docker://{push[-1]}", "the image of a release is pushed elsewhere"
    for tool, objects in rendered.items():
        image = policies.server(objects.of("Deployment")[0])["image"]
        assert build[build.index("-t") + 1] == push[-1] == image, f"{tool} wants {image}, which is not the image built and pushed"
    for option in ("-f", "--ignorefile"):
        assert pathlib.Path(build[build.index(option) + 1]).is_file(), f"podman build {option}: no such file"
    print(f"   ok  {len(runnable)} of its {len(commands)} commands run here, the others say what they need; both ways run the image that is pushed")
    return rendered


def needed(objects):
    """Yields the names that the manifests rely on elsewhere in the cluster."""
    for item in objects:
        group = item["apiVersion"].partition("/")[0]
        if group in ("monitoring.coreos.com", "gateway.networking.k8s.io"):
            yield group
            yield from (f"{key}: {value}" for key, value in item["metadata"].get("labels", {}).items() if key == "release")
        if item["kind"] == "Namespace":
            yield item["metadata"]["name"]
        if "grafana_dashboard" in item["metadata"].get("labels", {}):
            yield 'grafana_dashboard: "1"'
        for parent in item.get("spec", {}).get("parentRefs", []):
            yield from (parent["name"], parent["namespace"])
        for metric in item["spec"]["metrics"] if item["kind"] == "HorizontalPodAutoscaler" else []:
            yield "metrics.k8s.io" if metric["type"] == "Resource" else "custom.metrics.k8s.io"
        for _, key, value in policies.walk(item) if item["kind"] == "NetworkPolicy" else []:
            if key == "namespaceSelector":
                for label, name in value["matchLabels"].items():
                    yield name if label == "kubernetes.io/metadata.name" else f"{label}: {name}"
    for deployment in objects.of("Deployment"):
        endpoint = policies.settings(objects, deployment).get("otlp_endpoint")
        yield from [endpoint.removeprefix("http://").rstrip("/")] if endpoint else []


def unnamed(table, words):
    return {word for word in words if not re.search(rf"`{re.escape(word)}`", table)}


def name_prerequisites(objects):
    words = {*needed(objects), *needed(validate.render(validate.K8S / "examples/queue-metric"))}
    table = re.search(r"^### Prerequisites\n(.*?)^###", readme, re.M | re.S)[1]
    assert not unnamed(table, words), f"the table of prerequisites does not name {unnamed(table, words)}"
    for word in words:
        assert unnamed(table.replace(f"`{word}`", ""), words) == {word}, f"{word}: its absence is not noticed"
    print(f"   ok  its table names all {len(words)} labels, namespaces, APIs and names that the manifests rely on")


def follow_verification():
    (forward,) = (command for command in commands if "port-forward" in command)
    curls = starting_with("curl")
    with Server("readme") as server:
        ports = {"8080": server.rest, "9090": server.admin}
        for command in curls:
            port = re.match(r"localhost:(\d+)", command[-1])[1]
            assert port in forward, f"port {port} is not forwarded"
            command[-1] = command[-1].replace(f"localhost:{port}", ports[port])
            answer = subprocess.run([*command, "--silent"], capture_output=True, text=True, check=True).stdout
    winning = re.search(r"White wins by `(\w+)`", readme)[1]
    assert f'"move":"{winning}"' in answer, answer
    print(f"   ok  a live server answers its {len(curls)} calls, the last with {winning}")


def follow_preflight():
    """Runs the checks as written, with ports that are free here."""
    (command,) = starting_with("pentad")
    ports = {f"PENTAD_{port}_LISTEN": "127.0.0.1:0" for port in ("GRPC", "REST", "ADMIN")}
    env = os.environ | ports | {"PENTAD_RULESETS": os.environ["RULESETS"]}
    ran = subprocess.run([os.environ["PENTAD"], *command[1:]], env=env, capture_output=True, text=True)
    assert ran.returncode == 0 and "preflight passed" in ran.stdout, ran.stdout + ran.stderr
    print(f"   ok  `{shlex.join(command)}` passes here")


def find_ports():
    services = yaml.safe_load(pathlib.Path("deploy/compose.yaml").read_text())["services"].values()
    published = {port.split(":")[1] for service in services for port in service["ports"]}
    section = re.search(r"^## Try it\n(.*?)^##", readme, re.M | re.S)[1]
    ports = set(re.findall(r"localhost:(\d+)", section))
    assert ports == published, f"compose.yaml publishes {published}, the README names {ports}"
    print(f"   ok  its {len(ports)} local addresses are those that compose.yaml publishes")


find_ports()
rendered = follow_installation()
for objects in rendered.values():
    name_prerequisites(objects)
follow_preflight()
follow_verification()
for path in set(re.findall(r"(?<![\w/])(?:tests/)?deploy/[\w./-]+\w", readme)) - {"deploy/k8s/overlays/site", "deploy/runbook.md"}:
    assert pathlib.Path(path).exists(), f"README.md: no {path}"
for folder in set(re.findall(r"`((?:components|overlays|examples)/[\w-]+|grafana)/?`", readme)):
    assert pathlib.Path("deploy/k8s", folder).is_dir() or pathlib.Path("deploy", folder).is_dir(), f"README.md: no {folder}"
values = yaml.safe_load(pathlib.Path("deploy/helm/pentad/values.yaml").read_text())
for path in set(re.findall(r"`((?:[a-z]\w*\.)+[a-z]\w*)(?:: \w+)?`", readme)):
    if path.split(".")[0] in values and not path.endswith((".io", ".com", ".env", ".yaml")):
        assert functools.reduce(lambda at, key: (at or {}).get(key), path.split("."), values) is not None, f"README.md: no value {path}"
print("   ok  every path and value that it names exists")
