// Native producers that are odd and conform: the builtin one with its exports laid out anew, each a freedom that
// dlpack.h leaves. The whole plan finds nothing.
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/worker/native/native_worker.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/reference/rearrange/gather.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

// Memory for arrays that are laid out anew: as many as the plan has alive together, and no more, because what an
// export leaves behind is counted.
constexpr std::size_t slot_size = std::size_t{1} << 17;
constexpr std::size_t slots = 512;  // more than a case keeps alive
alignas(256) std::array<std::array<std::uint8_t, slot_size>, slots> arena;
std::size_t next_slot = 0;

// Strides that replace the compact ones; they are changed in place.
using Relayout = void (*)(abi::Tensor&);

void multiply(abi::Tensor& tensor, std::int64_t factor) {
  for (std::int32_t axis = 0; axis < tensor.ndim; ++axis) tensor.strides[axis] *= factor;
}

// Bytes between the rows of a matrix, and what they are part of.
void pad_rows(abi::Tensor& tensor) {
  std::int64_t step = 1;
  for (std::int32_t axis = tensor.ndim; axis-- > 0;) {
    tensor.strides[axis] = step;
    step = step * tensor.shape[axis] + 3;
  }
}

void column_major(abi::Tensor& tensor) {
  std::int64_t step = 1;
  for (std::int32_t axis = 0; axis < tensor.ndim; ++axis) {
    tensor.strides[axis] = step;
    step *= tensor.shape[axis];
  }
}

void backwards(abi::Tensor& tensor) { multiply(tensor, -1); }
template <std::int64_t factor>
void spread(abi::Tensor& tensor) {
  multiply(tensor, factor);
}

// Only axes of one element get them.
template <std::int64_t stride>
void meaningless(abi::Tensor& tensor) {
  for (std::int32_t axis = 0; axis < tensor.ndim; ++axis) {
    if (tensor.shape[axis] == 1) tensor.strides[axis] = stride;
  }
}

struct OddRow {
  const char* name;
  Relayout relayout;          // of arrays for which nobody ordered strides; NULL: as they are
  std::uint64_t byte_offset;  // by which data lies in front of the first element
  std::size_t shift;          // of the first byte behind a multiple of 256
  std::uint32_t minor;        // of the version
  bool null_strides;          // where the struct and its version allow them
};

constexpr OddRow rows[] = {
    {"padded rows", pad_rows, 0, 0, 3, false},
    {"every second element", spread<2>, 0, 0, 3, false},
    {"every fourth element", spread<4>, 0, 0, 3, false},
    {"every eighth element", spread<8>, 0, 0, 3, false},
    {"every sixteenth element", spread<16>, 0, 0, 3, false},
    {"column-major", column_major, 0, 0, 3, false},
    {"all axes reversed", backwards, 0, 0, 3, false},
    {"huge strides of axes of one element", meaningless<std::int64_t{1} << 62>, 0, 0, 3, false},
    {"negative strides of axes of one element", meaningless<-(std::int64_t{1} << 62)>, 0, 0, 3, false},
    {"data in front of the elements", nullptr, 4096, 0, 3, false},
    {"data behind no boundary", spread<1>, 0, 1, 3, false},
    {"version 1.0", nullptr, 0, 0, 0, false},
    {"version 1.1", nullptr, 0, 0, 1, false},
    {"version 1.2", nullptr, 0, 0, 2, false},
    {"NULL strides in version 1.0", nullptr, 0, 0, 0, true},
    {"NULL strides in version 1.1, data in front", nullptr, 64, 0, 1, true},
};

const OddRow* row = nullptr;  // of the producer under test

// The offset of an index in elements, and the next index in C order.
std::int64_t offset_of(const abi::Tensor& tensor, std::vector<std::int64_t>& index) {
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * tensor.strides[axis];
  for (std::size_t axis = index.size(); axis-- > 0;) {
    if (++index[axis] < tensor.shape[axis]) break;
    index[axis] = 0;
  }
  return offset;
}

// Puts the elements where the row's strides say, into memory of the arena.
void lay_out(abi::Tensor& tensor) {
  std::vector<std::uint8_t> contents;
  const std::size_t size = item_size(tensor.dtype);
  if (size == 0 || reference::gather(tensor, false, contents, slot_size / 32) != Status::ok || contents.empty()) return;
  row->relayout(tensor);
  std::uint8_t* const first = arena[next_slot++ % slots].data() + slot_size / 2 + row->shift;
  std::vector<std::int64_t> index(static_cast<std::size_t>(tensor.ndim));
  for (std::size_t place = 0; place < contents.size(); place += size) {
    const auto offset = offset_of(tensor, index) * static_cast<std::int64_t>(size);
    std::memcpy(first + offset, contents.data() + place, size);
  }
  tensor.data = first;
  tensor.byte_offset = 0;
}

int make_odd(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  if (row->minor == 0 && spec->code > kDLBool) {
    *reason = "version 1.0 has no such dtype";
    return DLSPEC_UNSUPPORTED;
  }
  const int status = builtin_plugin()->make(spec, generation, exported, reason);
  if (status != DLSPEC_OK) return status;
  abi::Tensor& tensor = managed_tensor(exported_struct(*exported, generation));
  if (row->relayout != nullptr && spec->strides == nullptr) lay_out(tensor);
  if (tensor.data != nullptr) {
    tensor.data = static_cast<char*>(tensor.data) - row->byte_offset;
    tensor.byte_offset += row->byte_offset;
  }
  if (generation == DLSPEC_VERSIONED) static_cast<abi::v1::ManagedTensor*>(*exported)->version.minor = row->minor;
  if (row->null_strides && spec->strides == nullptr) tensor.strides = nullptr;
  return status;
}

// Each row is asked a sixteenth of the plan, the next one another one; `dlspec run` asks a plug-in all of it.
TEST(OddProducers, AreNotBlamed) {
  constexpr std::size_t parts = 16;
  Selection selection;
  selection.kind = SubjectKind::plugin;
  selection.roles = {Role::producer};
  const std::vector<Case> plan = make_plan(selection);
  ASSERT_FALSE(plan.empty());
  DlspecPlugin plugin = *builtin_plugin();
  plugin.make = make_odd;
  std::size_t part = 0;
  for (const OddRow& each : rows) {
    row = &each;
    std::size_t passed = 0;
    part = (part + 1) % parts;
    for (std::size_t i = part; i < plan.size(); i += parts) {
      const Case& work = plan[i];
      for (const auto& [id, outcome] : answer_case(plugin, work).outcomes) {
        const bool blamed =
            outcome.kind == Outcome::Kind::violated && outcome.verdict.value_or(Verdict::fail) <= Verdict::warn;
        EXPECT_FALSE(blamed) << each.name << ", " << work.id << " " << rule(id).id << ": " << outcome.observed;
        if (outcome.kind == Outcome::Kind::pass) ++passed;
      }
    }
    EXPECT_GT(passed, plan.size() / parts) << each.name;
  }
}

}  // namespace
}  // namespace dlspec::conformance
