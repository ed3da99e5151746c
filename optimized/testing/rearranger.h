// Holds every engine against the reference: one rearrangement is carried out by the reference and in every way
// that this machine has, between buffers with guard pages, and everything is compared: the status, the
// destination with its gaps and what lies around it, and that the source is as it was.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/rearrange.h>
#include <dlspec/reference/testing/guarded_buffer.h>
#include <dlspec/vocabulary/abi.h>

namespace dlspec::optimized::testing {

using Numbers = std::vector<std::int64_t>;

// A rearrangement between two buffers of its own. Strides count elements.
struct Pair {
  abi::DataType dtype;
  Numbers shape;
  Numbers to;
  Numbers from;

  // "float32 (2,3) to (3,1) from (1,2)"
  [[nodiscard]] std::string text() const;
};

// A way of carrying it out: a row for every engine that the processor has, some with options that make small copies go
// the ways of large ones.
struct Way {
  std::string name;
  PlanOptions options;
};
[[nodiscard]] const std::vector<Way>& ways();

// Where the memory of both sides ends or begins: so many bytes away from a guard page.
struct Placement {
  bool at_end;
  std::size_t to_shift;
  std::size_t from_shift;
};
[[nodiscard]] const std::vector<Placement>& placements();

class Rearranger {
 public:
  // For pairs of which each side reaches over at most so many bytes.
  explicit Rearranger(std::size_t capacity);

  // Empty, or what differed: the pair, the way, the placement, and the first difference. Pairs that do not fit count as
  // equal.
  [[nodiscard]] std::string difference(const Pair& pair);
  // In these placements only.
  [[nodiscard]] std::string difference(const Pair& pair, const std::vector<Placement>& places);

  // How many copies have been compared: for tests to show that they do something.
  [[nodiscard]] std::int64_t compared() const { return compared_; }
  // How many of these were refused, by every engine as by the reference.
  [[nodiscard]] std::int64_t refused() const { return refused_; }

 private:
  struct Side;
  [[nodiscard]] std::string compare(const Pair& pair, const Way& way, const std::vector<Placement>& places);
  [[nodiscard]] std::string compare_at(const Plan& plan, const Side& to, const Side& from, const Placement& place);
  [[nodiscard]] bool expect(const Pair& pair);

  dlspec::testing::GuardedBuffer to_;
  dlspec::testing::GuardedBuffer from_;
  std::vector<std::uint8_t> painted_;   // what the source holds, counted from its first byte
  std::vector<std::uint8_t> expected_;  // the destination as the reference leaves it
  Status status_ = Status::ok;          // what the reference says
  ByteRange to_range_;
  ByteRange from_range_;
  std::int64_t compared_ = 0;
  std::int64_t refused_ = 0;
};

}  // namespace dlspec::optimized::testing
