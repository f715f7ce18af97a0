"""Policies for the manifests that no schema expresses.

Each policy is a function that takes the rendered objects and yields its findings.
The schemas accept a port 99999, a budget of -1, a Service whose port nothing listens
on, and a drain longer than the pod's grace period. `rejected.yaml` has a case for
each, so that no policy is without effect.
"""

import functools
import ipaddress
import os
import pathlib
import re
import subprocess
import tempfile
import tomllib
import urllib.parse

import yaml

from served import DEPLOY

PROMETHEUS = DEPLOY / "prometheus"
IMAGE = DEPLOY / "image/Containerfile"
# Directory of the rule sets in the image.
RULESETS = "/opt/pentad/rulesets"
# Their checksums.
ALLOW_LIST = "/opt/pentad/rulesets.sha256"
# Header in which callers send the `key` of answers.
KEY_HEADER = "x-pentad-key"


class Objects(list):
    def of(self, *kinds):
        return [item for item in self if item["kind"] in kinds]

    def servers(self):
        """Returns what runs Pentad: the Deployment, or the StatefulSet that a component makes of it."""
        return [item for item in self.of("Deployment", "StatefulSet") if item["metadata"]["name"] == "pentad"]

    def named(self, kind, name):
        return next((item for item in self.of(kind) if item["metadata"]["name"] == name), None)


def pod(deployment):
    return deployment["spec"]["template"]["spec"]


def containers(deployment):
    return [*pod(deployment).get("initContainers", []), *pod(deployment)["containers"]]


def server(deployment):
    return next(item for item in pod(deployment)["containers"] if item["name"] == "pentad")


def variables(objects, deployment):
    """Returns the server's environment: `envFrom`, then `env`."""
    merged = {}
    for source in server(deployment).get("envFrom", []):
        config = objects.named("ConfigMap", source["configMapRef"]["name"])
        merged |= config["data"] if config else {}
    # What a Secret provides is not known here.
    return merged | {one["name"]: one["value"] for one in server(deployment).get("env", []) if "value" in one}


def mounted_text(objects, deployment, path):
    """Returns the text of a file in the server's container if a ConfigMap provides it."""
    volumes = {volume["name"]: volume for volume in pod(deployment).get("volumes", [])}
    for mount in server(deployment).get("volumeMounts", []):
        name = volumes.get(mount["name"], {}).get("configMap", {}).get("name")
        config = objects.named("ConfigMap", name)
        key = str(path).removeprefix(mount["mountPath"].rstrip("/") + "/")
        if config and key in config["data"]:
            return config["data"][key]
    return None


def printed_settings(objects, deployment):
    """Returns the effective settings as the server prints them, and its error if it rejects them."""
    env = variables(objects, deployment)
    return print_config(mounted_text(objects, deployment, env.get("PENTAD_CONFIG")), tuple(sorted(env.items())))


@functools.cache
def print_config(text, env):
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text or "")
        file.flush()
        env = dict(env) | {"PENTAD_CONFIG": file.name}
        read = subprocess.run([os.environ["PENTAD"], "--print-config"], env=env, capture_output=True, text=True)
    return read.stdout, read.stderr.strip() if read.returncode != 0 else ""


def settings(objects, deployment):
    """Returns the effective settings, defaults included."""
    return tomllib.loads(printed_settings(objects, deployment)[0])


def ports_are_ports(objects):
    for item in objects:
        for path, key, value in walk(item):
            if key in ("port", "containerPort", "targetPort", "number", "hostPort") and isinstance(value, int):
                if not 1 <= value <= 65535:
                    yield f"{path}: {value} is not a port"


