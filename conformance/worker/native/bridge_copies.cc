// Copies by descriptors: what they read, where they write, and what becomes of the bits.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/oracle/canary_memory.h>
#include <dlspec/conformance/worker/native/bridge_calls.h>
#include <dlspec/conformance/worker/native/bridge_copy.h>
#include <dlspec/reference/descriptor/strided.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

using Bytes = std::vector<std::uint8_t>;

// What every copy may have wrong. True when the case is answered.
bool answer_failed(const Copied& copied, NativeAnswer& answer) {
  if (!copied.problem.empty()) {
    answer.rest({Outcome::Kind::blocked, "dlspec cannot make this tensor: " + copied.problem, {}, {}});
  } else if (!copied.done && !(copied.difference.empty() && copied.gaps_intact)) {
    answer.rest(wrong("refused, and the destination was written to", "a refusal that writes nothing"));
  } else {
    return false;
  }
  return true;
}

// --- a destination in the memory of the source

// As if the source had been read before anything was written, or refused.
Outcome judge_shift(const DlspecBridge& bridge, const NativeCase& asked, std::size_t from_element,
                    std::size_t to_element) {
  const std::size_t item = item_size(asked.layout.dtype);
  const Handle handle(bridge, Description(compact(asked.layout)));
  if (!handle.made()) return {Outcome::Kind::unsupported, handle.reason(), {}, {}};
  Bytes before(asked.bytes.size() + item, 0x11);
  std::copy(asked.bytes.begin(), asked.bytes.end(), before.begin() + static_cast<std::ptrdiff_t>(from_element * item));
  Bytes memory = before, staged = before;
  std::copy(asked.bytes.begin(), asked.bytes.end(), staged.begin() + static_cast<std::ptrdiff_t>(to_element * item));
  const BridgeAnswer answer =
      rearrange_by(bridge, handle, memory.data() + to_element * item, handle, memory.data() + from_element * item);
  const std::string problem = difference(memory, answer.done() ? staged : before);
  if (problem.empty()) return {};
  const std::string allowed = "a refusal, or what a copy by way of other memory gives";
  if (!answer.done()) return wrong("refused, but written: " + problem, allowed);
  return {Outcome::Kind::violated, "copied one element further in its own memory: " + problem, allowed, {}};
}

// --- bits

// The bits of a number's mantissa that is one lane, or one part of a complex number; 0: no floating-point type.
struct Format {
  std::uint32_t bits = 0;
  std::uint32_t mantissa = 0;
};

Format format_of(abi::DataType dtype) {
  constexpr std::uint32_t mantissas[] = {0, 3, 10, 0, 23, 0, 0, 0, 52};  // by bytes; one byte: e4m3
  if (dtype.code == kDLBfloat) return {16, 7};
  const std::uint32_t bits = dtype.code == kDLComplex ? dtype.bits / 2u : dtype.bits;
  if (dtype.code == kDLBool || bits > 64) return {8, 0};
  return {bits, mantissas[bits / 8]};
}

// NaN of many kinds, the negative zero, numbers below the normal ones; of booleans bytes that are neither 0 nor 1.
std::vector<std::uint64_t> unusual_patterns(const Format& format) {
  if (format.mantissa == 0) return {2, 0xFF, 0x80, 0, 0x7E};
  const std::uint64_t sign = std::uint64_t{1} << (format.bits - 1), quiet = std::uint64_t{1} << (format.mantissa - 1);
  const std::uint64_t infinite = (sign - 1) & ~((std::uint64_t{1} << format.mantissa) - 1);
  return {infinite | quiet | 1, infinite | 1, sign | infinite | quiet | 3, sign | infinite | 1, sign, 1, sign | 1,
          infinite | quiet};
}

Bytes unusual_contents(const NativeCase& asked) {
  const Format format = format_of(asked.layout.dtype);
  const std::vector<std::uint64_t> patterns = unusual_patterns(format);
  Bytes contents(asked.bytes.size());
  const std::size_t item = format.bits / 8;
  for (std::size_t at = 0, i = 0; at + item <= contents.size(); at += item, ++i) {
    std::memcpy(contents.data() + at, &patterns[i % patterns.size()], item);  // little-endian, as all of x86-64
  }
  return contents;
}

// Elements of 16 bytes at addresses that are multiples of 8 alone, as malloc may give them: what their parts need.
std::string difference_of_half_aligned(const DlspecBridge& bridge, const NativeCase& asked) {
  if (item_size(asked.layout.dtype) != 16) return "";
  const Handle handle(bridge, Description(compact(asked.layout)));
  if (!handle.made()) return "";
  struct alignas(16) Part {
    std::uint64_t half;
    std::uint64_t other;
  };
  std::vector<Part> from(asked.bytes.size() / sizeof(Part) + 1), to(from.size());
  std::memcpy(&from.front().other, asked.bytes.data(), asked.bytes.size());
  if (!rearrange_by(bridge, handle, &to.front().other, handle, &from.front().other).done()) return "";
  const auto* const first = reinterpret_cast<const std::uint8_t*>(&to.front().other);
  return difference(Bytes(first, first + asked.bytes.size()), asked.bytes);
}

}  // namespace

