#!/bin/bash
# Judges and measures the copies on a machine with a GPU, in at most nine minutes.
#
#   bash bench/cuda.sh [PART...]     parts, in this order: build check sanitize time peers suite
#
# Each part is skipped if its result of this commit is there, so that a second call goes on where the first one ended;
# naming parts does them again. The result is bench/results/cuda-DATE.md with driver, GPU and commit. A tool or a peer
# that this machine does not have is named there. Exit status 1 if a copy is wrong, 77 without a GPU.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=${DLSPEC_CUDA_PRESET:-cuda}
build=build/$preset
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
parts=build/cuda-parts/$commit
result=bench/results/cuda-$(date +%F).md
seconds_in_all=540
mkdir -p "$parts" "$(dirname "$result")"

if ! command -v nvidia-smi >/dev/null || ! nvidia-smi -L >/dev/null 2>&1; then
  echo "bench/cuda.sh: no GPU (nvidia-smi finds none)" >&2
  exit 77
fi

left() { echo $((seconds_in_all - SECONDS > 5 ? seconds_in_all - SECONDS : 5)); }

build() {
  local architecture
  architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
  cmake --preset "$preset" "-DDLSPEC_CUDA_ARCHITECTURES=$architecture" -DDLSPEC_BUILD_TESTS=ON -DDLSPEC_BUILD_BENCH=ON \
    -DDLSPEC_BUILD_FUZZ=OFF -DDLSPEC_BUILD_CONFORMANCE=OFF
  cmake --build "$build" --target dlspec_cuda_library bench_cuda dlspec_infiniop
}

check() { "$build/bin/bench_cuda" check; }

# Each tool on shrunken shapes. racecheck and initcheck take longest, so that they see the smallest ones.
sanitize() {
  local tool status bad=0
  for tool in memcheck synccheck racecheck initcheck; do
    if ! command -v compute-sanitizer >/dev/null; then
      echo "- $tool: compute-sanitizer is not installed"
      continue
    fi
    status=0
    timeout "$(left)" compute-sanitizer --tool "$tool" --error-exitcode 9 "$build/bin/bench_cuda" check 33 \
      >"$parts/$tool.log" 2>&1 || status=$?
    case $status in
      0) echo "- $tool: 0 errors" ;;
      9) echo "- $tool: errors, see $parts/$tool.log"; bad=1 ;;
      124) echo "- $tool: not done in time" ;;
      *) echo "- $tool: refused by this machine: $(tail -n 1 "$parts/$tool.log")" ;;
    esac
  done
  return $bad
}

time_cases() { "$build/bin/bench_cuda" time; }

peers() {
  python3 -B bench/cuda_peers.py "$build/lib" || { [ $? -eq 77 ] && echo "PyTorch: not available, not compared"; }
  echo "CCCL: has no copy between strided layouts in this toolkit's headers, not compared"
}

suite() {
  local subject
  if [ ! -x build/release/bin/dlspec ]; then
    echo "- dlspec is not built in build/release: nothing judged"
    return 0
  fi
  for subject in torch cupy; do
    timeout "$(left)" build/release/bin/dlspec run "$subject" --device cuda 2>&1 | tail -n 1 | sed "s/^/- /" || true
  done
}

# part NAME TITLE: runs the function NAME unless its result is there; its output is its result.
part() {
  local name=$1 title=$2 file=$parts/$1.md status=0
  if [ -f "$file" ] && [ "${again[$name]:-}" = "" ]; then return 0; fi
  echo "==> $title" >&2
  "$name" >"$file.new" 2>"$parts/$name.err" || status=$?
  if [ "$status" -ne 0 ]; then
    tail -n 20 "$file.new" "$parts/$name.err" >&2
    echo "$title failed with status $status" >>"$failures"
    mv "$file.new" "$parts/$name.failed"
    return 0
  fi
  mv "$file.new" "$file"
}

declare -A again titles=([build]="Build" [check]="Against the CPU's engine" [sanitize]="compute-sanitizer"
  [time_cases]="Against a copy within the device" [peers]="Beside PyTorch" [suite]="dlspec run --device cuda")
failures=$(mktemp)
trap 'rm -f "$failures"' EXIT
for name in "$@"; do
  [ "$name" = time ] && name=time_cases
  [ -n "${titles[$name]:-}" ] || { echo "bench/cuda.sh: no part is called $name" >&2; exit 2; }
  again[$name]=yes
done
for name in build check sanitize time_cases peers suite; do
  if [ "$SECONDS" -ge "$seconds_in_all" ]; then
    echo "nine minutes are over before $name: call this again" | tee -a "$failures" >&2
    break
  fi
  part "$name" "${titles[$name]}"
done

{
  echo "# Copies on a GPU, $(date +%F)"
  echo
  gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)
  echo "\`bash bench/cuda.sh\`, commit $commit, $gpu"
  for name in check sanitize time_cases peers suite; do
    [ -f "$parts/$name.md" ] || continue
    printf '\n## %s\n\n' "${titles[$name]}"
    cat "$parts/$name.md"
  done
  [ ! -s "$failures" ] || { printf '\n## Failed\n\n'; sed 's/^/- /' "$failures"; }
} >"$result"
echo "$result"
[ ! -s "$failures" ]
