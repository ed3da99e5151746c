// With which status a bridge refuses what cannot be described or copied, and which of several faults decides.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <span>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/worker/native/bridge_calls.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/infini.h>

namespace dlspec::conformance {
namespace {

enum class IfTaken : std::uint8_t { violated, open };

struct StatusFault {
  unsigned bit;
  InfiniStatus status;
  IfTaken taken;
  const char* what;
};

enum DescriptionFault : unsigned {
#define DLSPEC_DESCRIPTION_FAULT(name, ...) name##_at,
#define DLSPEC_COPY_FAULT(...)
#include <dlspec/conformance/worker/native/bridge_statuses.def>
#undef DLSPEC_DESCRIPTION_FAULT
#undef DLSPEC_COPY_FAULT
};

enum CopyFault : unsigned {
#define DLSPEC_DESCRIPTION_FAULT(...)
#define DLSPEC_COPY_FAULT(name, ...) name##_at,
#include <dlspec/conformance/worker/native/bridge_statuses.def>
#undef DLSPEC_DESCRIPTION_FAULT
#undef DLSPEC_COPY_FAULT
};

constexpr StatusFault description_faults[] = {
#define DLSPEC_DESCRIPTION_FAULT(name, status, taken, what) \
  {1u << name##_at, InfiniStatus::status, IfTaken::taken, what},
#define DLSPEC_COPY_FAULT(...)
#include <dlspec/conformance/worker/native/bridge_statuses.def>
#undef DLSPEC_DESCRIPTION_FAULT
#undef DLSPEC_COPY_FAULT
};

constexpr StatusFault copy_faults[] = {
#define DLSPEC_DESCRIPTION_FAULT(...)
#define DLSPEC_COPY_FAULT(name, status, taken, what) {1u << name##_at, InfiniStatus::status, IfTaken::taken, what},
#include <dlspec/conformance/worker/native/bridge_statuses.def>
#undef DLSPEC_DESCRIPTION_FAULT
#undef DLSPEC_COPY_FAULT
};

bool has(unsigned faults, unsigned at) { return (faults & 1u << at) != 0; }

// What came of a call: the status of its refusal, success where it was taken, nothing where it was refused without one.
using Answered = std::optional<int>;
constexpr int success = static_cast<int>(InfiniStatus::success);

Answered answered(bool done, int status) {
  if (done) return success;
  return status > 0 ? Answered(status) : std::nullopt;
}

// A good description with these faults in it.
Answered describe_with(const DlspecBridge& bridge, unsigned faults) {
  const std::size_t rank = has(faults, rank_at) ? 65 : 2;
  Description description({kDLFloat, 32, 1}, std::vector<std::size_t>(rank, 2), std::vector<std::ptrdiff_t>(rank, 1));
  if (rank > 2) description.shape.assign(rank, 1);
  if (has(faults, extents_at)) description.shape[0] = description.shape[1] = std::size_t{1} << 62;
  if (has(faults, strides_at)) description.shape[0] = std::max<std::size_t>(description.shape[0], 3);
  if (has(faults, strides_at)) description.strides->front() = PTRDIFF_MAX;
  if (has(faults, dtype_at)) description.dtype = {kDLOpaqueHandle, 64, 1};
  DlspecDescription plain = description.plain();
  if (has(faults, shape_null_at)) plain.shape = nullptr;
  const Handle handle(bridge, plain);
  return answered(handle.made(), handle.status());
}

// A good copy with these faults in it. Both memories are large enough for whatever is read or written.
Answered copy_with(const DlspecBridge& bridge, unsigned faults) {
  std::array<std::uint64_t, 64> to{}, from{};
  Description target({kDLFloat, 32, 1}, {3, 4}, {{4, 1}});
  Description source = target;
  if (has(faults, other_dtype_at)) source.dtype = {kDLInt, 32, 1};
  if (has(faults, other_shape_at)) source.shape = {4, 3};
  if (has(faults, repeated_at)) target.strides = {{0, 1}};
  const Handle to_handle(bridge, target), from_handle(bridge, source);
  if (!to_handle.made()) return answered(false, to_handle.status());
  if (!from_handle.made()) return std::nullopt;
  const BridgeAnswer answer =
      rearrange_by(bridge, to_handle, has(faults, no_data_at) ? nullptr : to.data(), from_handle, from.data());
  return answered(answer.done(), answer.refusal.status);
}

// The calls that can be given faults.
struct FaultyCall {
  std::span<const StatusFault> faults;
  Answered (*make)(const DlspecBridge& bridge, unsigned faults);
};
constexpr FaultyCall calls[] = {{description_faults, describe_with}, {copy_faults, copy_with}};

std::string status_text(int status) {
  for (const InfiniStatusRow& row : infini_status_table) {
    if (static_cast<int>(row.value) == status) return row.spelling;
  }
  return fmt::format("status {}", status);
}

bool is_refusal(Answered status) { return status && *status != success; }

// Nothing about NULL is asked where refusals have no status.
bool has_statuses(const DlspecBridge& bridge, const FaultyCall& call) {
  return std::any_of(call.faults.begin(), call.faults.end(), [&](const StatusFault& fault) {
    return fault.status != InfiniStatus::null_pointer && is_refusal(call.make(bridge, fault.bit));
  });
}

// Statuses compared so far: whether any, and which were wrong.
struct StatusComparison {
  std::string violated;
  bool decided = false;

  void add(bool right, const std::string& sentence) {
    decided = true;
    if (!right) violated += (violated.empty() ? "" : "; ") + sentence;
  }
  [[nodiscard]] Outcome outcome(const char* allowed) const {
    if (!violated.empty()) return {Outcome::Kind::violated, violated, allowed, {}};
    return decided
               ? Outcome{}
               : Outcome{Outcome::Kind::unsupported, "refusals have no InfiniOP status, or one for everything", {}, {}};
  }
};

void each_status(const DlspecBridge& bridge, const FaultyCall& call, StatusComparison& comparison) {
  for (const StatusFault& fault : call.faults) {
    const Answered status = call.make(bridge, fault.bit);
    if (!status || (*status == success && fault.taken == IfTaken::open)) continue;
    const int wanted = static_cast<int>(fault.status);
    comparison.add(*status == wanted,
                   fmt::format("{}: {} instead of {}", fault.what, status_text(*status), status_text(wanted)));
  }
}

// Two faults at once, where each alone is refused, with another status: the first one's is expected.
void each_pair(const DlspecBridge& bridge, const FaultyCall& call, StatusComparison& comparison) {
  for (const StatusFault& one : call.faults) {
    for (const StatusFault& other : call.faults) {
      const Answered alone = call.make(bridge, one.bit), later = call.make(bridge, other.bit);
      if (one.bit >= other.bit || !is_refusal(alone) || !is_refusal(later) || *alone == *later) continue;
      const Answered both = call.make(bridge, one.bit | other.bit);
      if (!both) continue;
      comparison.add(*both == *alone, fmt::format("{} and {}: {} instead of {}", one.what, other.what,
                                                  status_text(*both), status_text(*alone)));
    }
  }
}

void judge_calls(const DlspecBridge& bridge, NativeAnswer& answer,
                 void (*judge)(const DlspecBridge&, const FaultyCall&, StatusComparison&), const char* allowed) {
  StatusComparison comparison;
  // What is no fault is no refusal either: otherwise a status says nothing.
  for (const FaultyCall& call : calls) {
    if (call.make(bridge, 0) == success && has_statuses(bridge, call)) judge(bridge, call, comparison);
  }
  answer.rest(comparison.outcome(allowed));
}

}  // namespace

void statuses_case(const DlspecBridge& bridge, const NativeCase&, NativeAnswer& answer) {
  judge_calls(bridge, answer, each_status, "the documented status");
}

void status_order_case(const DlspecBridge& bridge, const NativeCase&, NativeAnswer& answer) {
  judge_calls(bridge, answer, each_pair, "the status of the first fault in the documented order");
}

}  // namespace dlspec::conformance
