"""Runs the manifest's probes against a live server, as the kubelet does.

All succeed while it serves. While it drains, readiness fails and liveness succeeds;
otherwise Kubernetes would kill a server that is finishing its calls.
"""

import subprocess
import time

import grpc
import yaml

from served import Server, http

PORTS = {"admin": "admin", 9090: "admin"}


def main():
    text = subprocess.run(["kubectl", "kustomize", "deploy/k8s/base"], check=True, capture_output=True, text=True).stdout
    deployment = next(item for item in yaml.safe_load_all(text) if item["kind"] == "Deployment")
    container = deployment["spec"]["template"]["spec"]["containers"][0]
    probes = {kind: container[f"{kind}Probe"] for kind in ("startup", "readiness", "liveness")}
    with Server("probes", drain_delay_ms=3000) as server:
        result = {kind: succeeds(server, probe) for kind, probe in probes.items()}
        assert all(result.values()), f"while it serves: {result}"
        server.process.terminate()
        server.until("it drains", lambda: "draining" in server.logged())
        time.sleep(0.1)
        result = {kind: succeeds(server, probe) for kind, probe in probes.items()}
        assert result == {"startup": False, "readiness": False, "liveness": True}, f"while it drains: {result}"
        assert server.process.wait(timeout=30) == 0, server.logged()
    print("   ok  a live server passes its probes; while it drains, it is alive and not ready")


def succeeds(server, probe):
    if "httpGet" in probe:
        address = getattr(server, PORTS[probe["httpGet"]["port"]])
        return http(f"http://{address}{probe['httpGet']['path']}")[0] == 200
    with grpc.insecure_channel(getattr(server, PORTS[probe["grpc"]["port"]])) as channel:
        # grpc.health.v1: an empty request means the whole server; field 1 = 1 is SERVING.
        check = channel.unary_unary("/grpc.health.v1.Health/Check")
        return check(b"", timeout=probe.get("timeoutSeconds", 1)) == b"\x08\x01"


if __name__ == "__main__":
    main()