def counts_are_possible(objects):
    for item in objects.of("PodDisruptionBudget"):
        spec = item["spec"]
        if ("minAvailable" in spec) == ("maxUnavailable" in spec):
            yield "PodDisruptionBudget: set either minAvailable or maxUnavailable"
        for key in ("minAvailable", "maxUnavailable"):
            if isinstance(spec.get(key), int) and spec[key] < (1 if key == "maxUnavailable" else 0):
                yield f"PodDisruptionBudget: {key} is {spec[key]}: no node could ever be drained"
    for item in objects.of("HorizontalPodAutoscaler"):
        low, high = item["spec"].get("minReplicas", 1), item["spec"]["maxReplicas"]
        if not 1 <= low <= high:
            yield f"HorizontalPodAutoscaler: from {low} to {high} replicas"
    for item in objects.of("HorizontalPodAutoscaler", "ScaledObject"):
        scaled = item["spec"]["scaleTargetRef"]
        target = objects.named(scaled["kind"], scaled["name"])
        if not target:
            yield f"{item['kind']}: no {scaled['kind']} {scaled['name']}"
        elif "replicas" in target["spec"]:
            yield "Deployment: replicas and an autoscaler: every apply would reset the count"
    if len(objects.of("HorizontalPodAutoscaler", "ScaledObject")) > 1:
        yield "ScaledObject: a second autoscaler for the same pods"
    for item in objects.of("Deployment", "StatefulSet"):
        if item["spec"].get("replicas", 1) < 1:
            yield f"Deployment: {item['spec']['replicas']} replicas"


def selectors_find_pods(objects):
    """A budget without a selector protects nothing, and a network policy that selects no pod has no effect."""
    templates = [item["spec"]["template"]["metadata"]["labels"] for item in objects.of("Deployment", "StatefulSet")]
    for kind, key in (("PodDisruptionBudget", "selector"), ("NetworkPolicy", "podSelector")):
        for item in objects.of(kind):
            selector = item["spec"].get(key)
            labels = (selector or {}).get("matchLabels", {})
            if selector is None or not any(labels.items() <= template.items() for template in templates):
                yield f"{kind} {item['metadata']['name']}: selects no pod"


def metrics_are_served(objects):
    """An autoscaler that cannot read a metric never scales down."""
    served = yaml.safe_load((PROMETHEUS / "adapter.yaml").read_text())["rules"]
    names = {rule["name"]["matches"] for rule in served}
    for item in objects.of("HorizontalPodAutoscaler"):
        for metric in item["spec"]["metrics"]:
            if metric["type"] != "Resource" and metric["pods"]["metric"]["name"] not in names:
                yield f"HorizontalPodAutoscaler: prometheus/adapter.yaml does not serve {metric['pods']['metric']['name']}"


def no_adapter_is_needed(objects):
    for item in objects.of("HorizontalPodAutoscaler"):
        if any(metric["type"] != "Resource" for metric in item["spec"]["metrics"]):
            yield "HorizontalPodAutoscaler: metrics of an adapter are for components/hpa-queue"


def services_reach_pods(objects):
    for service in objects.of("Service"):
        found = selected(objects, service["spec"]["selector"])
        if not found:
            yield f"Service {service['metadata']['name']}: selects no pod"
        names = {port["name"] for item in found or objects.servers() for container in pod(item)["containers"] for port in container["ports"]}
        for port in service["spec"]["ports"]:
            if port["targetPort"] not in names:
                yield f"Service {service['metadata']['name']}: no container port named {port['targetPort']}"
            if not port.get("name") or not port.get("appProtocol"):
                yield f"Service {service['metadata']['name']}: a port without a name or appProtocol"


def selected(objects, labels):
    """Returns the Deployments and StatefulSets whose pods have these labels."""
    workloads = objects.of("Deployment", "StatefulSet")
    return [item for item in workloads if labels.items() <= item["spec"]["template"]["metadata"]["labels"].items()]


def probes_reach_ports(objects):
    for deployment in objects.servers():
        container = server(deployment)
        names = {port["name"] for port in container["ports"]}
        numbers = {port["containerPort"] for port in container["ports"]}
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            if probe not in container:
                yield f"Deployment: no {probe}"
                continue
            port = container[probe].get("httpGet", container[probe].get("grpc", {})).get("port")
            if port not in names | numbers:
                yield f"Deployment: {probe} uses port {port}, on which nothing listens"
        # Readiness fails during a drain and without a required game: as another probe it
        # would kill the pod.
        for probe in ("startupProbe", "livenessProbe"):
            if container.get(probe, {}).get("httpGet", {}).get("path") != "/healthz":
                yield f"Deployment: {probe} must use /healthz"


