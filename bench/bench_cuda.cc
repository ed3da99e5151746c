// Copies on a GPU: checks them against the reference, and times them against a copy within the device and CCCL's.
//
//   bench_cuda check [EXTENT]   every case, into poisoned memory, at addresses of several alignments unless it has more
//                               than 64 MiB; whole buffers are compared. EXTENT: no extent above this number, and few
//                               elements (for compute-sanitizer)
//   bench_cuda corpus [STEP]    the same of small layouts and of random ones up to rank 64; of every STEP-th alone
//   bench_cuda time [NAME]      cases whose names begin so
//
// Exit status 77 without a GPU or without libdlspec_cuda.so, 1 if a copy differs or CUDA reports an error.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "gpu_copies.h"

int main(int argc, char** argv) {
  using namespace dlspec::bench;
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode != "check" && mode != "corpus" && mode != "time") {
    std::fprintf(stderr, "usage: bench_cuda check [EXTENT] | corpus [STEP] | time [NAME]\n");
    return 2;
  }
  const dlspec::optimized::cuda::LibraryTable* const table = dlspec::optimized::cuda::library();
  int devices = 0;
  if (table == nullptr || table->count_devices(&devices) != dlspec::optimized::cuda::answer_ok) {
    std::fprintf(stderr, "%s\n", table == nullptr ? "libdlspec_cuda.so is not there" : "no driver or no GPU");
    return 77;
  }
  const std::string argument = argc > 2 ? argv[2] : "";
  const std::int64_t number = std::atoll(argument.c_str());
  if (mode == "corpus") return check_corpus(*table, std::max<std::int64_t>(number, 1));
  const std::vector<RearrangeCase> cases = read_cases(DLSPEC_BENCH_CASES);
  if (mode == "check") return check_cases(*table, cases, number);
  return time_cases(*table, cases, argument);
}
