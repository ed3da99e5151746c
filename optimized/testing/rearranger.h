// Compares every engine with the reference: one rearrangement runs in the reference and in every way that this machine
// supports, between buffers with guard pages. Compared are the status, the destination with its gaps and surroundings,
// and that the source is unchanged.
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

// A way to execute it: one for every available engine, and one for each of its methods, whether or not it is the
// cheapest; some have options that make small copies take the paths of large ones.
struct Way {
  std::string name;
  PlanOptions options;
};
[[nodiscard]] const std::vector<Way>& ways();

// Whether both operands end or begin near a guard page, and how many bytes away.
struct BufferPlacement {
  bool at_end;
  std::size_t to_shift;
  std::size_t from_shift;
};
[[nodiscard]] const std::vector<BufferPlacement>& buffer_placements();

class Rearranger {
 public:
  // For pairs whose operands span at most `capacity` bytes.
  explicit Rearranger(std::size_t capacity);

  // Empty, or the first difference: the pair, the way, the placement, and what differs. Pairs that do not fit count as
  // equal.
  [[nodiscard]] std::string difference(const Pair& pair);
  // In these placements only.
  [[nodiscard]] std::string difference(const Pair& pair, const std::vector<BufferPlacement>& places);

  // Number of copies compared, so that tests can show that they do something.
  [[nodiscard]] std::int64_t compared() const { return compared_; }
  // Number of copies that were left out because the way's method cannot do them.
  [[nodiscard]] std::int64_t left_out() const { return left_out_; }
  // Number of copies compared that were refused, by every engine and by the reference.
  [[nodiscard]] std::int64_t refused() const { return refused_; }

 private:
  struct Operand;
  [[nodiscard]] std::string compare(const Pair& pair, const Way& way, const std::vector<BufferPlacement>& places);
  [[nodiscard]] std::string compare_at(const Plan& plan, const Operand& to, const Operand& from,
                                       const BufferPlacement& place);
  [[nodiscard]] bool expect(const Pair& pair);

  dlspec::testing::GuardedBuffer to_;
  dlspec::testing::GuardedBuffer from_;
  std::vector<std::uint8_t> painted_;   // contents of the source, from its first byte
  std::vector<std::uint8_t> expected_;  // the destination as the reference leaves it
  Status status_ = Status::ok;          // the status that the reference returns
  ByteRange to_range_;
  ByteRange from_range_;
  std::int64_t compared_ = 0;
  std::int64_t left_out_ = 0;
  std::int64_t refused_ = 0;
};

}  // namespace dlspec::optimized::testing
