// Copies by descriptors between drawn layouts: extents, orders, steps, gaps and signs that meet in no ordinary case.
#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/plan/contents.h>
#include <dlspec/conformance/plan/drawn.h>
#include <dlspec/conformance/plan/sequence_generator.h>
#include <dlspec/conformance/worker/native/bridge_calls.h>
#include <dlspec/conformance/worker/native/bridge_copy.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr int draws = 600;
constexpr std::int64_t most_elements = 3000;
constexpr RuleId elements = RuleId::bridge_rearrange_src_any;
constexpr RuleId places = RuleId::bridge_rearrange_untouched_gaps;

bool happens(SequenceRandom& random, std::size_t percent) { return random.below(100) < percent; }

// Below, at and above what fits in registers, and what is left of them.
Numbers draw_shape(SequenceRandom& random) {
  constexpr std::int64_t extents[] = {1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 16, 17, 31, 33, 47, 65, 130};
  Numbers shape;
  std::int64_t count = 1;
  for (std::size_t rank = 1 + random.below(4); shape.size() < rank;) {
    const std::int64_t drawn = extents[random.below(std::size(extents))];
    shape.push_back(count * drawn <= most_elements ? drawn : 2);
    count *= shape.back();
  }
  return shape;
}

// Elements in places of their own; of a source some axes may be repeated.
Layout draw_layout(SequenceRandom& random, abi::DataType dtype, const Numbers& shape, bool is_source) {
  constexpr std::size_t chances[] = {0, 0, 20, 60};
  const std::size_t gap = chances[random.below(4)], negative = chances[random.below(4)] / 2;
  const std::size_t repeated = is_source && happens(random, 20) ? 40 : 0;
  Numbers strides(shape.size());
  std::int64_t step = happens(random, 25) ? 1 + static_cast<std::int64_t>(random.below(5)) : 1;
  std::int64_t before = static_cast<std::int64_t>(random.below(4));  // elements before the first one in memory
  for (const std::size_t axis : draw_order(random, shape.size())) {
    if (happens(random, repeated)) continue;  // its stride stays 0
    const bool is_negative = happens(random, negative);
    strides[axis] = is_negative ? -step : step;
    if (is_negative) before += step * (shape[axis] - 1);
    step *= shape[axis];
    if (happens(random, gap)) step += 1 + static_cast<std::int64_t>(random.below(9));
  }
  return {dtype, shape, strides, static_cast<std::uint64_t>(before) * item_size(dtype)};
}

// By their places, so that repeated elements are alike.
std::vector<std::uint8_t> drawn_contents(const Layout& from) {
  Order order;
  order.dtype = dtype_name(from.dtype);
  order.shape = from.shape;
  order.strides = from.strides;
  order.offset = static_cast<std::int64_t>(from.byte_offset / item_size(from.dtype));
  const std::string contents = order_contents(order, 0);
  return {contents.begin(), contents.end()};
}

std::string pair_text(const Layout& to, const Layout& from) {
  return fmt::format("shape {} from strides {} to strides {}", numbers_text(std::span<const std::int64_t>(to.shape)),
                     numbers_text(std::span<const std::int64_t>(*from.strides)),
                     numbers_text(std::span<const std::int64_t>(*to.strides)));
}

struct Pair {
  Layout to, from;
  std::vector<std::uint8_t> contents;
};

Pair draw_pair(SequenceRandom& random, abi::DataType dtype) {
  const Numbers shape = draw_shape(random);
  Layout to = draw_layout(random, dtype, shape, false), from = draw_layout(random, dtype, shape, true);
  std::vector<std::uint8_t> contents = drawn_contents(from);
  return {std::move(to), std::move(from), std::move(contents)};
}

// Tells what a copy has wrong: under the rule on sources where a compact destination is wrong as well. False where
// something is.
bool judge_copy(const DlspecBridge& bridge, const Pair& drawn, const Copied& copied, NativeAnswer& answer) {
  const auto tell = [&](RuleId rule, const std::string& observed, const char* allowed) {
    answer.set(rule, wrong(pair_text(drawn.to, drawn.from) + observed, allowed));
    return false;
  };
  if (!copied.done && !(copied.difference.empty() && copied.gaps_intact))
    return tell(places, " was refused, and the destination was written to", "a refusal alone");
  if (!copied.gaps_intact)
    return tell(places, ": bytes beside the elements were written", "bytes that keep their value");
  if (!copied.done || copied.difference.empty()) return true;
  const bool of_source =
      !copy(bridge, compact(drawn.to), drawn.from, drawn.contents, Placement::heap).difference.empty();
  return tell(of_source ? elements : places, ": " + copied.difference, "the elements of the source");
}

}  // namespace

void drawn_case(const DlspecBridge& bridge, const NativeCase& asked, NativeAnswer& answer) {
  if (const Copied plain = plain_copy(bridge, asked); !plain.done) return answer.rest_unsupported(plain.reason);
  SequenceRandom random(item_size(asked.layout.dtype));
  std::string reason;
  int done = 0;
  for (int i = 0; i < draws; ++i) {
    const Pair drawn = draw_pair(random, asked.layout.dtype);
    const Copied copied =
        copy(bridge, drawn.to, drawn.from, drawn.contents, i % 8 == 0 ? Placement::end : Placement::heap);
    if (!copied.problem.empty()) continue;
    if (!judge_copy(bridge, drawn, copied, answer)) return answer.rest_blocked("by the copies of this case");
    done += copied.done ? 1 : 0;
    if (!copied.done) reason = copied.reason;
  }
  if (done == 0) return answer.rest_unsupported(reason);
  answer.rest_pass();
}

}  // namespace dlspec::conformance
