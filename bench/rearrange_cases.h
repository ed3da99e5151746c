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
  std::string group;  // cases of one kind
  bool core = false;  // one of those that the geometric mean is taken over
  std::uint16_t item = 1;
  std::vector<std::int64_t> shape, to, from;    // strides in items
  std::int64_t to_offset = 0, from_offset = 0;  // where element (0, ..., 0) lies, in items
  std::optional<double> goal[2];                // rate relative to memcpy with one and with two threads

  [[nodiscard]] std::int64_t bytes() const;   // payload
  [[nodiscard]] std::size_t to_size() const;  // bytes that the buffers need
  [[nodiscard]] std::size_t from_size() const;
  [[nodiscard]] optimized::View to_view() const { return {{1, 8, item}, shape, to.data()}; }
  [[nodiscard]] optimized::View from_view() const { return {{1, 8, item}, shape, from.data()}; }
};

// Throws when the file cannot be read.
[[nodiscard]] std::vector<RearrangeCase> read_cases(const std::string& path);

// Page-aligned memory with nothing next to it, freed with the pointer.
struct Unmap {
  std::size_t size = 0;  // bytes, and
  std::size_t gap = 0;   // those before and behind them that are mapped with them
  void operator()(std::byte* memory) const;
};
using Memory = std::unique_ptr<std::byte[], Unmap>;
[[nodiscard]] Memory allocate(std::size_t size);

// Memory allocated from now on shall be in huge pages, as far as the system has them: large arrays of NumPy are, too.
void use_huge_pages(bool wanted);

}  // namespace dlspec::bench
