#include <dlspec/optimized/testing/agreement.h>

#include <cstdint>
#include <sstream>

#include <dlspec/optimized/validate/validate.h>
#include <dlspec/reference/descriptor/describe.h>
#include <dlspec/reference/descriptor/text.h>
#include <dlspec/reference/validate/validate.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::testing {
namespace {

bool is_aligned(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 8 == 0; }

std::string list(const std::int64_t* numbers, std::int32_t count) {
  if (numbers == nullptr) return "NULL";
  if (!is_aligned(numbers)) return "misaligned";
  if (count < 0 || count > 64) return "not read";
  std::ostringstream text;
  text << '(';
  for (std::int32_t i = 0; i < count; ++i) text << (i == 0 ? "" : ",") << numbers[i];
  text << ')';
  return text.str();
}

void describe(std::ostream& out, const abi::Tensor& tensor) {
  out << "code " << +tensor.dtype.code << " bits " << +tensor.dtype.bits << " lanes " << tensor.dtype.lanes
      << " device_type " << tensor.device.device_type << " device_id " << tensor.device.device_id << "\n    ndim "
      << tensor.ndim << " shape " << list(tensor.shape, tensor.ndim) << " strides " << list(tensor.strides, tensor.ndim)
      << "\n    data " << tensor.data << " byte_offset " << tensor.byte_offset << '\n';
}

const char* name(Known known) { return known == Known::unknown ? "unknown" : known == Known::yes ? "yes" : "no"; }

void describe(std::ostream& out, const Origin& origin) {
  out << "  source: read_only " << name(origin.read_only) << ", copied " << name(origin.copied) << ", padded "
      << origin.padded << std::hex << ", memory 0x" << origin.allocation_begin << " to 0x" << origin.allocation_end
      << std::dec << '\n';
  if (origin.layout == nullptr) return;
  const Layout& layout = *origin.layout;
  const auto rank = static_cast<std::int32_t>(layout.shape.size());
  out << "    " << dtype_name(layout.dtype) << ' ' << list(layout.shape.data(), rank) << " strides "
      << list(layout.strides ? layout.strides->data() : nullptr, rank) << '\n';
}

}  // namespace

std::string describe(const Exported& exported, const Origin* origin) {
  std::ostringstream out;
  const bool versioned = exported.generation() == Generation::versioned;
  out << "  struct: " << (versioned ? "versioned" : exported.generation() == Generation::legacy ? "legacy" : "bare");
  if (exported.object() == nullptr || !is_aligned(exported.object())) {
    out << " at " << exported.object() << '\n';
    return out.str();
  }
  if (versioned) {
    const abi::v1::ManagedTensor& managed = exported.versioned();
    out << ' ' << managed.version.major << '.' << managed.version.minor << std::hex << " flags 0x" << managed.flags
        << std::dec << (managed.deleter == nullptr ? " deleter NULL" : "");
  }
  if (exported.generation() == Generation::legacy && exported.legacy().deleter == nullptr) out << " deleter NULL";
  out << "\n    ";
  if (!versioned || exported.versioned().version.major == 1) {
    if (exported.tensor().ndim <= 64) out << reference::print_text(reference::describe(exported)) << "\n    ";
    describe(out, exported.tensor());
  }
  if (origin != nullptr) describe(out, *origin);
  return out.str();
}

std::string describe(const Findings& findings) {
  std::ostringstream out;
  for (const Finding& finding : findings) {
    out << "    " << rule(finding.rule).id << " variant " << +finding.variant << " axis " << finding.axis << " value "
        << finding.value << " other " << finding.other << ": " << observed_text(finding) << '\n';
  }
  return findings.empty() ? "    none\n" : out.str();
}

std::string disagreement(const Exported& exported, const Origin* origin) {
  const Findings expected = reference::validate(exported, origin);
  const Findings actual = validate(exported, origin);
  if (expected == actual) return "";
  return describe(exported, origin) + "  reference:\n" + describe(expected) + "  optimized:\n" + describe(actual);
}

}  // namespace dlspec::optimized::testing
