"""Renders every kustomization and holds it to the schemas and to laws.py.

Then the other way round: every file in broken/ is a patch that spoils examples/site
in one way, and its first line says what has to be found. A check that lets it
pass is no check. `# on: init-container` spoils another example; `# needs: KEY` is
for servers that have that setting.
"""

import functools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import kubernetes_validate
import yaml

import laws

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE.parent.parent / "target" / "deploy"
# The oldest version with every feature in use, and the newest known one.
VERSIONS = ["1.33", kubernetes_validate.latest_version()]
# What PRODUCTION_LAWS are for.
PRODUCTION = [HERE / "overlays/production", HERE / "examples/site"]
# Not part of Kubernetes: their schemas come as TypeScript (see against_crds).
CRDS = {
    "ServiceMonitor": "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor",
    "PrometheusRule": "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule",
    "HTTPRoute": "@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute",
    "GRPCRoute": "@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/GRPCRoute",
    "BackendTrafficPolicy": "@kubernetes-models/envoy-gateway/gateway.envoyproxy.io/v1alpha1/BackendTrafficPolicy",
    "DestinationRule": "@kubernetes-models/istio/networking.istio.io/v1/DestinationRule",
}


def main():
    modules = pathlib.Path(sys.argv[1])
    folders = [HERE / "base", *sorted(HERE.glob("overlays/*")), *sorted(HERE.glob("examples/*"))]
    custom = []
    for folder in folders:
        objects = render(folder)
        kept = laws.LAWS + laws.OVERLAY_LAWS * (folder != HERE / "base") + laws.PRODUCTION_LAWS * (folder in PRODUCTION)
        wrong = [*against_schemas(objects), *against_laws(objects, kept)]
        assert not wrong, f"{folder.relative_to(HERE)}:\n  " + "\n  ".join(wrong)
        custom += objects.of(*CRDS)
        print(f"   ok  {folder.relative_to(HERE)}: {len(objects)} objects keep schemas {' and '.join(VERSIONS)} and {len(kept)} laws")
    wrong = against_crds(custom, modules)
    assert not wrong, "\n".join(wrong)
    print(f"   ok  {len(custom)} objects of {len(CRDS)} custom kinds keep their schemas")
    broken = [patch for patch in sorted(HERE.glob("broken/*.yaml")) if notice(patch, modules)]
    print(f"   ok  {len(broken)} broken manifests are noticed, each for its own reason")


def render(folder):
    text = subprocess.run(["kubectl", "kustomize", folder], check=True, capture_output=True, text=True).stdout
    return laws.Objects(item for item in yaml.safe_load_all(text) if item)


def against_schemas(objects):
    for item in objects:
        if item["kind"] not in CRDS:
            yield from against_schema(json.dumps(item))


@functools.cache
def against_schema(text):
    """Cached, because most objects are the same in most kustomizations."""
    item, wrong = json.loads(text), []
    for version in VERSIONS:
        try:
            kubernetes_validate.validate(item, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            wrong.append(f"schema {version}: {item['kind']} {'.'.join(map(str, error.path))}: {error.message}")
    return wrong


def against_laws(objects, kept):
    for law in kept:
        yield from law(objects)


def against_crds(objects, modules):
    """TypeScript finds fields that do not exist, the models' own check finds bad values."""
    if not objects:
        return []
    lines = [f'import {{ {kind} }} from "{module}";' for kind, module in CRDS.items()]
    lines += [f"new {item['kind']}({json.dumps(strip(item))}).validate();" for item in objects]
    source = modules / "crds.mts"
    source.write_text("\n".join(lines))
    compiler = [modules / "node_modules/.bin/tsc", "--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck", source]
    compiled = subprocess.run(compiler, capture_output=True, text=True, cwd=modules)
    if compiled.returncode != 0:
        return [compiled.stdout]
    ran = subprocess.run(["node", modules / "crds.mjs"], capture_output=True, text=True, cwd=modules)
    return [ran.stderr] if ran.returncode != 0 else []


def strip(item):
    """The constructors know kind and version by themselves."""
    return {key: value for key, value in item.items() if key not in ("kind", "apiVersion")}


def notice(patch, modules):
    """Renders an example with this patch; what its first line says has to be found."""
    head = dict(re.findall(r"^# (found|on|needs): (.*)$", patch.read_text(), re.M))
    if "needs" in head and not laws.knows(head["needs"]):
        return False
    example, expected = head.get("on", "site"), head["found"]
    kept = laws.LAWS + laws.OVERLAY_LAWS + laws.PRODUCTION_LAWS * (HERE / "examples" / example in PRODUCTION)
    with tempfile.TemporaryDirectory(dir=OUT) as scratch:
        scratch = pathlib.Path(scratch)
        shutil.copytree(HERE.parent, scratch / "deploy", ignore=shutil.ignore_patterns("__pycache__"))
        case = scratch / "deploy/k8s/examples/case"
        case.mkdir()
        shutil.copy(patch, case / "patch.yaml")
        config = {"resources": [f"../{example}"], "patches": [{"path": "patch.yaml"}]}
        (case / "kustomization.yaml").write_text(yaml.safe_dump(config))
        objects = render(case)
    found = [*against_schemas(objects), *against_laws(objects, kept)] or against_crds(objects.of(*CRDS), modules)
    assert any(expected in one for one in found), f"{patch.name}: `{expected}` was not found, only {found}"
    # One defect must give exactly one finding: more could hide a rule without effect.
    others = [one for one in found if expected not in one]
    assert not others, f"{patch.name}: found besides: {others}"
    return True


if __name__ == "__main__":
    main()
