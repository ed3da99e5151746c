#include <dlspec/optimized/cuda/testing/emulated_rearranger.h>

#include <algorithm>

#include <dlspec/optimized/cuda/schedule/schedule.h>
#include <dlspec/reference/rearrange/rearrange.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::cuda::testing {
namespace {

constexpr std::size_t margin = 128;  // bytes on both sides of an operand
constexpr std::uint8_t untouched = 0xA5;

std::size_t size_of(const ByteRange& range) { return static_cast<std::size_t>(range.end - range.begin); }

// The first multiple of 128 in a buffer that has a margin and as much to spare.
std::uint8_t* aligned(std::vector<std::uint8_t>& bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
  return bytes.data() + ((address + margin + 127) / 128 * 128 - address);
}

reference::Axes axes(const optimized::testing::Numbers& shape, const optimized::testing::Numbers& strides) {
  return {shape, strides.data()};
}

}  // namespace

std::string EmulatedRearranger::run(const Rearrangement& copy, std::uint8_t* to, const std::uint8_t* from,
                                    std::uint64_t seed) {
  CudaPlan other;
  const CudaPlan* plan = nullptr;
  const Status status =
      select_plan(copy, reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from), other, plan);
  if (status != Status::ok) return std::string("select_plan: ") + describe(status);
  if (plan == nullptr) return "";
  return run_plan(*plan, copy, to, from, seed);
}

std::string EmulatedRearranger::run_through_shared(const Rearrangement& copy, std::uint8_t* to,
                                                   const std::uint8_t* from, std::uint64_t seed) {
  const auto address_of = [](const std::uint8_t* first, std::int64_t start) {
    return alignment_of(reinterpret_cast<std::uintptr_t>(first + start));
  };
  CudaPlan plan;
  const Alignment alignment{address_of(to, copy.geometry.to_start), address_of(from, copy.geometry.from_start)};
  const Status status = schedule(copy.geometry, alignment, plan, Preference::shared_tile);
  if (status != Status::ok) return std::string("schedule: ") + describe(status);
  return run_plan(plan, copy, to, from, seed);
}

std::string EmulatedRearranger::run_plan(CudaPlan plan, const Rearrangement& copy, std::uint8_t* to,
                                         const std::uint8_t* from, std::uint64_t seed) {
  if (!is_launchable(plan)) return "a plan that no GPU launches";
  if (always_wide_) plan.wide = 1;
  last_ = plan.kernel;
  ++runs_[static_cast<std::size_t>(plan.kernel)];
  BufferMemory memory(to + copy.geometry.to_start, from + copy.geometry.from_start);
  emulator_.clear_faults();
  if (!emulator_.run(plan, memory, seed)) return "no kernel";
  const Faults& faults = emulator_.faults();
  std::string where = std::string(", ") + name_of(plan.kernel) + " of width " + std::to_string(plan.width);
  if (faults.all() != 0) return std::to_string(faults.all()) + " faults, first: " + faults.first + where;
  if (memory.bytes_written() != copy.geometry.bytes) {
    return std::to_string(memory.bytes_written()) + " bytes written of " + std::to_string(copy.geometry.bytes) + where;
  }
  return compare_buffers(to);
}

std::string EmulatedRearranger::compare_buffers(const std::uint8_t* to) const {
  if (destination_ != expected_) {
    const auto at = std::mismatch(expected_.begin(), expected_.end(), destination_.begin()).first - expected_.begin();
    return std::string("differs at byte ") + std::to_string(at - (to - destination_.data())) + ", " + name_of(last_);
  }
  return source_ == painted_ ? "" : "source written";
}

std::string EmulatedRearranger::difference(const Pair& pair, Shift shift, std::uint64_t seed) {
  const View to(pair.dtype, pair.shape, pair.to.data()), from(pair.dtype, pair.shape, pair.from.data());
  ByteRange to_range, from_range;
  if (byte_range(to, to_range) != Status::ok || byte_range(from, from_range) != Status::ok) return "";
  source_.resize(size_of(from_range) + 4 * margin);
  destination_.resize(size_of(to_range) + 4 * margin);
  // A prime period reveals swapped pieces.
  for (std::size_t i = 0; i < source_.size(); ++i) source_[i] = static_cast<std::uint8_t>(i % 251 + 1);
  painted_ = source_;
  std::fill(destination_.begin(), destination_.end(), untouched);
  expected_ = destination_;
  std::uint8_t* const to_data = aligned(destination_) + shift.to - to_range.begin;
  const std::uint8_t* const from_data = aligned(source_) + shift.from - from_range.begin;
  const Status expected =
      reference::rearrange({pair.dtype, axes(pair.shape, pair.to), expected_.data() + (to_data - destination_.data())},
                           {pair.dtype, axes(pair.shape, pair.from), from_data});
  ++compared_;
  Rearrangement copy;
  const Status status = make_plan(to, from, copy);
  if (status != expected) {
    return pair.text() + ": " + describe(status) + ", but the reference: " + describe(expected);
  }
  if (status != Status::ok) {
    ++refused_;
    return "";
  }
  last_ = Kernel::none;
  std::string fault = run(copy, to_data, from_data, seed);
  if (fault.empty() && last_ == Kernel::direct && compared_ % through_shared_every_ == 0) {
    std::fill(destination_.begin(), destination_.end(), untouched);
    fault = run_through_shared(copy, to_data, from_data, seed);
  }
  if (fault.empty()) return "";
  return pair.text() + " shifted by " + std::to_string(shift.to) + " and " + std::to_string(shift.from) + ": " + fault;
}

}  // namespace dlspec::optimized::cuda::testing
