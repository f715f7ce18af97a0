"""The image as an OCI archive, without a container engine.

deploy/image/assemble makes the root file system; its configuration is that of the Containerfile's
last stage. `podman load`, `skopeo copy oci-archive:` and `crane push` read the archive.
"""

import json
import re
import shlex
import subprocess
import time

from archive import compress, pack, sha256, tree

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
CONFIG = "application/vnd.oci.image.config.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"


def build(source, built, work, version, revision, machine, epoch):
    """Returns the archive's bytes; `built` has pentad and rulesets/."""
    root = work / "rootfs"
    subprocess.run([source / "deploy/image/assemble", built, source / "LICENSE", root], check=True)
    layer = pack(tree(root), epoch)
    packed = compress(layer)
    containerfile = (source / "deploy/image/Containerfile").read_text()
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch))
    settings = config(containerfile, {"VERSION": version, "REVISION": revision})
    image = {
        "created": created, "architecture": ARCHITECTURES[machine], "os": "linux", "config": settings,
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{sha256(layer)}"]},
        "history": [{"created": created, "created_by": "deploy/release"}],
    }
    blobs = {}
    manifest = {
        "schemaVersion": 2, "mediaType": MANIFEST, "config": blob(blobs, CONFIG, encoded(image)),
        "layers": [blob(blobs, LAYER, packed)], "annotations": settings["Labels"],
    }
    named = blob(blobs, MANIFEST, encoded(manifest)) | {
        "platform": {"architecture": ARCHITECTURES[machine], "os": "linux"},
        "annotations": {"org.opencontainers.image.ref.name": version},
    }
    index = {"schemaVersion": 2, "mediaType": INDEX, "manifests": [named]}
    files = {"oci-layout": encoded({"imageLayoutVersion": "1.0.0"}), "index.json": encoded(index)} | blobs
    return pack(files, epoch)


def blob(blobs, kind, content):
    digest = sha256(content)
    blobs[f"blobs/sha256/{digest}"] = content
    return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(content)}


def encoded(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def config(containerfile, arguments):
    """Reads the configuration of the last stage."""
    stage = re.split(r"^FROM ", containerfile.replace("\\\n", " "), flags=re.M)[-1]
    for name, value in arguments.items():
        stage = stage.replace(f"${{{name}}}", value)
    made = {"Env": [], "ExposedPorts": {}, "Labels": {}}
    for line in stage.splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "ENV":
            made["Env"] += shlex.split(rest)
        elif word == "LABEL":
            made["Labels"] |= dict(pair.split("=", 1) for pair in shlex.split(rest))
        elif word == "EXPOSE":
            made["ExposedPorts"] |= {f"{port}/tcp": {} for port in rest.split()}
        elif word == "ENTRYPOINT":
            made["Entrypoint"] = json.loads(rest)
        elif word == "USER":
            made["User"] = rest.strip()
        elif word == "STOPSIGNAL":
            made["StopSignal"] = rest.strip()
    assert made["User"] == "65532:65532" and made["Entrypoint"], "the Containerfile's last stage was not understood"
    return made
