# shellcheck shell=bash
# Shared by the two commands of the README: installing what is missing, building, saying what goes on.
# Sourced by bash; the current folder becomes the root of the checkout.
set -euo pipefail

setup=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$setup/../.."
logs=build/logs
mkdir -p "$logs"
jobs=$(nproc 2>/dev/null || echo 2)

say() { printf '\033[1m==>\033[0m %s\n' "$*" | if [ -t 1 ]; then cat; else sed 's/\x1b\[[0-9;]*m//g'; fi; }

fail() {
  printf 'dlspec: %s\n' "$*" >&2
  exit 1
}

# step NAME SENTENCE COMMAND...: runs the command with its output in build/logs/NAME.log, says every
# ten seconds how far it is, and shows the end of the log when it fails.
step() {
  local name=$1 sentence=$2
  shift 2
  local log=$logs/$name.log start=$SECONDS pid status=0 last
  say "$sentence"
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    sleep 0.2
    if (( SECONDS - start > 0 && (SECONDS - start) % 10 == 0 )); then
      last=$(tail -n 1 "$log" 2>/dev/null | tr -d '\r' | cut -c1-100)
      printf '    %3d s  %s\n' $((SECONDS - start)) "$last"
      sleep 1
    fi
  done
  wait "$pid" || status=$?
  if [ "$status" -ne 0 ]; then
    tail -n 40 "$log" >&2
    fail "\"$sentence\" failed with status $status; the whole output is in $log"
  fi
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo --preserve-env=DEBIAN_FRONTEND "$@"
  else
    fail "installing packages needs root: run this as root, or install sudo or these packages yourself: $missing"
  fi
}

is_installed() {
  command -v dpkg-query >/dev/null && dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

# install_packages KIND...: those lines of the package list whose second column is one of KIND.
install_packages() {
  local name kind
  missing=
  while read -r name kind _; do
    case " $* " in *" $kind "*) ;; *) continue ;; esac
    is_installed "$name" || missing+=" $name"
  done < <(grep -v '^#' "$setup/packages")
  [ -n "$missing" ] || return 0
  if ! command -v apt-get >/dev/null; then
    fail "this system has no apt-get; install the counterparts of these Debian packages and build by hand" \
      "(conformance/docs/building.md):$missing"
  fi
  export DEBIAN_FRONTEND=noninteractive
  step apt-update "Reading the package lists" as_root apt-get update
  # shellcheck disable=SC2086
  step apt-install "Installing$missing" as_root apt-get install --yes --no-install-recommends $missing
}

# Debian's interpreter, whose headers the package list brings; another one can be named by PYTHON.
python=${PYTHON:-/usr/bin/python3}

configure() {
  local preset=$1
  shift
  step "configure-$preset" "Configuring build/$preset" cmake --preset "$preset" -DPython3_EXECUTABLE="$python" "$@"
}

build() {
  local preset=$1
  shift
  step "build-$preset" "Building build/$preset with $jobs jobs" cmake --build "build/$preset" --parallel "$jobs" "$@"
}
