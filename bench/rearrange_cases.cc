#include "rearrange_cases.h"

#include <sys/mman.h>

#include <fstream>
#include <new>

#include <nlohmann/json.hpp>

namespace dlspec::bench {
namespace {

bool huge_pages = false;

std::size_t buffer_elements(const RearrangeCase& bench_case, const std::vector<std::int64_t>& strides,
                            std::int64_t offset) {
  std::int64_t last = offset;
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    if (strides[axis] > 0) last += (bench_case.shape[axis] - 1) * strides[axis];
  }
  return static_cast<std::size_t>((last + 1) * bench_case.element_size);
}

}  // namespace

std::int64_t RearrangeCase::bytes() const {
  std::int64_t count = element_size;
  for (const std::int64_t extent : shape) count *= extent;
  return count;
}

std::size_t RearrangeCase::to_size() const { return buffer_elements(*this, to, to_offset); }
std::size_t RearrangeCase::from_size() const { return buffer_elements(*this, from, from_offset); }

std::vector<RearrangeCase> read_cases(const std::string& path) {
  std::ifstream file(path);
  file.exceptions(std::ios::failbit | std::ios::badbit);
  std::vector<RearrangeCase> cases;
  const nlohmann::json document = nlohmann::json::parse(file);
  for (const auto& row : document.at("cases")) {
    RearrangeCase bench_case;
    bench_case.name = row.at("name");
    bench_case.group = row.at("class");
    bench_case.core = row.at("core");
    bench_case.element_size = row.at("item");
    row.at("shape").get_to(bench_case.shape);
    row.at("to").get_to(bench_case.to);
    row.at("from").get_to(bench_case.from);
    bench_case.to_offset = row.value("to_offset", 0);
    bench_case.from_offset = row.value("from_offset", 0);
    if (row.contains("goal")) bench_case.goal[0] = row["goal"][0], bench_case.goal[1] = row["goal"][1];
    cases.push_back(bench_case);
  }
  return cases;
}

namespace {

// Bytes of unmapped guard on both sides of a buffer. If one thread's destination follows its neighbour's source
// directly, the hardware prefetcher reads beyond the source and takes cache lines from the thread that writes them: up
// to a third of the time, depending on where the buffers are.
std::size_t gap_beside() { return huge_pages ? std::size_t{1} << 21 : std::size_t{1} << 16; }

}  // namespace

void Unmap::operator()(std::byte* memory) const { munmap(memory - gap, size + 2 * gap); }

void use_huge_pages(bool wanted) { huge_pages = wanted; }

Memory allocate(std::size_t size) {
  const std::size_t page = huge_pages ? std::size_t{1} << 21 : 4096, apart = gap_beside();
  size = (size + page - 1) / page * page;
  void* const all = mmap(nullptr, size + 2 * apart, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  Memory memory(static_cast<std::byte*>(all) + apart, Unmap{size, apart});
  if (mprotect(memory.get(), size, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  if (huge_pages) madvise(memory.get(), size, MADV_HUGEPAGE);
  return memory;
}

}  // namespace dlspec::bench
