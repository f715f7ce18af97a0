"""Writes the software bill of materials as CycloneDX JSON: sbom.py METADATA LOCK NPM_LOCK VERSION EPOCH OUT.

METADATA is the output of `cargo metadata` for the features and the platform of the release; LOCK is
Cargo.lock and NPM_LOCK the board page's package-lock.json, which have the checksums. Only packages that end up in
the binary, in its pages and in its rule sets are listed, with their licences. The document is validated with the
published schema.
"""

import base64
import datetime
import json
import pathlib
import sys
import tomllib
import uuid

from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

metadata, lock, npm_lock, version, epoch, out = sys.argv[1:]
metadata = json.loads(pathlib.Path(metadata).read_text())
locked = tomllib.loads(pathlib.Path(lock).read_text())["package"]
checksums = {(package["name"], package["version"]): package.get("checksum") for package in locked}
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
package_id = lambda name: next(package["id"] for package in metadata["packages"] if package["name"] == name)
root = package_id("pentad")
# The crate that embeds services/web/dist.
embeds_pages = package_id("pentad-server")


def linked(node):
    """Dependencies that are compiled into it: not those of tests and build scripts."""
    for dependency in nodes[node]["deps"]:
        if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
            yield dependency["pkg"]


reached, left = set(), [root]
while left:
    node = left.pop()
    if node not in reached:
        reached.add(node)
        left += linked(node)
licenses = LicenseFactory()


def component(package):
    name, number = package["name"], package["version"]
    checksum = checksums.get((name, number))
    license = licenses.make_from_string(package["license"].replace("/", " OR ")) if package["license"] else None
    return Component(
        type=ComponentType.APPLICATION if package["id"] == root else ComponentType.LIBRARY, name=name, version=number,
        bom_ref=f"{name}@{number}", purl=PackageURL("cargo", None, name, number), description=package["description"],
        licenses=[license] if license else [], hashes=[HashType(alg=HashAlgorithm.SHA_256, content=checksum)] if checksum else [],
    )


def bundled():
    """Components of the pages: the dependencies of package-lock.json that are not only for development."""
    for path, package in json.loads(pathlib.Path(npm_lock).read_text())["packages"].items():
        if not path or package.get("dev"):
            continue
        name, number = path.rpartition("node_modules/")[2], package["version"]
        group, _, short = name.rpartition("/")
        algorithm, _, digest = package["integrity"].partition("-")
        assert algorithm == "sha512", f"{name} has no SHA-512"
        yield Component(
            type=ComponentType.LIBRARY, name=name, version=number, bom_ref=f"npm:{name}@{number}", purl=PackageURL("npm", group, short, number),
            licenses=[licenses.make_from_string(package["license"])] if package.get("license") else [],
            hashes=[HashType(alg=HashAlgorithm.SHA_512, content=base64.b64decode(digest).hex())],
        )


components = {node: component(packages[node]) for node in reached}
in_pages = list(bundled())
bom = Bom(components=[*(made for node, made in components.items() if node != root), *in_pages])
bom.metadata.component = components[root]
# The same for the same release.
bom.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, f"pentad {version} {sorted(checksums.items(), key=str)} {sorted(made.bom_ref.value for made in in_pages)}")
bom.metadata.timestamp = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc)
for node, made in components.items():
    bom.register_dependency(made, [*(components[one] for one in linked(node)), *(in_pages if node == embeds_pages else [])])
for made in in_pages:
    bom.register_dependency(made)
text = JsonV1Dot6(bom).output_as_string(indent=1)
problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
assert problem is None, f"the bill of materials is not valid: {problem}"
without = sorted(made.name for made in [*components.values(), *in_pages] if not made.licenses)
assert not without, f"no licence: {', '.join(without)}"
pathlib.Path(out).write_text(text + "\n")
