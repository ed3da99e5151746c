// The library's thread pool: started on first use, joined when the process ends. After a job the threads spin for about
// 0.2 ms, then sleep.
#pragma once

namespace dlspec::optimized {

inline constexpr int max_threads = 256;

// The number of threads: DLSPEC_THREADS if it is a number from 1 to 256, else the number of processors in the affinity
// mask of the process (settings.h).
[[nodiscard]] int default_threads() noexcept;

// Calls job(context, part, parts) for every part from 0 to parts - 1 and returns when all are done. Part 0 runs on the
// calling thread, the others on the pool's threads, or on the calling thread if the pool is busy or threads cannot be
// started. Thread-safe, and works after fork().
using Job = void (*)(const void* context, int part, int parts);
void run_on_threads(int parts, Job job, const void* context) noexcept;

}  // namespace dlspec::optimized