void source_case(const DlspecBridge& bridge, const NativeCase& asked, NativeAnswer& answer) {
  const Copied copied = copy_everywhere(bridge, compact(asked.layout), asked.layout, asked.bytes);
  if (answer_failed(copied, answer)) return;
  if (copied.done && copied.difference.empty()) {
    const std::string problem = difference_of_half_aligned(bridge, asked);
    return answer.rest(problem.empty() ? Outcome{} : wrong("at addresses of 8 mod 16: " + problem, "the elements"));
  }
  const Copied plain = plain_copy(bridge, asked);
  if (!copied.done && !plain.done) return answer.rest_unsupported(copied.reason);
  if (!copied.done) {
    return answer.rest({Outcome::Kind::violated,
                        "refused, though a compact source is taken: " + copied.reason,
                        "sources of every layout",
                        {}});
  }
  const bool is_compact = !asked.layout.strides;  // then that copy and this one are the same
  if (!is_compact && !plain.difference.empty())
    return answer.rest({Outcome::Kind::blocked, "by the elements of compact copies", {}, {}});
  answer.rest(wrong(copied.difference, "the elements of the source"));
}

// From a compact source, and from one with gaps in the same places.
void gaps_case(const DlspecBridge& bridge, const NativeCase& asked, NativeAnswer& answer) {
  Copied copied = copy_everywhere(bridge, asked.layout, compact(asked.layout), asked.bytes);
  if (copied.done && copied.gaps_intact && copied.difference.empty()) {
    const Copied alike = copy(bridge, asked.layout, asked.layout, asked.bytes, Placement::heap);
    if (alike.done) copied.gaps_intact = alike.gaps_intact;  // its elements are left to bridge.rearrange-src-any
  }
  if (answer_failed(copied, answer)) return;
  if (!copied.done) return answer.rest_unsupported(copied.reason);
  if (!plain_copy(bridge, asked).difference.empty())
    return answer.rest({Outcome::Kind::blocked, "by bridge.rearrange-src-any", {}, {}});
  if (!copied.gaps_intact)
    return answer.rest(wrong("bytes beside the destination's elements were written", "bytes that keep their value"));
  answer.rest(copied.difference.empty() ? Outcome{} : wrong(copied.difference, "the elements of the source"));
}

void overlapping_case(const DlspecBridge& bridge, const NativeCase& asked, NativeAnswer& answer) {
  if (const Copied plain = plain_copy(bridge, asked); !plain.done) return answer.rest_unsupported(plain.reason);
  const Copied copied = copy(bridge, asked.layout, compact(asked.layout), asked.bytes, Placement::heap);
  if (answer_failed(copied, answer)) return;
  if (!copied.done) return answer.rest({});
  answer.rest(
      {Outcome::Kind::violated, "elements of the destination were written on top of each other", "a refusal", {}});
}

void shared_case(const DlspecBridge& bridge, const NativeCase& asked, NativeAnswer& answer) {
  const Copied plain = plain_copy(bridge, asked);
  if (!plain.done) return answer.rest_unsupported(plain.reason);
  if (!plain.difference.empty()) return answer.rest({Outcome::Kind::blocked, "by bridge.rearrange-src-any", {}, {}});
  const Outcome forward = judge_shift(bridge, asked, 0, 1);
  answer.rest(forward.kind == Outcome::Kind::pass ? judge_shift(bridge, asked, 1, 0) : forward);
}

void read_only_case(const DlspecBridge& bridge, const NativeCase& asked, NativeAnswer& answer) {
  const Bytes before = opposite(asked.bytes);
  Bytes memory = before;
  Loan loan(compact(asked.layout), memory.data(), Generation::versioned);
  const Handle source(bridge, Description(compact(asked.layout)));
  if (!source.made()) return answer.rest_unsupported(source.reason());
  if (const Handle writable(bridge, loan, true); !writable.made()) return answer.rest_unsupported(writable.reason());
  // Beside another flag, too: READ_ONLY is one bit of a mask.
  for (const std::uint64_t others : {std::uint64_t{0}, flags::is_copied}) {
    loan.set_flags(flags::read_only | others);
    const Handle marked(bridge, loan, true);
    if (!marked.made()) continue;
    const bool done = rearrange_by(bridge, marked, marked.data(), source, asked.bytes.data()).done();
    const std::string what = others == 0 ? "a tensor that is marked as read-only"
                                         : fmt::format("a tensor with the flags {:#x}", flags::read_only | others);
    if (memory != before) return answer.rest(wrong(what + " was written to", "a refusal"));
    if (done) return answer.rest({Outcome::Kind::violated, what + " was taken as a destination", "a refusal", {}});
  }
  answer.rest_pass();
}

void bits_case(const DlspecBridge& bridge, const NativeCase& asked, NativeAnswer& answer) {
  const Bytes unusual = unusual_contents(asked);
  const Copied ordinary = copy(bridge, compact(asked.layout), asked.layout, asked.bytes, Placement::heap);
  if (!ordinary.done) return answer.rest_unsupported(ordinary.reason);
  if (!ordinary.difference.empty()) return answer.rest({Outcome::Kind::blocked, "by bridge.rearrange-src-any", {}, {}});
  const Copied copied = copy(bridge, compact(asked.layout), asked.layout, unusual, Placement::heap);
  if (answer_failed(copied, answer)) return;
  const std::string observed = copied.done ? copied.difference : "refused for the sake of its values: " + copied.reason;
  answer.rest(copied.done && observed.empty() ? Outcome{} : wrong(observed, "every bit as it was"));
}

}  // namespace dlspec::conformance
