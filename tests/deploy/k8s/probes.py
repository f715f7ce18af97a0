"""Runs the manifest's probes against a live server, as the kubelet does.

All succeed while it serves. A server that lacks a required game starts and lives, so that
/plugins can be read, but is not ready. While a server drains, readiness fails and liveness
succeeds; otherwise Kubernetes would kill a server that is finishing its calls.
"""

import subprocess

import grpc
import yaml

from served import Server, http

PORTS = {"admin": "admin", 9090: "admin"}


def main():
    text = subprocess.run(["kubectl", "kustomize", "deploy/k8s/base"], check=True, capture_output=True, text=True).stdout
    deployment = next(item for item in yaml.safe_load_all(text) if item["kind"] == "Deployment")
    container = deployment["spec"]["template"]["spec"]["containers"][0]
    probes = {kind: container[f"{kind}Probe"] for kind in ("startup", "readiness", "liveness")}
    results = lambda server: {kind: succeeds(server, probe) for kind, probe in probes.items()}
    with Server("probes", require_games="chess") as server:
        assert results(server) == {"startup": True, "readiness": False, "liveness": True}, f"without a game: {results(server)}"
    # It drains until the second signal.
    with Server("probes", drain_delay_ms=60_000) as server:
        assert all(results(server).values()), f"while it serves: {results(server)}"
        server.process.terminate()
        server.until("it is not ready", lambda: not succeeds(server, probes["readiness"]))
        assert results(server) == {"startup": True, "readiness": False, "liveness": True}, f"while it drains: {results(server)}"
    print("   ok  a live server passes its probes; without a required game, and while it drains, it is alive and not ready")


def succeeds(server, probe):
    if "httpGet" in probe:
        address = getattr(server, PORTS[probe["httpGet"]["port"]])
        return http(f"http://{address}{probe['httpGet']['path']}")[0] == 200
    with grpc.insecure_channel(getattr(server, PORTS[probe["grpc"]["port"]])) as channel:
        # grpc.health.v1: an empty request means the whole server; field 1 = 1 is SERVING.
        check = channel.unary_unary("/grpc.health.v1.Health/Check")
        # Not the probe's timeout: a busy machine may be slow.
        return check(b"", timeout=60) == b"\x08\x01"


if __name__ == "__main__":
    main()
