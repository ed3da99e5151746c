#!/bin/bash
# Judges and measures the copies on a machine with a GPU, in at most nine minutes.
#
#   bash bench/cuda.sh [PART...]           parts, in this order: build check sanitize time peers dlspec suite
#   bash bench/cuda.sh --dry-run [FOLDER]  prints the steps, and checks that their files, options and targets
#                                          exist. FOLDER: a build folder in place of build/cuda
#
# Each part is skipped if its result of this commit is there, so that a second call goes on where the first one ended;
# naming parts does them again. The result is bench/results/cuda-DATE.md with driver, GPU and commit. A tool or a peer
# that this machine does not have, and a part that cannot be carried out, are named there. Exit status 1 if a copy is
# wrong or a part failed, 77 without a GPU.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=cuda
build=build/$preset
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
parts=build/cuda-parts/$commit
result=bench/results/cuda-$(date +%F).md
seconds_in_all=540
order=(build check sanitize time_cases peers dlspec suite)
tools=(memcheck synccheck racecheck initcheck)
subjects=(torch cupy)
declare -A again titles=([build]="Build" [check]="Against the reference" [sanitize]="compute-sanitizer"
  [time_cases]="Against a copy within the device and CCCL" [peers]="Beside PyTorch" [dlspec]="Build of dlspec"
  [suite]="dlspec run --device cuda")
# Files that the parts use without naming them.
files=(bench/rearrange_cases.json)
for name in "${subjects[@]}"; do files+=("conformance/evidence/adapters/$name.py"); done
dry=
problems=0
targets=() options=()  # that the steps name, collected by --dry-run

left() { echo $((seconds_in_all - SECONDS > 5 ? seconds_in_all - SECONDS : 5)); }

