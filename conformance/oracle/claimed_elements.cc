#include <dlspec/conformance/oracle/claimed_elements.h>

#include <algorithm>
#include <vector>

#include <dlspec/conformance/oracle/struct_outcomes.h>
#include <dlspec/conformance/platform/memory.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/validate/validate.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

bool holds(const OwnMemory& memory, std::uint64_t address, std::span<const std::uint8_t> wanted) {
  std::vector<std::uint8_t> found(wanted.size());
  return memory.copy(address, found) && std::equal(found.begin(), found.end(), wanted.begin());
}

// Whether index (0, ..., 0) and all later ones, in C order, lead to these elements. Extents and strides can be read,
// the elements are whole bytes; sums wrap as addresses do.
bool leads_to(const abi::Tensor& tensor, std::span<const std::uint8_t> contents) {
  const std::size_t size = item_size(tensor.dtype);
  const std::uint64_t first = reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.byte_offset;
  const OwnMemory memory;
  std::vector<std::int64_t> index(static_cast<std::size_t>(tensor.ndim));
  for (std::size_t start = 0; start + size <= contents.size(); start += size) {
    std::uint64_t address = first;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      address += static_cast<std::uint64_t>(index[axis]) * static_cast<std::uint64_t>(tensor.strides[axis]) * size;
    }
    if (!holds(memory, address, contents.subspan(start, size))) return false;
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < tensor.shape[axis]) break;
      index[axis] = 0;
    }
  }
  return true;
}

bool is_constant(std::uint64_t address) {
  std::uint8_t byte = 0;
  return !may_be_written(address) && OwnMemory().copy(address, {&byte, 1});
}

// Whether the first or the last byte of the elements lies in memory that a consumer cannot write, and nothing says so.
bool lies_in_constants(const Exported& exported, const Findings& findings) {
  if (exported.generation() != Generation::versioned || !contents_readable(findings)) return false;
  const abi::Tensor& tensor = exported.tensor();
  if ((exported.versioned().flags & flags::read_only) != 0 || tensor.device.device_type != kDLCPU) return false;
  const auto span = reference::byte_span(reference::Axes(tensor), tensor.byte_offset, tensor.dtype);
  if (!span || span->size() == 0 || tensor.data == nullptr) return false;
  const std::uint64_t data = reinterpret_cast<std::uintptr_t>(tensor.data);
  return is_constant(data + static_cast<std::uint64_t>(span->begin)) ||
         is_constant(data + static_cast<std::uint64_t>(span->end) - 1);
}

// As reference::validate, with what the elements tell of the strides.
Findings with_elements(const Exported& exported, const Origin* origin, std::span<const std::uint8_t> contents) {
  const Findings findings = reference::validate(exported, origin);
  if (contents.empty() || !findings.contains(RuleId::tensor_strides_unit)) return findings;
  // The finding says that extents, strides and dtype can be read and are those of the origin.
  if (!leads_to(exported.tensor(), contents)) return findings;
  Layout layout = *origin->layout;
  layout.strides.reset();
  Origin unstrided = *origin;
  unstrided.layout = &layout;
  return reference::validate(exported, &unstrided);
}

}  // namespace

Findings validate_by_elements(const Exported& exported, const Origin* origin, std::span<const std::uint8_t> contents) {
  Findings findings = with_elements(exported, origin, contents);
  if (origin == nullptr || origin->read_only != Known::unknown) return findings;
  if (!lies_in_constants(exported, findings)) return findings;
  Origin constant = *origin;
  constant.read_only = Known::yes;
  return with_elements(exported, &constant, contents);
}

}  // namespace dlspec::conformance
