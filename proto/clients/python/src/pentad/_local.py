"""A server of this program's own, on free ports."""

from __future__ import annotations

import atexit
import collections
import contextlib
import os
import re
import shutil
import subprocess
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Final

from .errors import UnreachableError

# How long the server may take to load its games, and to finish its work when it stops.
START_TIMEOUT: Final = 120.0
STOP_TIMEOUT: Final = 20.0
LISTENING: Final = re.compile(r"^listening (.*)$")


class LocalServer:
    """A `pentad` process, which ends with this program at the latest."""

    def __init__(self, binary: str | Path | None, arguments: tuple[str, ...]) -> None:
        ports = [f"--{port}-listen" for port in ("grpc", "rest", "admin")]
        free_ports = [f"{port}=127.0.0.1:0" for port in ports if not any(it.startswith(port) for it in arguments)]
        command = [str(find_binary(binary)), *free_ports, *arguments]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        atexit.register(self.stop)
        self._addresses: dict[str, str] = {}
        self._log: collections.deque[str] = collections.deque(maxlen=50)
        self._is_listening = threading.Event()
        self._reader = threading.Thread(target=self._read_log, name="pentad-log", daemon=True)
        self._reader.start()
        try:
            self._wait_until_ready()
        except BaseException:
            self.stop()
            raise

    @property
    def url(self) -> str:
        """Address of the REST port."""
        return f"http://{self._addresses['rest']}"

    @property
    def grpc_url(self) -> str:
        """Address of the gRPC port."""
        return f"http://{self._addresses['grpc']}"

    @property
    def admin_url(self) -> str:
        """Address of the admin port."""
        return f"http://{self._addresses['admin']}"

    @property
    def pid(self) -> int:
        """Id of the process."""
        return self._process.pid

    @property
    def log(self) -> str:
        """The last lines of its log."""
        return "\n".join(self._log)

    def stop(self) -> None:
        """Lets the server finish what it has accepted, and ends it."""
        atexit.unregister(self.stop)
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(STOP_TIMEOUT)
            except subprocess.TimeoutExpired:
                self._process.kill()
        self._process.wait()
        self._reader.join()

    def _read_log(self) -> None:
        """Reads until the process ends, so that its log never blocks it."""
        assert self._process.stderr is not None
        with self._process.stderr as log:
            for raw in log:
                line = raw.decode(errors="replace").rstrip("\n")
                self._log.append(line)
                if (match := LISTENING.match(line)) and not self._addresses:
                    self._addresses = dict(pair.split("=", 1) for pair in match[1].split())
                    self._is_listening.set()
        self._is_listening.set()

    def _wait_until_ready(self) -> None:
        give_up_at = time.monotonic() + START_TIMEOUT
        if not self._is_listening.wait(START_TIMEOUT):
            raise UnreachableError(f"pentad opened no port within {START_TIMEOUT:.0f} s:\n{self.log}")
        while self._process.poll() is None and self._addresses:
            # Games that load slowly are loaded after the ports are open.
            with contextlib.suppress(urllib.error.URLError, OSError):
                urllib.request.urlopen(f"{self.admin_url}/readyz", timeout=5).close()
                return
            if time.monotonic() > give_up_at:
                raise UnreachableError(f"pentad was not ready within {START_TIMEOUT:.0f} s:\n{self.log}")
            time.sleep(0.05)
        raise UnreachableError(f"pentad ended with exit code {self._process.wait()}:\n{self.log}")


def find_binary(binary: str | Path | None) -> Path:
    """Returns the path of the program: the given one, `$PENTAD`, or the first `pentad` of `PATH`."""
    name = str(binary or os.environ.get("PENTAD") or "pentad")
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(
            f"there is no program {name!r}: build it with `cargo build --release` and set PENTAD to "
            "target/release/pentad, put it on PATH, or give its path as `binary`"
        )
    return Path(found).absolute()
