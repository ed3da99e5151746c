# shellcheck shell=bash
# What the tests of the command share; sourced by them. $1: the build folder, $2: the sources, $3: an interpreter.
set -u
build=$1 fakes=$2/conformance/selfcheck/fakes python=$3
dlspec=$build/bin/dlspec
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
unset COLUMNS NO_COLOR
export PYTHONPATH=$build/lib/python DLSPEC_CACHE=$work/cache
failures=0

# expect STATUS PATTERN ARGUMENT...: runs dlspec and looks for the extended regular expression in all that it prints.
expect() {
  local status=$1 pattern=$2 got=0
  shift 2
  if [[ " $* " == *" --in-process "* ]]; then  # whoever asks outlives the process that answers, and prints at last
    "$dlspec" "$@" 2>&1 </dev/null | cat >out
    got=${PIPESTATUS[0]}
  else
    "$dlspec" "$@" >out 2>&1 </dev/null || got=$?
  fi
  if [ "$got" -ne "$status" ] || ! { tr '\n' ' ' <out; echo; } | grep -Eq -- "$pattern"; then
    failures=$((failures + 1))
    printf 'FAILED: dlspec %s\n  exit status %d, wanted %d and /%s/ in:\n' "$*" "$got" "$status" "$pattern"
    sed 's/^/  | /' out | head -n 25
  fi
}
check() {
  if ! "$@"; then
    failures=$((failures + 1))
    printf 'FAILED: %s\n' "$*"
  fi
}

# shellcheck disable=SC2034
few=(--case '*/float32/*' --rules 'tensor.*')
py=(--python "$python" --role producer --case 'producer/float32/*/max_version=1.3')
# run_fake STATUS PATTERN NAME OPTION...: expect, of a fake and its float32 producer.
run_fake() {
  local status=$1 pattern=$2 name=$3
  shift 3
  expect "$status" "$pattern" run "$fakes/$name.py" "${py[@]}" "$@"
}

# The exit status of the test.
summary() { [ "$failures" -eq 0 ] || { echo "$failures expectations failed"; exit 1; }; }
