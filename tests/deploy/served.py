"""Starts, watches, stops and kills servers for the checks.

The binary and the rule sets come from the environment (PENTAD, RULESETS; see
tools.sh). Each server gets a directory with exactly the rule sets that it
serves, and ports that stay the same when it is restarted.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

TREE = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = TREE / "deploy"
OUT = TREE / "target" / "deploy"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def http(url, body=None, timeout=30):
    """Returns status and text of a response, also of an error."""
    head = {"content-type": "application/json"} if body is not None else {}
    request = urllib.request.Request(url, data=body, headers=head)
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


class Server:
    """One server. Settings become flags: `drain_delay_ms=500`."""

    def __init__(self, name, cores=None, extra_rulesets=(), **settings):
        self.name, self.cores, self.settings = name, cores, settings
        self.grpc, self.rest, self.admin = (f"127.0.0.1:{free_port()}" for _ in range(3))
        self.log = OUT / f"{name}.log"
        self.rulesets = OUT / f"{name}-rulesets"
        self.process = None
        shutil.rmtree(self.rulesets, ignore_errors=True)
        self.rulesets.mkdir(parents=True)
        bundled = pathlib.Path(os.environ["RULESETS"]).glob("libruleset_*.so")
        for library in [*bundled, *map(pathlib.Path, extra_rulesets)]:
            shutil.copy(library, self.rulesets)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def start(self):
        flags = {"rulesets": self.rulesets, "grpc_listen": self.grpc, "rest_listen": self.rest}
        flags |= {"admin_listen": self.admin} | self.settings
        command = [os.environ["PENTAD"]]
        for flag, value in flags.items():
            command += [f"--{flag.replace('_', '-')}", str(value)]
        pin = (lambda: os.sched_setaffinity(0, self.cores)) if self.cores else None
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stderr=log, preexec_fn=pin)
        # It listens before its rule sets are loaded, and may lack one that it requires.
        self.until("its rule sets are loaded", self.has_loaded)

    def until(self, what, holds, seconds=90):
        """Waits until `holds()` is true; fails with the log after `seconds`."""
        give_up = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > give_up or self.process.poll() not in (None, 0):
                raise AssertionError(f"{self.name}: not within {seconds} s: {what}\n{self.logged()}")
            time.sleep(0.02)

    def logged(self):
        return self.log.read_text(errors="replace")

    def drain(self):
        """Sends SIGTERM; returns the exit code and the seconds it took."""
        started = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=120), time.monotonic() - started

    def kill(self):
        self.process.kill()
        self.process.wait()

    def ready(self):
        try:
            return http(f"http://{self.admin}/readyz")[0] == 200
        except OSError:
            return False

    def has_loaded(self):
        try:
            plugins = json.loads(http(f"http://{self.admin}/plugins")[1])
        except OSError:
            return False
        return not plugins["loading"] and bool(plugins["loaded"] or plugins["refused"])

    def metrics(self):
        """Returns `{'pentad_cache_entries': 4.0, 'pentad_queue_depth{class="bulk"}': 0.0, …}`"""
        lines = http(f"http://{self.admin}/metrics")[1].splitlines()
        samples = (line.rsplit(" ", 1) for line in lines if line and not line.startswith("#"))
        return {name: float(value) for name, value in samples}

    def total(self, pattern):
        """Returns the sum of the samples whose name and labels match."""
        return sum(value for name, value in self.metrics().items() if re.search(pattern, name))

    def cpu_seconds(self):
        """Returns CPU time of the server's own process, without worker processes of isolated rule sets."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mib(self):
        return self.memory("VmRSS")

    def memory_peak_mib(self):
        return self.memory("VmHWM")

    def memory(self, field):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{field}:\s+(\d+)", status)[1]) / 1024
