// oneDNN: a reorder between two strided memory descriptors.
#include "implementations.h"

#ifdef DLSPEC_BENCH_ONEDNN
#include <dlfcn.h>

#include <dnnl.hpp>

namespace dlspec::bench {
namespace {

// Types that a reorder copies bit for bit. None for 8 bytes and for 3, 6 and 12.
dnnl::memory::data_type type_of(std::uint16_t bench_case) {
  switch (bench_case) {
    case 1: return dnnl::memory::data_type::u8;
    case 2: return dnnl::memory::data_type::bf16;
    case 4: return dnnl::memory::data_type::f32;
    default: return dnnl::memory::data_type::undef;
  }
}

struct Reorder {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::memory from, to;
  dnnl::reorder reorder;

  Reorder(const Trial& trial, dnnl::memory::data_type type)
      : from({trial.bench_case.shape, type, trial.bench_case.from}, engine, const_cast<std::byte*>(trial.from)),
        to({trial.bench_case.shape, type, trial.bench_case.to}, engine, trial.to),
        reorder(from, to) {}
};

}  // namespace

void add_onednn(const Trial& trial, std::vector<Implementation>& all, std::vector<std::string>& notes) {
  // oneDNN uses OpenMP threads. The library is loaded with oneDNN, but this program is not linked with it.
  using SetThreads = void (*)(int);
  if (const auto set = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"))) set(trial.threads);
  const dnnl_version_t& version = *dnnl_version();
  notes.push_back("oneDNN " + std::to_string(version.major) + "." + std::to_string(version.minor));
  const auto type = type_of(trial.bench_case.element_size);
  if (type == dnnl::memory::data_type::undef) return;
  try {
    const auto work = std::make_shared<Reorder>(trial, type);
    all.push_back({"onednn", false, false, [work](int times) {
                     for (int i = 0; i < times; ++i) {
                       work->reorder.execute(work->stream, work->from, work->to);
                       work->stream.wait();
                     }
                   }});
  } catch (const dnnl::error&) {  // unsupported layout
  }
}

}  // namespace dlspec::bench

#endif
