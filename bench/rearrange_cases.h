// The cases of bench_rearrange: a table in rearrange_cases.json, and memory for one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dlspec/optimized/descriptor/view.h>

namespace dlspec::bench {

struct RearrangeCase {
  std::string name;
  std::string group;  // the class of similar cases
  bool core = false;  // part of the geometric mean over the core cases
  std::uint16_t element_size = 1;
  std::vector<std::int64_t> shape, to, from;    // strides in elements
  std::int64_t to_offset = 0, from_offset = 0;  // of element (0, ..., 0), in elements
  std::optional<double> goal[2];                // rate relative to memcpy with one and with two threads

  [[nodiscard]] std::int64_t bytes() const;   // payload
  [[nodiscard]] std::size_t to_size() const;  // size of the buffers
  [[nodiscard]] std::size_t from_size() const;
  [[nodiscard]] optimized::View to_view() const { return {{1, 8, element_size}, shape, to.data()}; }
  [[nodiscard]] optimized::View from_view() const { return {{1, 8, element_size}, shape, from.data()}; }
};

// Throws if the file cannot be read.
[[nodiscard]] std::vector<RearrangeCase> read_cases(const std::string& path);

// Page-aligned memory between unmapped guards, unmapped with the pointer.
struct Unmap {
  std::size_t size = 0;  // bytes
  std::size_t gap = 0;   // guard bytes on either side
  void operator()(std::byte* memory) const;
};
using Memory = std::unique_ptr<std::byte[], Unmap>;
[[nodiscard]] Memory allocate(std::size_t size);

// Memory allocated from now on uses huge pages if the system has any, as large NumPy arrays do.
void use_huge_pages(bool wanted);

}  // namespace dlspec::bench