def references_exist(objects):
    services = {service["metadata"]["name"]: service for service in objects.of("Service")}

    def has_port(name, port):
        ports = services.get(name, {"spec": {"ports": []}})["spec"]["ports"]
        return any(port in (one["name"], one["port"]) for one in ports)

    for item in objects.of("HTTPRoute", "GRPCRoute"):
        for rule in item["spec"]["rules"]:
            for backend in rule["backendRefs"]:
                if not has_port(backend["name"], backend["port"]):
                    yield f"{item['kind']}: no Service with that port: {backend}"
    for item in objects.of("ServiceMonitor"):
        labels = item["spec"]["selector"]["matchLabels"].items()
        found = [service for service in services.values() if labels <= service["metadata"].get("labels", {}).items()]
        if len(found) != 1 or not all(has_port(found[0]["metadata"]["name"], end["port"]) for end in item["spec"]["endpoints"]):
            yield "ServiceMonitor: needs exactly one Service with its port, else pods are scraped twice or not at all"
    for item in objects.of("NetworkPolicy"):
        pods = selected(objects, item["spec"]["podSelector"].get("matchLabels", {})) or objects.servers()
        names = {port["name"] for one in pods for container in pod(one)["containers"] for port in container["ports"]}
        for rule in item["spec"].get("ingress", []):
            for port in rule.get("ports", []):
                if port["port"] not in names:
                    yield f"NetworkPolicy {item['metadata']['name']}: no container port named {port['port']}"
    for deployment in objects.servers():
        mounted = [volume.get("configMap", {}).get("name") for volume in pod(deployment).get("volumes", [])]
        for name in mounted + [source["configMapRef"]["name"] for source in server(deployment).get("envFrom", [])]:
            if name and not objects.named("ConfigMap", name):
                yield f"Deployment: no ConfigMap {name}"
        volumes = {volume["name"] for volume in pod(deployment).get("volumes", [])}
        volumes |= {claim["metadata"]["name"] for claim in deployment["spec"].get("volumeClaimTemplates", [])}
        for container in containers(deployment):
            for mount in container.get("volumeMounts", []):
                if mount["name"] not in volumes:
                    yield f"Deployment: {container['name']} mounts {mount['name']}, which is not a volume"
        if not objects.named("ServiceAccount", pod(deployment).get("serviceAccountName")):
            yield f"Deployment: no ServiceAccount {pod(deployment).get('serviceAccountName')}"


def settings_are_accepted(objects):
    """The binary itself parses them: it knows every key, unit and bound."""
    for deployment in objects.servers():
        env = variables(objects, deployment)
        if mounted_text(objects, deployment, env.get("PENTAD_CONFIG")) is None:
            yield f"Deployment: mounts no settings file at {env.get('PENTAD_CONFIG')}"
        printed, refused = printed_settings(objects, deployment)
        if refused:
            yield f"ConfigMap: the server rejects it: {refused}"
            continue
        # The server only warns about unknown variables.
        known = set(re.findall(r"\bPENTAD_\w+", printed)) | {"PENTAD_CONFIG"}
        for name in sorted(name for name in env.keys() - known if name.startswith("PENTAD_")):
            yield f"ConfigMap: {name} is not a setting"


def drain_fits_grace_period(objects):
    """preStop, drain_delay_ms and drain_ms_max, then up to 5 s for the admin port and the exit."""
    for deployment in objects.servers():
        config = settings(objects, deployment)
        pause = server(deployment).get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
        drain = (config.get("drain_delay_ms", 0) + config.get("drain_ms_max", 30000)) / 1000
        grace = pod(deployment).get("terminationGracePeriodSeconds", 30)
        if grace < pause + drain + 5:
            yield f"Deployment: a grace period of {grace} s for a drain of up to {pause + drain + 2:g} s"


