"""Fills the examples' allow lists with real checksums; with the image's list before it, a server
then loads every rule set, the third-party one from its own directory.

The server compares checksums only; the file names beside them are for people. Here they
say which checksum belongs on which line.
"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess

from served import DEPLOY, OUT, TREE


def main():
    folder = OUT / "allow-list-rulesets"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for library in pathlib.Path(os.environ["RULESETS"]).glob("libruleset_*.so"):
        shutil.copy(library, folder)
    bundled = games(folder)
    third_party = OUT / "allow-list-third-party"
    third_party.mkdir(exist_ok=True)
    compile_tictactoe(third_party / "libruleset_tictactoe.so")
    image = OUT / "allow-list-image"
    image.write_text("".join(f"{sha256(library)}  {library.name}\n" for library in folder.iterdir()))
    path = lambda name: next(dir / name for dir in (folder, third_party) if (dir / name).exists())
    for example in sorted(DEPLOY.glob("k8s/examples/*/rulesets.sha256")):
        filled = OUT / "allow-list"
        filled.write_text(re.sub(r"^0{64}  (\S+)$", lambda line: f"{sha256(path(line[1]))}  {line[1]}", example.read_text(), flags=re.M))
        served = games(folder, "--rulesets", third_party, "--allow-list", image, "--allow-list", filled)
        assert served == bundled | {"tictactoe"}, f"{example.parent.name}: its allow list admits {served}"
        print(f"   ok  examples/{example.parent.name}: its allow list, with real checksums, admits all {len(served)} games")


def games(folder, *flags):
    listed = subprocess.run([os.environ["PENTAD"], "games", "--rulesets", folder, *flags], capture_output=True, text=True, check=True)
    return set(re.findall(r"^(\S+) ", listed.stdout, re.M))


def compile_tictactoe(library):
    flags = ["-shared", "-fPIC", "-std=c11", "-O1", f"-I{TREE / 'rulesets/abi/include'}"]
    subprocess.run([os.environ.get("CC", "cc"), *flags, "-o", library, TREE / "tests/plugins/tictactoe.c"], check=True)


def sha256(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


if __name__ == "__main__":
    main()
