"""Follows deploy/README.md as far as possible without a registry and a cluster.

Its commands are run, and it has to name everything that the manifests rely on.
"""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import yaml

from served import OUT, Server

sys.path.append(str(pathlib.Path(__file__).parent / "k8s"))
import policies
import validate

readme = pathlib.Path("deploy/README.md").read_text()
blocks = re.findall(r"^ *```sh\n(.*?)^ *```", readme, re.M | re.S)
commands = [shlex.split(line, comments=True) for block in blocks for line in block.replace("\\\n", "").splitlines()]
starting_with = lambda *words: [command for command in commands if command[: len(words)] == list(words)]


def follow_overlay():
    """Copies and renders the overlay as the README says, in a copy of deploy/."""
    with tempfile.TemporaryDirectory(dir=OUT) as scratch:
        shutil.copytree("deploy", f"{scratch}/deploy", ignore=shutil.ignore_patterns("__pycache__"))
        for command in [*starting_with("cp"), *starting_with("kubectl", "kustomize")]:
            ran = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=True)
        (apply,) = starting_with("kubectl", "apply")
        assert apply[-1] == command[-1], "the rendered overlay is not the applied one"
        objects = policies.Objects(yaml.safe_load_all(ran.stdout))
    (build,), (push,) = starting_with("podman", "build"), starting_with("podman", "push")
    image = policies.server(objects.of("Deployment")[0])["image"]
    assert build[build.index("-t") + 1] == push[-1] == image, f"the overlay wants {image}, which is not the image built and pushed"
    for option in ("-f", "--ignorefile"):
        assert pathlib.Path(build[build.index(option) + 1]).is_file(), f"podman build {option}: no such file"
    print(f"   ok  the README's overlay runs the image that is pushed, {len(objects)} objects")
    return objects


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


def find_ports():
    services = yaml.safe_load(pathlib.Path("deploy/compose.yaml").read_text())["services"].values()
    published = {port.split(":")[1] for service in services for port in service["ports"]}
    section = re.search(r"^## On one machine\n(.*?)^##", readme, re.M | re.S)[1]
    ports = set(re.findall(r"localhost:(\d+)", section))
    assert ports == published, f"compose.yaml publishes {published}, the README names {ports}"
    print(f"   ok  its {len(ports)} local addresses are those that compose.yaml publishes")


find_ports()
objects = follow_overlay()
name_prerequisites(objects)
follow_verification()
for path in set(re.findall(r"(?<![\w/])(?:tests/)?deploy/[\w./-]+\w", readme)) - {"deploy/k8s/overlays/site"}:
    assert pathlib.Path(path).exists(), f"README.md: no {path}"
for folder in set(re.findall(r"`(components/[\w-]+|grafana)/?`", readme)):
    assert pathlib.Path("deploy/k8s", folder).is_dir() or pathlib.Path("deploy", folder).is_dir(), f"README.md: no {folder}"
print("   ok  every path that it names exists")
