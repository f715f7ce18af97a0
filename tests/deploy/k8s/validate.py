"""Renders every kustomization of deploy/k8s and validates it.

Kubernetes' own objects are checked by kubernetes-validate, custom resources by their
published models, and all of them by policies.py. Then every case of rejected.yaml,
a patch that breaks an example in one way, has to give exactly its finding.
"""

import functools
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import kubernetes_validate
import yaml

import policies
from served import DEPLOY, OUT

K8S = DEPLOY / "k8s"
REJECTED = pathlib.Path(__file__).with_name("rejected.yaml")
# The oldest supported version, and the newest one with schemas.
VERSIONS = ["1.33", kubernetes_validate.latest_version()]
# Where PRODUCTION_POLICIES apply.
PRODUCTION = [K8S / "overlays/production", K8S / "examples/site"]
# Not part of Kubernetes: their schemas are published as TypeScript (see custom_findings).
CRDS = {
    "ServiceMonitor": "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor",
    "PrometheusRule": "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule",
    "HTTPRoute": "@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute",
    "GRPCRoute": "@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/GRPCRoute",
    "BackendTrafficPolicy": "@kubernetes-models/envoy-gateway/gateway.envoyproxy.io/v1alpha1/BackendTrafficPolicy",
    "ScaledObject": "@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject",
    "DestinationRule": "@kubernetes-models/istio/networking.istio.io/v1/DestinationRule",
}


def main():
    modules = pathlib.Path(sys.argv[1])
    folders = [K8S / "base", *sorted(K8S.glob("overlays/*")), *sorted(K8S.glob("examples/*"))]
    custom = []
    for folder in folders:
        objects, kept = render(folder), policies_for(folder)
        wrong = findings(objects, kept)
        assert not wrong, f"{folder.relative_to(K8S)}:\n  " + "\n  ".join(wrong)
        custom += objects.of(*CRDS)
        print(f"   ok  {folder.relative_to(K8S)}: {len(objects)} objects pass schemas {' and '.join(VERSIONS)} and {len(kept)} policies")
    wrong = custom_findings(custom, modules)
    assert not wrong, "\n".join(wrong)
    print(f"   ok  {len(custom)} objects of {len(CRDS)} custom kinds pass their schemas")
    print(f"   ok  {check_rejected(modules)} broken manifests are rejected, each with one finding")


def policies_for(folder):
    overlay, production = folder != K8S / "base", folder in PRODUCTION
    return policies.POLICIES + policies.OVERLAY_POLICIES * overlay + policies.PRODUCTION_POLICIES * production


def render(folder):
    text = subprocess.run(["kubectl", "kustomize", folder], check=True, capture_output=True, text=True).stdout
    return policies.Objects(item for item in yaml.safe_load_all(text) if item)


def findings(objects, kept):
    by_schema = [one for item in objects if item["kind"] not in CRDS for one in schema_findings(json.dumps(item))]
    found = by_schema + [one for policy in kept for one in policy(objects)]
    return found or [one for policy in policies.LAST_POLICIES for one in policy(objects)]


@functools.cache
def schema_findings(text):
    """Cached, because most objects are the same in most kustomizations."""
    item, wrong = json.loads(text), []
    for version in VERSIONS:
        try:
            kubernetes_validate.validate(item, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            wrong.append(f"schema {version}: {item['kind']} {'.'.join(map(str, error.path))}: {error.message}")
    return wrong


def custom_findings(objects, modules):
    """TypeScript finds fields that do not exist, the models' own check finds invalid values."""
    if not objects:
        return []
    lines = [f'import {{ {kind} }} from "{module}";' for kind, module in CRDS.items()]
    lines += [f"new {item['kind']}({json.dumps(without_type(item))}).validate();" for item in objects]
    source = modules / "crds.mts"
    source.write_text("\n".join(lines))
    compiler = [modules / "node_modules/.bin/tsc", "--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck", source]
    compiled = subprocess.run(compiler, capture_output=True, text=True, cwd=modules)
    if compiled.returncode != 0:
        return [compiled.stdout]
    ran = subprocess.run(["node", modules / "crds.mjs"], capture_output=True, text=True, cwd=modules)
    return [ran.stderr] if ran.returncode != 0 else []


def without_type(item):
    """The models' constructors add kind and version themselves."""
    return {key: value for key, value in item.items() if key not in ("kind", "apiVersion")}


def check_rejected(modules):
    """Checks every case of rejected.yaml; returns their number."""
    n_cases = 0
    with tempfile.TemporaryDirectory(dir=OUT) as scratch:
        examples = pathlib.Path(scratch) / "deploy/k8s/examples"
        shutil.copytree(DEPLOY, examples.parents[1], ignore=shutil.ignore_patterns("__pycache__"))
        for example, targets in yaml.safe_load(REJECTED.read_text()).items():
            versions = {item["kind"]: item["apiVersion"] for item in render(K8S / "examples" / example)}
            for target, cases in targets.items():
                for name, case in cases.items():
                    patch = as_patch(target, case["patch"], versions)
                    check_case(examples, example, name, patch, case["expect"], modules)
                    n_cases += 1
    return n_cases


def as_patch(target, patch, versions):
    """The whole patch for a target such as `Deployment/pentad.container`."""
    kind, _, name = target.partition("/")
    name, _, part = name.rpartition(".")
    if part == "container":
        part, patch = "pod", {"containers": [{"name": "pentad", **patch}]}
    if part == "pod":
        part, patch = "spec", {"template": {"spec": patch}}
    return {"apiVersion": versions[kind], "kind": kind, "metadata": {"name": name}, part: patch}


def check_case(examples, example, name, patch, expected, modules):
    folder = examples / "case"
    folder.mkdir(exist_ok=True)
    (folder / "patch.yaml").write_text(yaml.safe_dump(patch))
    (folder / "kustomization.yaml").write_text(yaml.safe_dump({"resources": [f"../{example}"], "patches": [{"path": "patch.yaml"}]}))
    objects = render(folder)
    found = findings(objects, policies_for(K8S / "examples" / example)) or custom_findings(objects.of(*CRDS), modules)
    assert any(expected in one for one in found), f"{name}: `{expected}` was not found, only {found}"
    # One defect must give exactly one finding: more could hide a policy without effect.
    others = [one for one in found if expected not in one]
    assert not others, f"{name}: unexpected findings: {others}"


if __name__ == "__main__":
    main()
