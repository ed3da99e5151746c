// The library's own threads: started when first needed, ended with the process. After a job they wait for the next for
// a fifth of a millisecond or so, then they sleep.
#pragma once

namespace dlspec::optimized {

// How many threads may be used: DLSPEC_THREADS if it is a number from 1 to 256, else the number of processors that
// the process may run on. Found out once.
[[nodiscard]] int default_threads() noexcept;

// Calls job(context, part, parts) for every part from 0 to parts - 1 and returns when all are done. One part
// runs on the calling thread, the others on the library's threads if these are free and could be started, else on the
// calling thread as well. From several threads at a time, and after fork(), too.
using Job = void (*)(const void* context, int part, int parts);
void run_on_threads(int parts, Job job, const void* context) noexcept;

}  // namespace dlspec::optimized
