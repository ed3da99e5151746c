# shellcheck shell=bash
# Tools from the package index, in the versions of NAME-tools.txt beside this file, fetched once into dlspec's cache.
# Sourced by bash.
setup=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${PYTHON:-/usr/bin/python3}
[ -x "$python" ] || python=python3
cache=${DLSPEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/dlspec}

# The uv on PATH, else the one that dlspec keeps in its cache, fetched if need be.
find_uv() {
  uv=$(command -v uv || true)
  [ -z "$uv" ] || return 0
  uv=$cache/uv/bin/uv
  "$uv" --version >/dev/null 2>&1 && return 0
  rm -rf "$cache/uv.new"
  "$python" -m venv "$cache/uv.new" && "$cache/uv.new/bin/python" -m pip install --quiet uv && rm -rf "$cache/uv" &&
    mv "$cache/uv.new" "$cache/uv"
}

# use_tools NAME [PROGRAM...]: sets `tools` to their environment; each PROGRAM must answer --version. Ends with 77 where
# they cannot be fetched.
use_tools() {
  local name=$1 log=$cache/$1/install.log program
  shift
  tools=$cache/$name/$(sha256sum "$setup/$name-tools.txt" | cut -c1-16)
  [ ! -e "$tools/complete" ] || return 0
  mkdir -p "$cache/$name"
  {
    find_uv && rm -rf "$tools" && "$uv" venv --quiet --python "$python" "$tools" &&
      "$uv" pip install --quiet --python "$tools/bin/python" --requirements "$setup/$name-tools.txt" &&
      for program in "$@"; do "$tools/bin/$program" --version || return 1; done && touch "$tools/complete"
  } >"$log" 2>&1 </dev/null || {
    echo "$name: skipped: the tools of $name-tools.txt could not be fetched (see $log)"
    exit 77
  }
}
