"""HAProxy and Envoy in front of two servers, configured by deploy/proxies."""

import os
import re
import signal
import subprocess
import time

import yaml

from served import DEPLOY, OUT, free_port, http

CONFIGS = DEPLOY / "proxies"


class Proxy:
    """Started and stopped by `with`."""

    def __enter__(self):
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(self.command, env=self.environment, stdout=log, stderr=log)
        give_up = time.monotonic() + 60
        while not self.is_ready():
            failed = time.monotonic() > give_up or self.process.poll() is not None
            assert not failed, f"{self.command[0]} does not serve\n{self.log.read_text()}"
            time.sleep(0.05)
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)


class HAProxy(Proxy):
    """REST through haproxy.cfg."""

    def __init__(self, a, b):
        self.rest, self.metrics = (f"127.0.0.1:{free_port()}" for _ in range(2))
        self.log = OUT / "haproxy.log"
        self.command = ["haproxy", "-db", "-f", CONFIGS / "haproxy.cfg"]
        self.environment = {**os.environ, "FRONT": self.rest, "METRICS": self.metrics}
        for name, server in (("A", a), ("B", b)):
            self.environment |= {f"{name}_REST": server.rest, f"{name}_ADMIN": server.admin.split(":")[1]}

    def is_ready(self):
        try:
            return http(f"http://{self.rest}/v1/games")[0] == 200
        except OSError:
            return False


class Envoy(Proxy):
    """gRPC and REST through envoy.yaml, with addresses instead of a host name, on its own ports."""

    def __init__(self, a, b):
        self.grpc, self.rest, self.admin = (f"127.0.0.1:{free_port()}" for _ in range(3))
        self.log = OUT / "envoy.log"
        config = yaml.safe_load((CONFIGS / "envoy.yaml").read_text())
        resources = config["static_resources"]
        for listener in resources["listeners"]:
            listener["address"] = socket_address(getattr(self, listener["name"]))
        for cluster in resources["clusters"]:
            protocol = cluster["name"].split("-")[0]
            cluster["type"] = "STATIC"
            servers = [{"endpoint": endpoint(getattr(server, protocol), server.admin)} for server in (a, b)]
            cluster["load_assignment"] = {"cluster_name": cluster["name"], "endpoints": [{"lb_endpoints": servers}]}
        config["admin"] = {"address": socket_address(self.admin)}
        path = OUT / "envoy.yaml"
        path.write_text(yaml.safe_dump(config))
        # Lets several run on one machine.
        self.command = ["envoy", "-c", path, "--concurrency", "1", "--disable-hot-restart", "--log-level", "warning"]
        self.environment = dict(os.environ)

    def is_ready(self):
        """Whether every cluster has seen all servers ready."""
        try:
            states = re.findall(r"::health_flags::(.*)", http(f"http://{self.admin}/clusters")[1])
        except OSError:
            return False
        return len(states) == 8 and set(states) == {"healthy"}


def socket_address(address):
    host, port = address.split(":")
    return {"socket_address": {"address": host, "port_value": int(port)}}


def endpoint(address, admin):
    return {"address": socket_address(address), "health_check_config": {"port_value": int(admin.split(":")[1])}}
