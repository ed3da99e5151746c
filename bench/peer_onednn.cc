// oneDNN as a contestant: a reorder between two strided descriptions.
#include "contestants.h"

#ifdef DLSPEC_BENCH_ONEDNN
#include <dlfcn.h>

#include <dnnl.hpp>

namespace dlspec::bench {
namespace {

// Types that it moves without looking at them. None for 8 bytes, none for odd sizes.
dnnl::memory::data_type type_of(std::uint16_t item) {
  switch (item) {
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
      : from({trial.item.shape, type, trial.item.from}, engine, const_cast<std::byte*>(trial.from)),
        to({trial.item.shape, type, trial.item.to}, engine, trial.to),
        reorder(from, to) {}
};

}  // namespace

void add_onednn(const Trial& trial, std::vector<Contestant>& all, std::vector<std::string>& notes) {
  // Its threads are OpenMP's. That is there when oneDNN is, but not among what this program is linked with.
  using SetThreads = void (*)(int);
  if (const auto set = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"))) set(trial.threads);
  const dnnl_version_t& version = *dnnl_version();
  notes.push_back("oneDNN " + std::to_string(version.major) + "." + std::to_string(version.minor));
  const auto type = type_of(trial.item.item);
  if (type == dnnl::memory::data_type::undef) return;
  try {
    const auto work = std::make_shared<Reorder>(trial, type);
    all.push_back({"onednn", false, false, [work](int times) {
                     for (int i = 0; i < times; ++i) {
                       work->reorder.execute(work->stream, work->from, work->to);
                       work->stream.wait();
                     }
                   }});
  } catch (const dnnl::error&) {  // not a layout that it takes
  }
}

}  // namespace dlspec::bench

#else

namespace dlspec::bench {

void add_onednn(const Trial&, std::vector<Contestant>&, std::vector<std::string>& notes) {
  notes.emplace_back("oneDNN is missing (Debian: libdnnl-dev)");
}

}  // namespace dlspec::bench

#endif
