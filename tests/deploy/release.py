"""Runs deploy/release --dry-run twice, each time in a fresh clone, with the binary under test; checks what it makes.

Both runs give the same digests but for the exceptions. The archives hold what they should, the image is a valid OCI
archive whose server runs, the chart renders with the version, the bill of materials was validated, and the checksums
are signed with a key made here. The clones stay as they are. Uncommitted changes are not tested.
"""

import hashlib
import io
import json
import os
import pathlib
import platform
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
# Files of the signed run alone. All others have the same digests in both.
EXCEPTIONS = re.compile(r"pentad\.pub|SHA256SUMS-.*\.minisig")
sys.path.append(str(TREE / "deploy/releases"))
sys.dont_write_bytecode = True

import version as versions


def main():
    assert versions.current(TREE), "every place has the version of Cargo.toml"
    print(f"   ok  {len(versions.PLACES)} places have the version {versions.current(TREE)}")
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
        make_key(work / "key", work / "key.pub")
        release(built, work / "second", PENTAD_MINISIGN_KEY=str(work / "key"))
        first, second = digests(work / "first"), digests(work / "second")
        exceptions = {name for name in second if EXCEPTIONS.fullmatch(name)}
        assert len(exceptions) == 2 and not first.keys() & exceptions, f"exceptions: {exceptions}"
        differing = sorted(name for name, digest in first.items() if second.get(name) != digest)
        assert not differing and first.keys() | exceptions == second.keys(), f"two runs differ in {differing or first.keys() ^ second.keys()}"
        print(f"   ok  two clones give the same {len(first)} files; only the signed one has {' and '.join(sorted(exceptions))}")
        check_signature(built, work)
        check_server(work)
        check_image(work)
        check_chart(next(work.glob("first/pentad-chart-*.tgz")))
        check_packages(work)
        check_materials(json.loads(next(work.glob("first/*.cdx.json")).read_text()))
    refused = subprocess.run(["deploy/release", "1.x", "--dry-run"], capture_output=True, text=True)
    assert refused.returncode == 1 and "is not a version" in refused.stderr, refused.stderr
    check_updates()


def release(built, into, **env):
    """Runs it in a clone of its own, so that only tracked files are there, under a path of its own."""
    clone = into.with_name(f"{into.name}-clone")
    subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{TREE}", clone], check=True)
    ran = run(clone, built, into, **env)
    assert ran.returncode == 0, ran.stderr
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=clone, capture_output=True, text=True, check=True).stdout
    assert not changed, f"a dry run changed the clone:\n{changed}"
    shutil.rmtree(clone)
    return ran.stdout


def run(tree, built, into, **env):
    env = {key: value for key, value in os.environ.items() if not key.startswith("PENTAD_MINISIGN")} | env
    command = [tree / "deploy/release", VERSION, "--dry-run", "--built", built, "--into", into]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, env=env)


def make_key(secret, public):
    subprocess.run(["minisign", "-G", "-W", "-p", public, "-s", secret], check=True, stdout=subprocess.DEVNULL)


def check_signature(built, work):
    """The commands of notes and README verify a download, and nothing is made for a key whose public half is missing."""
    notes = (work / "second/NOTES.md").read_text()
    assert notes.startswith("- ") and "## " not in notes, "the notes are one version's"
    (commands,) = re.findall(r"```sh\n(.*?)```", notes, re.S)
    readme = (TREE / "deploy/README.md").read_text()
    assert f"\n{commands}```" in readme, f"deploy/README.md verifies a download in another way than the notes:\n{commands}"
    assert re.search(r"^deploy/release \S+ --dry-run$", readme, re.M), "deploy/README.md makes a dry run in another way than this test"
    for command in commands.replace("x86_64", platform.machine()).splitlines():
        verified = subprocess.run(command.split(), cwd=work / "second", capture_output=True, text=True)
        assert verified.returncode == 0, f"{command}: {verified.stderr}"
    make_key(work / "lone", work / "elsewhere")
    refused = run(TREE, built, work / "third", PENTAD_MINISIGN_KEY=str(work / "lone"))
    assert refused.returncode == 1 and "no public key" in refused.stderr and not (work / "third").exists(), refused.stderr
    print(f"   ok  {len(commands.splitlines())} commands of the notes verify it; a key without its public half is refused")


def check_materials(bom):
    """Lists what is in the binary and its pages, and nothing that only builds or tests them."""
    named = {one["name"]: one for one in bom["components"]}
    assert {"tonic", "redb", "pentago"} <= named.keys() and not {"proptest", "esbuild", "typescript"} & named.keys(), sorted(named)
    sources = "".join(path.read_text() for path in (TREE / "services/web/src").rglob("*.ts*"))
    imported = {name for name in re.findall(r"(?:from|import\(|import) ?'((?:@[\w.-]+/)?[a-z][\w.-]*)", sources)}
    from_npm = {name for name, one in named.items() if one["purl"].startswith("pkg:npm/")}
    assert imported == from_npm != set(), f"the pages import {sorted(imported)}, listed are {sorted(from_npm)}"
    assert all(named[name]["hashes"] and named[name]["licenses"] for name in from_npm)
    (server,) = (one for one in bom["dependencies"] if one["ref"].startswith("pentad-server@"))
    assert {f"npm:{name}@{named[name]['version']}" for name in from_npm} <= set(server["dependsOn"]), "the server embeds them"
    print(f"   ok  the bill of materials names {len(named)} packages with their licences, {len(from_npm)} of them from npm, and none that only tests use")


def check_updates():
    """Every folder with dependencies of its own gets updates."""
    ecosystems = {"Cargo.lock": "cargo", "package-lock.json": "npm", "pyproject.toml": "pip", "requirements.txt": "pip"}
    tracked = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split()
    wanted = {(ecosystems[path.name], f"/{path.parent}".rstrip(".")) for path in map(pathlib.Path, tracked) if path.name in ecosystems}
    updates = yaml.safe_load((TREE / ".github/dependabot.yml").read_text())["updates"]
    found = {(one["package-ecosystem"], folder) for one in updates for folder in one.get("directories", [one.get("directory")])}
    assert found == wanted | {("github-actions", "/")}, f"dependabot.yml: {found ^ wanted}"
    print(f"   ok  dependabot.yml names all {len(wanted)} folders with dependencies")


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
    # As engines do: the server finds its own executable by /proc.
    (work / "rootfs/proc").mkdir()
    in_root = 'mount -t proc proc "$0/proc" && exec chroot --userspec=65532:65532 "$0" "$@"'
    started = ["unshare", "--mount", "--pid", "--fork", "bash", "-c", f"PATH=$PATH:/usr/sbin; {in_root}", work / "rootfs"]
    ran = subprocess.run([*started, *config["config"]["Entrypoint"], "games"], env=settings | {"PATH": os.environ["PATH"]}, capture_output=True, text=True)
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
