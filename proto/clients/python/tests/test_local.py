"""Servers that the client starts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pentad import Pentad, errors


def test_it_ends_with_its_client() -> None:
    with Pentad.local("--workers=1") as pentad:
        assert pentad.server and pentad.games()
        pid = pentad.server.pid
        assert "listening" in pentad.server.log
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_start_that_fails_says_why() -> None:
    with pytest.raises(errors.UnreachableError, match="workres"):
        Pentad.local("--workres=1")


def test_a_program_that_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="cargo build --release"):
        Pentad.local(binary=tmp_path / "pentad")
    monkeypatch.setenv("PENTAD", str(tmp_path / "other"))
    with pytest.raises(FileNotFoundError, match="other"):
        Pentad.local()