def memory_suffices(objects):
    """One short and one long search per worker, the cache, and 256 MiB for the rest."""
    for deployment in objects.servers():
        config, printed = settings(objects, deployment), printed_settings(objects, deployment)[0]
        limit = mebibytes(server(deployment).get("resources", {}).get("limits", {}).get("memory", "0"))
        if not config:
            continue  # Rejected; settings_are_accepted reports it.
        if re.search(r"^# Default\. --(workers|memory-per-search-mib),", printed, re.M):
            yield "ConfigMap: set workers and memory_per_search_mib; the defaults depend on the node"
            continue
        need = 2 * config["workers"] * config["memory_per_search_mib"] + config["cache_mib"] + 256
        if limit < need:
            yield f"Deployment: {limit} MiB of memory for up to {need} MiB of searches and cache"


def routes_outlast_searches(objects):
    for deployment in objects.servers():
        config = settings(objects, deployment)
        longest = max(config.get("time_max_ms", 0), config.get("stream_time_max_ms", 0)) / 1000
        for item in objects.of("HTTPRoute"):
            for rule in item["spec"]["rules"]:
                for key, text in rule.get("timeouts", {}).items():
                    if seconds(text) <= longest:
                        yield f"HTTPRoute: a {key} timeout of {text} cuts off searches of {longest:g} s (stream_time_max_ms)"
        if config.get("connection_age_ms_max") and config.get("connection_grace_ms", 0) / 1000 < longest:
            yield f"ConfigMap: connection_grace_ms cuts off searches of {longest:g} s (stream_time_max_ms)"


def equal_positions_share_a_server(objects):
    """Hash-based routing uses the header that callers send, on routes that exist."""
    for item in objects.of("BackendTrafficPolicy"):
        for target in item["spec"]["targetRefs"]:
            if not objects.named(target["kind"], target["name"]):
                yield f"BackendTrafficPolicy: no {target['kind']} {target['name']}"
        balancer = item["spec"]["loadBalancer"]
        if balancer.get("consistentHash", {}).get("header", {}).get("name") != KEY_HEADER:
            yield f"BackendTrafficPolicy: does not hash {KEY_HEADER}"
    for item in objects.of("DestinationRule"):
        if not objects.named("Service", item["spec"]["host"]):
            yield f"DestinationRule: no Service {item['spec']['host']}"
        balancer = item["spec"]["trafficPolicy"]["loadBalancer"]
        if balancer.get("consistentHash", {}).get("httpHeaderName") != KEY_HEADER:
            yield f"DestinationRule: does not hash {KEY_HEADER}"


def traces_reach_the_collector(objects):
    """Where egress is denied, a policy allows the collector's port and DNS."""
    for deployment in objects.servers():
        endpoint = settings(objects, deployment).get("otlp_endpoint")
        policies = [item["spec"] for item in objects.of("NetworkPolicy") if "Egress" in item["spec"]["policyTypes"]]
        if not endpoint or not policies:
            continue
        allowed = [
            (port["protocol"], port["port"], to.get("namespaceSelector", {}).get("matchLabels", {}).get("kubernetes.io/metadata.name"))
            for spec in policies for rule in spec.get("egress", []) for port in rule["ports"] for to in rule["to"]
        ]
        url = urllib.parse.urlsplit(endpoint)
        namespace = (url.hostname.split(".") + [None])[1]
        if ("TCP", url.port, namespace) not in allowed:
            yield f"NetworkPolicy: no egress to port {url.port} in namespace {namespace}, where traces go"
        if not is_address(url.hostname) and not {("UDP", 53), ("TCP", 53)} <= {(protocol, port) for protocol, port, _ in allowed}:
            yield f"NetworkPolicy: no egress to DNS, which {url.hostname} needs"


