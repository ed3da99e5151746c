#include "gpu_copies.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <limits>

namespace dlspec::bench {
namespace {

namespace cuda = optimized::cuda;

constexpr const char* cccl_library = "libbench_cccl.so";

struct ElementAxis {
  std::int64_t extent, to, from;
};

// The axes in elements, innermost first; at least one.
std::vector<ElementAxis> axes_in_elements(const optimized::Geometry& geometry, std::int64_t element_size) {
  std::vector<ElementAxis> axes;
  if (geometry.run > element_size || geometry.rank == 0) axes.push_back({geometry.run / element_size, 1, 1});
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    const optimized::Axis& axis = geometry.axes[i];
    axes.push_back({axis.extent, axis.to / element_size, axis.from / element_size});
  }
  return axes;
}

bool fits_int32(const std::vector<ElementAxis>& axes) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  std::int64_t count = 1, to = 0, from = 0;
  for (const ElementAxis& axis : axes) {
    count *= axis.extent;
    to += (axis.extent - 1) * axis.to;
    from += (axis.extent - 1) * std::abs(axis.from);
  }
  return std::max({count, to, from}) <= most;
}

}  // namespace

DeviceBuffer::DeviceBuffer(const cuda::LibraryTable& table, std::size_t bytes) : table_(table) {
  if (table.allocate(&memory_, bytes + 2 * margin) != cuda::answer_ok) {
    std::fprintf(stderr, "out of device memory\n");
    std::exit(3);
  }
}

Copy our_copy(const cuda::Rearrangement& plan) {
  return [plan](std::byte* to, const std::byte* from, void* stream) {
    return execute(plan, to, from, stream).launch == cuda::Launch::ok;
  };
}

Cccl::Cccl() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto path = program.parent_path().parent_path() / "lib" / cccl_library;
  void* const opened = error ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) return;
  version_ = reinterpret_cast<CcclVersion>(dlsym(opened, "benchCcclVersion"));
  enqueue_ = reinterpret_cast<CcclEnqueue>(dlsym(opened, "benchCcclEnqueue"));
  if (version_ == nullptr) enqueue_ = nullptr;
}

std::string Cccl::text() const {
  if (!is_there()) {
    return std::string("CCCL: not compared, ") + cccl_library +
           " is not there (its headers were not found, or refused)";
  }
  const int number = version_();
  return "CCCL " + std::to_string(number / 1000000) + "." + std::to_string(number / 1000 % 1000) + "." +
         std::to_string(number % 1000);
}

Copy Cccl::copy(const optimized::Geometry& geometry, std::int64_t element_size) const {
  const std::vector<ElementAxis> axes = axes_in_elements(geometry, element_size);
  const bool has_size = std::find(std::begin(cccl_sizes), std::end(cccl_sizes), element_size) != std::end(cccl_sizes);
  if (!is_there() || !has_size || axes.size() > max_cccl_rank || !fits_int32(axes)) return {};
  CcclCopy copy{static_cast<std::int32_t>(element_size), static_cast<std::int32_t>(axes.size()), {}, {}, {}};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const ElementAxis& axis = axes[axes.size() - 1 - i];
    copy.extents[i] = static_cast<std::int32_t>(axis.extent);
    copy.to[i] = static_cast<std::int32_t>(axis.to);
    copy.from[i] = static_cast<std::int32_t>(axis.from);
  }
  return [copy, to_start = geometry.to_start, from_start = geometry.from_start, enqueue = enqueue_](
             std::byte* to, const std::byte* from, void* stream) {
    return enqueue(&copy, to + to_start, from + from_start, stream) == 0;
  };
}

}  // namespace dlspec::bench
