"""Writes the software bill of materials as CycloneDX JSON: sbom.py METADATA LOCK VERSION EPOCH OUT.

METADATA is the output of `cargo metadata` for the features and the platform of the release; LOCK is
Cargo.lock, which has the checksums. Only what ends up in the binary and its rule sets is listed, with
its licence. The document is validated with the published schema.
"""

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

metadata, lock, version, epoch, out = sys.argv[1:]
metadata = json.loads(pathlib.Path(metadata).read_text())
locked = tomllib.loads(pathlib.Path(lock).read_text())["package"]
checksums = {(package["name"], package["version"]): package.get("checksum") for package in locked}
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
root = next(package["id"] for package in metadata["packages"] if package["name"] == "pentad")


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


components = {node: component(packages[node]) for node in reached}
bom = Bom(components=[made for node, made in components.items() if node != root])
bom.metadata.component = components[root]
# The same for the same release.
bom.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, f"pentad {version} {sorted(checksums.items(), key=str)}")
bom.metadata.timestamp = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc)
for node, made in components.items():
    bom.register_dependency(made, [components[one] for one in linked(node)])
text = JsonV1Dot6(bom).output_as_string(indent=1)
problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
assert problem is None, f"the bill of materials is not valid: {problem}"
without = sorted(made.name for made in components.values() if not made.licenses)
assert not without, f"no licence: {', '.join(without)}"
pathlib.Path(out).write_text(text + "\n")