def shared_stores_are_reachable(objects):
    """Where egress is denied, a policy allows the port of a shared store."""
    rules = [rule for item in objects.of("NetworkPolicy") for rule in item["spec"].get("egress", [])]
    if not any("Egress" in item["spec"]["policyTypes"] for item in objects.of("NetworkPolicy")):
        return
    for deployment in objects.servers():
        stores = settings(objects, deployment).get("store") or []
        for url in map(urllib.parse.urlsplit, [stores] if isinstance(stores, str) else stores):
            if url.scheme not in ("redis", "rediss"):
                continue
            name, _, namespace = url.hostname.partition(".")
            service = objects.named("Service", name)
            if namespace:
                to = {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace.split(".")[0]}}}
            else:
                to = {"podSelector": {"matchLabels": service["spec"]["selector"] if service else {}}}
            port = {"port": url.port or 6379, "protocol": "TCP"}
            if not any(to in rule["to"] and port in rule["ports"] for rule in rules):
                yield f"NetworkPolicy: no egress to the store {url.hostname}:{port['port']}"


def stores_are_writable(objects):
    """A store's file needs a volume of its own for each replica, with room for it."""
    for deployment in objects.servers():
        config = settings(objects, deployment)
        stores = config.get("store") or []
        claims = {claim["metadata"]["name"]: claim["spec"] for claim in deployment["spec"].get("volumeClaimTemplates", [])}
        mounts = {mount["mountPath"]: claims.get(mount["name"]) for mount in server(deployment)["volumeMounts"]}
        for path in [stores] if isinstance(stores, str) else stores:
            if "://" in path:
                continue
            claim = mounts.get(str(pathlib.PurePath(path).parent))
            if not claim:
                yield f"Deployment: no volume of each replica holds the store {path}"
            elif mebibytes(claim["resources"]["requests"]["storage"]) < 1.5 * config["store_mib"]:
                yield f"StatefulSet: the volume of the store {path} is too small for store_mib"


def allow_lists_are_complete(objects):
    """Lists of one's own replace the image's, unless they name it first; third-party rule sets have to be on one."""
    bundled = {library.name for library in pathlib.Path(os.environ["RULESETS"]).glob("libruleset_*.so")}
    for deployment in objects.servers():
        paths = settings(objects, deployment).get("allow_list") or []
        paths = [paths] if isinstance(paths, str) else paths
        if not paths:
            continue
        listed = bundled if ALLOW_LIST in paths else set()
        is_known = True
        for path in paths:
            text = mounted_text(objects, deployment, path)
            if text is None and path != ALLOW_LIST:
                is_known = False
                yield f"Deployment: no ConfigMap provides the allow list {path}"
            listed = listed | {line.split()[1] for line in (text or "").splitlines() if line.strip() and not line.startswith("#")}
        for name in sorted(bundled - listed):
            yield f"ConfigMap: the allow list lacks {name}"
        if is_known and third_party_dirs(settings(objects, deployment)) and listed <= bundled:
            yield "ConfigMap: the allow list has bundled rule sets only"


def third_party_dirs(config):
    """Returns the directories of rule sets that are not in the image."""
    dirs = config.get("rulesets") or []
    dirs = [one.partition("=")[0].rstrip("/") for one in ([dirs] if isinstance(dirs, str) else dirs)]
    return [one for one in dirs if one not in ("bundled", RULESETS)]


def third_party_rulesets_are_isolated(objects):
    """Rule sets in the image's own directory run in the server: one crash would end it."""
    for deployment in objects.servers():
        config = settings(objects, deployment)
        mounts = [mount["mountPath"].rstrip("/") for mount in server(deployment).get("volumeMounts", [])]
        for path in mounts:
            if f"{path}/".startswith(f"{RULESETS}/") or f"{RULESETS}/".startswith(f"{path}/"):
                yield f"Deployment: mounts {path}: rule sets in {RULESETS} run in the server; use a directory of their own"
        dirs = third_party_dirs(config)
        for path in dirs:
            if path not in mounts:
                yield f"Deployment: no volume is mounted at {path}, a directory of rule sets"
        if dirs and (config.get("isolation") == "in-process" or any("=in-process" in str(one) for one in config["rulesets"])):
            yield "ConfigMap: isolation runs third-party rule sets in the server"


