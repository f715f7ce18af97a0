"""The version in every file that names it, and the changelog."""

import re
import time

VERSION = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?")
V = r"[0-9]+\.[0-9]+\.[0-9]+[-0-9A-Za-z.]*"
# Files and the lines of them that have the version; `@` stands for it.
PLACES = [
    ("Cargo.toml", r'^version = "@"'),
    ("Cargo.toml", r'^pentad-[a-z-]+ = \{ path = "[^"]+", version = "@" \}$'),
    ("proto/clients/python/src/pentad/_version.py", r'^__version__ = "@"$'),
    ("proto/clients/python/README.md", r"^pip install pentad-@-py3-none-any\.whl$"),
    ("proto/clients/typescript/package.json", r'^  "version": "@",$'),
    ("proto/clients/typescript/package-lock.json", r'^ +"name": "pentad-client",\n +"version": "@",$'),
    ("proto/clients/typescript/README.md", r"^npm install \./pentad-client-@\.tgz$"),
    ("deploy/helm/pentad/Chart.yaml", r"^version: @$"),
    ("deploy/helm/pentad/Chart.yaml", r"^appVersion: @$"),
    ("deploy/image/Containerfile", r"^ARG VERSION=@$"),
    ("deploy/compose.yaml", r"^    image: pentad:@$"),
    ("deploy/k8s/base/kustomization.yaml", r"^    newTag: @$"),
    ("deploy/k8s/examples/batch-job/kustomization.yaml", r"^    newTag: @$"),
    ("deploy/k8s/examples/site/kustomization.yaml", r"newTag: @\}"),
    ("deploy/README.md", r"/pentad:@"),
    ("deploy/README.md", r"oci-archive:pentad-@-image"),
    ("services/server/rest/docs/openapi.json", r'^    "version": "@"$'),
]
LOCKS = ["Cargo.lock", "tests/fuzz/Cargo.lock"]
UNRELEASED = "## Unreleased\n"
# Ends the notes of every release.
VERIFY = """\
To verify a download:

```sh
sha256sum --check --ignore-missing SHA256SUMS-x86_64-linux-gnu
minisign -V -p pentad.pub -m SHA256SUMS-x86_64-linux-gnu
```

`pentad.pub`, one of the files here, is the project's public key. It is the same in all releases: compare it with that of one you have used before.
"""


def current(tree):
    """Returns the version of the workspace; every other place has to have it, too."""
    version = re.search(rf'^version = "({V})"', (tree / "Cargo.toml").read_text(), re.M)[1]
    for file, line in PLACES:
        found = set(re.findall(line.replace("@", f"({V})"), (tree / file).read_text(), re.M))
        if found != {version}:
            raise ValueError(f"{file}: expected the version {version} of Cargo.toml, found {', '.join(sorted(found)) or 'none'}")
    return version


def replace(tree, version):
    """Sets the version in every place, and in the lock files."""
    before = current(tree)
    for file, line in PLACES:
        path = tree / file
        written = lambda match: match[0].replace(before, version)
        path.write_text(re.sub(line.replace("@", re.escape(before)), written, path.read_text(), flags=re.M))
    # Packages of the workspace have no source.
    member = rf'(name = "[^"]+"\nversion = ")({re.escape(before)})("\n(?!source))'
    for lock in LOCKS:
        path = tree / lock
        path.write_text(re.sub(member, rf"\g<1>{version}\g<3>", path.read_text()))
    assert current(tree) == version


def close_changelog(tree, version, epoch):
    """Gives what is unreleased the version and a date, and leaves an empty section."""
    path = tree / "CHANGELOG.md"
    head, found, rest = path.read_text().partition(UNRELEASED)
    if not found or not rest.strip().startswith("-"):
        raise ValueError("CHANGELOG.md: there is nothing under Unreleased")
    date = time.strftime("%Y-%m-%d", time.gmtime(epoch))
    path.write_text(f"{head}{UNRELEASED}\n## {version} ({date})\n{rest}")


def notes(tree, version):
    """Returns what the changelog says about a version and how to verify it; None if the changelog says nothing."""
    found = re.search(rf"^## {re.escape(version)} \(.*\)\n(.*?)(?=^## |\Z)", (tree / "CHANGELOG.md").read_text(), re.M | re.S)
    return f"{found[1].strip()}\n\n{VERIFY}" if found else None
