#include "implementations.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/threads.h>
#include <dlspec/optimized/rearrange/rearrange.h>

namespace dlspec::bench {
namespace {

// Two dense buffers of the payload's size, shared by the limits of a case.
struct DenseBuffers {
  std::size_t size;
  Memory to, from;
  explicit DenseBuffers(std::size_t bytes) : size(bytes), to(allocate(bytes)), from(allocate(bytes)) {
    std::memset(to.get(), 1, bytes);
    std::memset(from.get(), 2, bytes);
  }
};

using CopyFunction = void (*)(std::byte* to, const std::byte* from, std::size_t size);

void by_memcpy(std::byte* to, const std::byte* from, std::size_t size) { std::memcpy(to, from, size); }
void by_memset(std::byte* to, const std::byte*, std::size_t size) { std::memset(to, 3, size); }

#if defined(__x86_64__)
void by_movsb(std::byte* to, const std::byte* from, std::size_t size) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}
__attribute__((target("avx512f"))) void by_stream(std::byte* to, const std::byte* from, std::size_t size) {
  std::size_t i = 0;
  for (; i + 64 <= size; i += 64) _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i), _mm512_loadu_si512(from + i));
  std::memcpy(to + i, from + i, size - i);
  _mm_sfence();
}
__attribute__((target("avx512f"))) void by_vectors(std::byte* to, const std::byte* from, std::size_t size) {
  std::size_t i = 0;
  for (; i + 64 <= size; i += 64) _mm512_storeu_si512(to + i, _mm512_loadu_si512(from + i));
  std::memcpy(to + i, from + i, size - i);
}
#endif

void add_limit(const std::string& name, CopyFunction move, int threads, const std::shared_ptr<DenseBuffers>& dense,
               std::vector<Implementation>& all) {
  struct LimitWork {
    CopyFunction move;
    DenseBuffers* dense;
  };
  const bool shared = threads > 1 && dense->size >= (std::size_t{1} << 17);
  all.push_back({name, true, false, [=](int times) {
                   const LimitWork work{move, dense.get()};
                   for (int i = 0; i < times; ++i) {
                     if (!shared) {
                       move(dense->to.get(), dense->from.get(), dense->size);
                       continue;
                     }
                     optimized::run_on_threads(
                         threads,
                         [](const void* context, int part, int parts) {
                           const auto& [move_part, buffers] = *static_cast<const LimitWork*>(context);
                           const std::size_t share = buffers->size / static_cast<std::size_t>(parts) / 64 * 64;
                           const std::size_t begin = share * static_cast<std::size_t>(part);
                           const std::size_t size = part + 1 == parts ? buffers->size - begin : share;
                           move_part(buffers->to.get() + begin, buffers->from.get() + begin, size);
                         },
                         &work);
                   }
                 }});
}

}  // namespace

void add_limits(const Trial& trial, std::vector<Implementation>& all, bool others) {
  const auto dense = std::make_shared<DenseBuffers>(static_cast<std::size_t>(trial.bench_case.bytes()));
  add_limit("memcpy", by_memcpy, trial.threads, dense, all);
  if (!others) return;
#if defined(__x86_64__)
  add_limit("movsb", by_movsb, trial.threads, dense, all);
  if (__builtin_cpu_supports("avx512f") != 0) {
    add_limit("stream", by_stream, trial.threads, dense, all);
    add_limit("vectors", by_vectors, trial.threads, dense, all);
  }
#endif
  add_limit("fill", by_memset, trial.threads, dense, all);
}

void add_engines(const Trial& trial, const std::vector<std::string>& names, std::vector<Implementation>& all) {
  for (const std::string& name : names) {
    const optimized::Engine* const engine = optimized::find_engine(name);
    if (engine == nullptr || !engine->available()) continue;
    auto plan = std::make_shared<optimized::Plan>();
    const auto status = optimized::make_plan(trial.bench_case.to_view(), trial.bench_case.from_view(), *plan,
                                             {.engine = engine, .threads = trial.threads});
    if (status != Status::ok) continue;
    all.push_back({name, false, false, [plan, to = trial.to, from = trial.from](int times) {
                     for (int i = 0; i < times; ++i) static_cast<void>(optimized::execute(*plan, to, from));
                   }});
  }
  if (trial.bench_case.bytes() <= 4096) {
    all.push_back({"one-shot", false, false,
                   [trial, to_view = trial.bench_case.to_view(), from_view = trial.bench_case.from_view()](int times) {
                     for (int i = 0; i < times; ++i) {
                       static_cast<void>(optimized::rearrange(to_view, trial.to, from_view, trial.from));
                     }
                   }});
    all.push_back({"plan", true, false,
                   [to_view = trial.bench_case.to_view(), from_view = trial.bench_case.from_view()](int times) {
                     optimized::Plan plan;
                     for (int i = 0; i < times; ++i) static_cast<void>(optimized::make_plan(to_view, from_view, plan));
                   }});
  }
}

}  // namespace dlspec::bench