def access_is_restricted(objects):
    """In a container the server listens on all addresses, and refuses to start if anyone may call."""
    listen = dict(re.findall(r"(PENTAD_\w+_LISTEN)=(\S+)", IMAGE.read_text()))
    for deployment in objects.servers():
        env = variables(objects, deployment)
        text = mounted_text(objects, deployment, env.get("PENTAD_CONFIG"))
        refused = print_config(text, tuple(sorted((listen | env).items())))[1]
        if "anyone may call" in refused:
            yield f"ConfigMap: the server does not start: {refused}"


def insecure_needs_a_network_policy(objects):
    """`insecure` is for networks where a policy restricts the callers."""
    guarded = {port["port"] for item in objects.of("NetworkPolicy") for rule in item["spec"].get("ingress", [])
               if rule.get("from") for port in rule.get("ports", [])}
    for deployment in objects.servers():
        if settings(objects, deployment).get("insecure") and not {"grpc", "http"} <= guarded:
            yield "ConfigMap: insecure, and no NetworkPolicy restricts the callers"


def games_are_required(objects):
    """A server that lacks a bundled game must not get traffic."""
    for deployment in objects.servers():
        config = settings(objects, deployment)
        if not config:
            continue  # Rejected; settings_are_accepted reports it.
        required = config.get("require_games") or []
        lacking = bundled_games() - set(required.split(",") if isinstance(required, str) else required)
        if lacking:
            yield f"ConfigMap: require_games lacks {', '.join(sorted(lacking))}"


def jobs_cover_every_shard(objects):
    """As many shards as completions, or an input file for each; each with its own answer file, on a volume that exists."""
    for job in objects.of("Job"):
        arguments = " ".join(server(job)["args"])
        parts = re.search(r"--shard[= ]\$\(JOB_COMPLETION_INDEX\)/(\d+)", arguments)
        own_input = "$(JOB_COMPLETION_INDEX)" in server(job)["args"][1]
        if job["spec"].get("completionMode") != "Indexed" or bool(parts) == own_input:
            yield f"Job {job['metadata']['name']}: must be an Indexed Job with --shard=$(JOB_COMPLETION_INDEX)/N or an input per index"
        elif parts and int(parts[1]) != job["spec"].get("completions"):
            yield f"Job {job['metadata']['name']}: {parts[1]} shards but {job['spec'].get('completions')} completions"
        if not re.search(r"--output[= ]\S*\$\(JOB_COMPLETION_INDEX\)", arguments):
            yield f"Job {job['metadata']['name']}: all pods write to the same file"
        for volume in pod(job).get("volumes", []):
            claim = volume.get("persistentVolumeClaim", {}).get("claimName")
            if claim and not objects.named("PersistentVolumeClaim", claim):
                yield f"Job {job['metadata']['name']}: no PersistentVolumeClaim {claim}"


def preflight_sees_what_the_server_sees(objects):
    """Settings, files, limits and image of the init container are those of the server."""
    for deployment in objects.servers():
        for container in pod(deployment).get("initContainers", []):
            if container.get("args") != ["preflight"]:
                continue
            for key in ("image", "envFrom", "env", "volumeMounts", "resources", "securityContext"):
                if container.get(key) != server(deployment).get(key):
                    yield f"Deployment: {key} of the preflight is not the server's"


def scaling_counts_this_namespace(objects):
    """KEDA's query names the namespace of the servers."""
    for item in objects.of("ScaledObject"):
        for trigger in item["spec"]["triggers"]:
            named = set(re.findall(r'namespace="([^"]*)"', trigger["metadata"]["query"]))
            if named != {item["metadata"].get("namespace")}:
                yield f"ScaledObject: its query is about the namespace {', '.join(sorted(named))}"