# run COMMAND...: at most as long as there is time left.
run() {
  if [ -z "$dry" ]; then
    timeout "$(left)" "$@"
    return
  fi
  printf '  %s\n' "$*"
  local word is_target=
  for word in "$@"; do
    [ -z "$is_target" ] || targets+=("$word")
    case $word in
      --target) is_target=yes ;;
      -D*=*) word=${word#-D}; options+=("${word%%=*}") ;;
      "$build"/bin/*) targets+=("${word##*/}") ;;
      bench/*) files+=("$word") ;;
    esac
  done
}

gpu() { nvidia-smi "--query-gpu=$1" --format=csv,noheader | head -n 1; }

configure() {
  local architecture='<of the GPU>'
  [ -n "$dry" ] || architecture=$(gpu compute_cap | tr -d .)
  run cmake --preset "$preset" "-DDLSPEC_CUDA_ARCHITECTURES=$architecture" -DDLSPEC_BUILD_TESTS=ON \
    -DDLSPEC_BUILD_BENCH=ON -DDLSPEC_BUILD_FUZZ=OFF "-DDLSPEC_BUILD_CONFORMANCE=$1"
}

build() {
  configure OFF
  run cmake --build "$build" --target dlspec_cuda_library bench_cuda dlspec_infiniop
  # Headers of an unknown version may not compile: then the copies are not compared with CCCL's, which the result says.
  run rm -f "$build/lib/libbench_cccl.so"
  run cmake --build "$build" --target bench_cccl || echo "the copies by CCCL do not compile"
}

check() {
  run "$build/bin/bench_cuda" check
  run "$build/bin/bench_cuda" corpus
}

# Each tool on shrunken shapes, beside the others.
sanitize() {
  local tool status bad=0
  local -A running=()
  for tool in "${tools[@]}"; do
    local extent=33
    [ "$tool" != racecheck ] || extent=9  # it takes minutes for more
    local words=(compute-sanitizer --tool "$tool" --error-exitcode 9 "$build/bin/bench_cuda" check "$extent")
    if [ -n "$dry" ]; then
      run "${words[@]}"
    elif ! command -v compute-sanitizer >/dev/null; then
      echo "- $tool: compute-sanitizer is not installed"
    else
      run "${words[@]}" >"$parts/$tool.log" 2>&1 &
      running[$tool]=$!
    fi
  done
  for tool in "${tools[@]}"; do
    [ -n "${running[$tool]:-}" ] || continue
    status=0
    wait "${running[$tool]}" || status=$?
    case $status in
      0) echo "- $tool: 0 errors" ;;
      1) echo "- $tool: a copy differs, see $parts/$tool.log"; bad=1 ;;
      9) echo "- $tool: errors, see $parts/$tool.log"; bad=1 ;;
      124) echo "- $tool: not done in time" ;;
      *) echo "- $tool: refused by this machine, status $status: $(tail -n 1 "$parts/$tool.log")" ;;
    esac
  done
  return $bad
}

time_cases() { run "$build/bin/bench_cuda" time; }

peers() {
  local status=0
  run python3 -B bench/cuda_peers.py "$build/lib" || status=$?
  if [ -n "$dry" ]; then return 0; fi
  case $status in
    0) ;;
    77) echo "PyTorch: not available, not compared" ;;
    *) return "$status" ;;
  esac
}

# The command takes longest to compile: after what measures.
dlspec() {
  configure ON
  run cmake --build "$build" --target dlspec dlspec_native
}

# A library that fails rules is a result; a subject that is not judged is named.
suite() {
  local subject status bad=0
  for subject in "${subjects[@]}"; do
    local words=("$build/bin/dlspec" run "$subject" --device cuda --json "$parts/$subject.json")
    if [ -n "$dry" ]; then
      run "${words[@]}"
      continue
    fi
    status=0
    run "${words[@]}" >"$parts/$subject.log" 2>&1 || status=$?
    case $status in
      0 | 1) echo "- $subject: $(grep -v '^dlspec:' "$parts/$subject.log" | tail -n 1)" ;;
      3) echo "- $subject: not judged whole: $(tail -n 1 "$parts/$subject.log")" ;;
      124) echo "- $subject: not done in time" ;;
      *) echo "- $subject: ended with status $status: $(tail -n 1 "$parts/$subject.log")"; bad=1 ;;
    esac
  done
  return $bad
}

# part NAME: runs its function unless its result is there; what it prints is its result.
part() {
  local name=$1 title=${titles[$1]} file=$parts/$1.md status
  if [ -f "$file" ] && [ "${again[$name]:-}" = "" ]; then return 0; fi
  echo "==> $title" >&2
  set +e  # a function in a condition would go on after a step of it that fails
  (set -e; "$name") >"$file.new" 2>"$parts/$name.err"
  status=$?
  set -e
  if [ "$status" -ne 0 ]; then
    tail -n 20 "$file.new" "$parts/$name.err" >&2
    echo "$title failed with status $status" >>"$failures"
    mv "$file.new" "$parts/$name.failed"
    rm -f "$file"
    return 0
  fi
  rm -f "$parts/$name.failed"
  mv "$file.new" "$file"
}

exists() {  # exists WHAT COMMAND...
  local what=$1
  shift
  if "$@" >/dev/null 2>&1; then
    echo "  $what"
  else
    echo "  missing: $what"
    problems=$((problems + 1))
  fi
}

is_option() { grep -rqE --include=CMakeLists.txt "(option|set)\\($1 " CMakeLists.txt optimized; }
# Known to the configured folder, or declared: without such a folder, and where that needs nvcc.
is_target() {
  grep -qx "$1: phony" <<<"$known" ||
    grep -rqE --include=CMakeLists.txt --include=cccl.cmake "(executable|library|target)\\((dlspec_)?${1#dlspec_} " \
      bench optimized conformance
}

dry_run() {
  local name known=''
  dry=yes
  if [ -f "$build/CMakeCache.txt" ]; then known=$(cmake --build "$build" --target help); fi
  for name in "${order[@]}"; do
    echo "${titles[$name]}:"
    "$name"
  done
  echo "Checked:"
  exists "preset $preset" grep -q "\"name\": \"$preset\"" CMakePresets.json
  for name in $(printf '%s\n' "${files[@]}" | sort -u); do exists "file $name" test -f "$name"; done
  for name in $(printf '%s\n' "${options[@]}" | sort -u); do exists "option $name" is_option "$name"; done
  for name in $(printf '%s\n' "${targets[@]}" | sort -u); do exists "target $name" is_target "$name"; done
  if [ -x "$build/bin/dlspec" ]; then
    exists "dlspec run --device" "$build/bin/dlspec" run builtin --device cpu --case 'producer/float32/c/versioned'
  fi
  echo "  $problems missing"
  [ "$problems" -eq 0 ]
}

if [ "${1:-}" = --dry-run ]; then
  build=${2:-$build}
  dry_run
  exit
fi
if ! command -v nvidia-smi >/dev/null || ! nvidia-smi -L >/dev/null 2>&1; then
  echo "bench/cuda.sh: no GPU (nvidia-smi finds none)" >&2
  exit 77
fi
mkdir -p "$parts" "$(dirname "$result")"
failures=$(mktemp)
trap 'rm -f "$failures"' EXIT
for name in "$@"; do
  [ "$name" = time ] && name=time_cases
  [ -n "${titles[$name]:-}" ] || { echo "bench/cuda.sh: no part is called $name" >&2; exit 2; }
  again[$name]=yes
done
for name in "${order[@]}"; do
  if [ "$SECONDS" -ge "$seconds_in_all" ]; then
    echo "nine minutes are over before $name: call this again" | tee -a "$failures" >&2
    break
  fi
  part "$name"
done

{
  echo "# Copies on a GPU, $(date +%F)"
  echo
  echo "\`bash bench/cuda.sh\`, commit $commit, $(gpu name,driver_version)"
  for name in check sanitize time_cases peers suite; do
    printf '\n## %s\n\n' "${titles[$name]}"
    for file in "$parts/$name.md" "$parts/$name.failed"; do
      if [ -f "$file" ]; then cat "$file"; break; fi
    done
    [ -f "$file" ] || echo "not carried out"
  done
  [ ! -s "$failures" ] || { printf '\n## Failed\n\n'; sed 's/^/- /' "$failures"; }
} >"$result"
echo "$result"
[ ! -s "$failures" ]
