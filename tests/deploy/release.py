"""Runs deploy/release --dry-run twice with the binary under test, and checks what it makes.

Both runs give the same digests. The archives hold what they should, the image is a valid OCI archive whose
server runs, the chart renders with the version, the bill of materials was validated, and the checksums are signed
with a key made here. The tree stays as it is.
"""

import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

import yaml

from served import OUT, TREE

VERSION = "99.1.0"
sys.path.append(str(TREE / "deploy/releases"))
sys.dont_write_bytecode = True

import version as versions


def main():
    assert versions.current(TREE), "every place has the version of Cargo.toml"
    print(f"   ok  {len(versions.PLACES)} places have the version {versions.current(TREE)}")
    before = status()
    built = OUT / "release-built"
    shutil.rmtree(built, ignore_errors=True)
    (built / "rulesets").mkdir(parents=True)
    shutil.copy(os.environ["PENTAD"], built / "pentad")
    for library in pathlib.Path(os.environ["RULESETS"]).glob("libruleset_*.so"):
        shutil.copy(library, built / "rulesets")
    with tempfile.TemporaryDirectory(dir=OUT) as work:
        work = pathlib.Path(work)
        unsigned = release(built, work / "first")
        assert "not signed" in unsigned, unsigned
        subprocess.run(["minisign", "-G", "-W", "-p", work / "key.pub", "-s", work / "key"], check=True, stdout=subprocess.DEVNULL)
        release(built, work / "second", PENTAD_MINISIGN_KEY=str(work / "key"))
        sums = next(work.glob("second/SHA256SUMS-*[!g]"))
        verify = ["minisign", "-V", "-p", work / "key.pub", "-m", sums]
        subprocess.run(verify, check=True, stdout=subprocess.DEVNULL)
        first, second = digests(work / "first"), digests(work / "second")
        assert first == {name: digest for name, digest in second.items() if not name.endswith(".minisig")}, "two runs differ"
        print(f"   ok  two runs give the same {len(first)} files; the second one's checksums have a valid signature")
        check_server(work)
        check_image(work)
        check_chart(next(work.glob("first/pentad-chart-*.tgz")))
        check_packages(work)
        bom = json.loads(next(work.glob("first/*.cdx.json")).read_text())
        names = {one["name"] for one in bom["components"]}
        assert {"tonic", "redb", "pentago"} <= names and "proptest" not in names, sorted(names)
        print(f"   ok  the bill of materials names {len(names)} packages with their licences, and none that only tests use")
        notes = (work / "first/NOTES.md").read_text()
        assert notes.startswith("- ") and "## " not in notes, "the notes are one version's"
    assert status() == before, "a dry run changed the tree"
    refused = subprocess.run(["deploy/release", "1.x", "--dry-run"], capture_output=True, text=True)
    assert refused.returncode == 1 and "is not a version" in refused.stderr, refused.stderr
    print("   ok  the tree stays as it is")


def status():
    return subprocess.run(["git", "status", "--porcelain"], capture_output=True, text=True, check=True).stdout


def release(built, into, **env):
    command = ["deploy/release", VERSION, "--dry-run", "--built", built, "--into", into]
    ran = subprocess.run(command, capture_output=True, text=True, env={key: value for key, value in os.environ.items() if key != "PENTAD_MINISIGN_KEY"} | env)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def digests(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def check_server(work):
    """The unpacked server loads every rule set that its allow list names."""
    with tarfile.open(next(work.glob("first/pentad-99*-linux-gnu.tar.gz"))) as archive:
        archive.extractall(work / "unpacked", filter="data")
    (folder,) = (work / "unpacked").iterdir()
    listed = subprocess.run([folder / "pentad", "games", "--allow-list", folder / "rulesets.sha256"], capture_output=True, text=True, check=True)
    n_games = len(re.findall(r"^\S", listed.stdout, re.M))
    assert n_games == len(list(folder.glob("rulesets/*.so"))) and not listed.stderr, listed.stderr
    with tarfile.open(next(work.glob("first/pentad-headers-*.tar.gz"))) as archive:
        archive.extractall(work / "headers", filter="data")
    (include,) = (work / "headers").iterdir()
    compile_game = ["cc", "-shared", "-fPIC", "-std=c11", f"-I{include}", "-o", work / "game.so", TREE / "tests/plugins/tictactoe.c"]
    subprocess.run(compile_game, check=True)
    print(f"   ok  the unpacked server loads its {n_games} rule sets; a game in C compiles with the unpacked headers")


def check_image(work):
    """Every blob has its digest; the layer's server runs with the image's own loader and libraries."""
    with tarfile.open(next(work.glob("first/*.oci.tar"))) as archive:
        blobs = {entry.name: archive.extractfile(entry).read() for entry in archive if entry.isfile()}
    for name, content in blobs.items():
        assert not name.startswith("blobs/") or name.endswith(hashlib.sha256(content).hexdigest()), f"{name} has another digest"
    blob = lambda item: blobs[f"blobs/sha256/{item['digest'].removeprefix('sha256:')}"]
    manifest = json.loads(blob(json.loads(blobs["index.json"])["manifests"][0]))
    config = json.loads(blob(manifest["config"]))
    settings = dict(pair.split("=", 1) for pair in config["config"]["Env"])
    assert settings["PENTAD_ALLOW_LIST"] and config["config"]["User"] == "65532:65532" and "9090/tcp" in config["config"]["ExposedPorts"]
    assert config["config"]["Labels"]["org.opencontainers.image.version"] == VERSION
    with tarfile.open(fileobj=io.BytesIO(blob(manifest["layers"][0]))) as layer:
        layer.extractall(work / "rootfs", filter="tar")
    ran = subprocess.run([shutil.which("chroot"), "--userspec=65532:65532", work / "rootfs", *config["config"]["Entrypoint"], "games"],
                         env=settings, capture_output=True, text=True)
    assert ran.returncode == 0 and "pentago " in ran.stdout and not ran.stderr, ran.stderr
    print(f"   ok  the image's {len(blobs)} blobs have their digests; its server runs as 65532 in its root, by its settings")


def check_packages(work):
    """The packages of the clients and the crates have the version of the release."""
    crates = [f"pentad-{name}-{VERSION}.crate" for name in ("abi", "model", "search", "sdk", "host", "conformance", "proto", "client")]
    wheel = f"pentad-{VERSION}-py3-none-any.whl"
    for name in [*crates, wheel, f"pentad-{VERSION}.tar.gz", f"pentad-client-{VERSION}.tgz"]:
        assert (work / "first" / name).is_file(), name
    with tarfile.open(work / "first" / crates[-1]) as archive:
        manifest = archive.extractfile(f"pentad-client-{VERSION}/Cargo.toml").read().decode()
    assert re.search(rf'^\[dependencies\.pentad-proto\]\nversion = "{VERSION}"$', manifest, re.M), manifest
    with zipfile.ZipFile(work / "first" / wheel) as archive:
        assert f'__version__ = "{VERSION}"' in archive.read("pentad/_version.py").decode()
    print(f"   ok  {len(crates)} crates and the packages of the clients have the version")


def check_chart(archive):
    command = ["helm", "template", "pentad", archive, "--set", "access.insecure=true", "--set", "store.file.enabled=true"]
    rendered = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    images = [item["spec"]["template"]["spec"]["containers"][0]["image"] for item in yaml.safe_load_all(rendered) if item and item["kind"] == "StatefulSet"]
    assert images == [f"pentad:{VERSION}"], images
    print(f"   ok  the packed chart renders and runs pentad:{VERSION}")


if __name__ == "__main__":
    main()