def pods_are_restricted(objects):
    """The restricted Pod Security Standard, a read-only root, and no token."""
    allowed_volumes = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret", "image"}
    for deployment in objects.of("Deployment", "StatefulSet", "Job"):
        spec = pod(deployment)
        outer = spec.get("securityContext", {})
        for key in ("hostNetwork", "hostPID", "hostIPC"):
            if spec.get(key):
                yield f"restricted: {key}"
        for volume in spec.get("volumes", []):
            if not (volume.keys() - {"name"}) <= allowed_volumes:
                yield f"restricted: a volume of type {volume.keys() - {'name'}}"
        if spec.get("automountServiceAccountToken") is not False:
            yield "restricted: a token is mounted"
        if spec.get("enableServiceLinks") is not False:
            yield "enableServiceLinks: variables of Services would begin with PENTAD_, as settings do"
        for container in containers(deployment):
            inner, name = container.get("securityContext", {}), container["name"]
            if inner.get("privileged"):
                yield f"restricted: {name} is privileged"
            if inner.get("allowPrivilegeEscalation") is not False:
                yield f"restricted: {name} may escalate its privileges"
            if "ALL" not in inner.get("capabilities", {}).get("drop", []):
                yield f"restricted: {name} keeps capabilities"
            if set(inner.get("capabilities", {}).get("add", [])) - {"NET_BIND_SERVICE"}:
                yield f"restricted: {name} adds capabilities"
            if inner.get("runAsNonRoot", outer.get("runAsNonRoot")) is not True:
                yield f"restricted: {name} may run as root"
            if inner.get("runAsUser", outer.get("runAsUser")) == 0:
                yield f"restricted: {name} runs as root"
            if inner.get("seccompProfile", outer.get("seccompProfile", {})).get("type") not in ("RuntimeDefault", "Localhost"):
                yield f"restricted: {name} has no seccomp profile"
            if inner.get("procMount", "Default") != "Default" or any("hostPort" in port for port in container.get("ports", [])):
                yield f"restricted: {name} has a host port or a bare /proc"
            if inner.get("readOnlyRootFilesystem") is not True:
                yield f"restricted: {name} can write to its root"
            if not container.get("resources", {}).get("requests") or "memory" not in container["resources"].get("limits", {}):
                yield f"resources: {name} needs requests and a memory limit"
            if re.search(r"(:latest|/[^:]*|^[^:]*)$", container["image"]):
                yield f"image: {name}: {container['image']} is not a fixed version"


POLICIES = [
    ports_are_ports, counts_are_possible, selectors_find_pods, metrics_are_served, services_reach_pods, probes_reach_ports,
    references_exist, settings_are_accepted, drain_fits_grace_period, memory_suffices, routes_outlast_searches,
    equal_positions_share_a_server, traces_reach_the_collector, shared_stores_are_reachable, stores_are_writable, allow_lists_are_complete,
    third_party_rulesets_are_isolated, jobs_cover_every_shard, pods_are_restricted, scaling_counts_this_namespace,
]
# Where the others find nothing: a broken server differs from its preflight, too.
LAST_POLICIES = [preflight_sees_what_the_server_sees]
# For everything that is applied; base leaves access to overlays.
OVERLAY_POLICIES = [access_is_restricted]
# For production and overlays that build on it.
PRODUCTION_POLICIES = [no_adapter_is_needed, games_are_required, insecure_needs_a_network_policy]


@functools.cache
def bundled_games():
    listed = subprocess.run([os.environ["PENTAD"], "games", "--rulesets", os.environ["RULESETS"]], capture_output=True, text=True, check=True)
    return {line.split()[0] for line in listed.stdout.splitlines() if line and not line[0].isspace()}


def is_address(host):
    try:
        return bool(ipaddress.ip_address(host))
    except ValueError:
        return False


def seconds(duration):
    """Parses a duration of the Gateway API: `1m30s`."""
    units = {"h": 3600, "m": 60, "s": 1, "ms": 0.001}
    return sum(int(number) * units[unit] for number, unit in re.findall(r"(\d+)(ms|h|m|s)", duration))


def walk(item, path=""):
    path = path or item.get("kind", "")
    pairs = item.items() if isinstance(item, dict) else enumerate(item)
    for key, value in pairs:
        yield f"{path}.{key}", key, value
        if isinstance(value, (dict, list)):
            yield from walk(value, f"{path}.{key}")


def mebibytes(text):
    number, unit = re.fullmatch(r"(\d+)(\w*)", text).groups()
    return int(number) * {"Gi": 1024, "Mi": 1, "": 1 / 1024**2}[unit]
