"""The README shows the examples as they are, and its code runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pentad import LocalServer
from tests.conftest import PATIENCE

HERE = Path(__file__).resolve().parents[1]
BLOCKS = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)
DEFAULT = "http://127.0.0.1:8080"


def run(server: LocalServer, code: str, *arguments: str) -> str:
    """Runs code with another server as the default."""
    code = code.replace(DEFAULT, server.url).replace("Pentad()", f'Pentad("{server.url}")')
    environment = os.environ | {"MPLBACKEND": "Agg"}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=PATIENCE, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_examples_are_shown_as_they_are() -> None:
    for name in ("bot.py", "plot_review.py"):
        assert (HERE / "examples" / name).read_text() in BLOCKS, f"examples/{name}"


def test_the_bots_finish_a_game_and_it_is_plotted(server: LocalServer, tmp_path: Path) -> None:
    code = (HERE / "examples/bot.py").read_text().replace('{"time_ms": 500}', '{"nodes": 500}')
    *lines, end = run(server, code, "pentago", "2", "5").splitlines()
    assert re.search("wins|draw", end), end
    pytest.importorskip("matplotlib")
    code = (HERE / "examples/plot_review.py").read_text().replace('{"time_ms": 500}', '{"nodes": 500}')
    picture = tmp_path / "review.png"
    run(server, code, "pentago", str(picture), *(line.split()[1] for line in lines))
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("part", ["pentad.batch(questions)", "asyncio.run(main())"])
def test_the_other_code_runs(server: LocalServer, part: str) -> None:
    [code] = [block for block in BLOCKS if part in block]
    assert run(server, code.replace("5000", "50").replace("2000", "200"))
