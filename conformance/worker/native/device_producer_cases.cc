// Producers on a GPU. The elements are copied to the host, and judged there as those of the host are.
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <dlspec/conformance/oracle/claimed_elements.h>
#include <dlspec/conformance/oracle/struct_outcomes.h>
#include <dlspec/conformance/worker/native/device_cases.h>
#include <dlspec/conformance/worker/native/gpu.h>
#include <dlspec/conformance/worker/native/native_variants.h>
#include <dlspec/conformance/worker/native/producer_trial.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/validate/validate.h>
#include <dlspec/vocabulary/device.h>

namespace dlspec::conformance {
namespace {

constexpr RuleId pointer = RuleId::device_cuda_pointer_matches, elements = RuleId::tensor_element_address;

std::string ordered_but_exported(abi::Device ordered, abi::Device said) {
  return fmt::format("the array that make() gave for {} is exported from {}", device_text(ordered), device_text(said));
}

// Where the elements of a readable tensor lie; none: there are none of whole bytes.
struct Extent {
  std::uintptr_t begin = 0;
  std::size_t size = 0;

  [[nodiscard]] std::uintptr_t end() const { return begin + size; }
};
Extent extent_of(const abi::Tensor& tensor) {
  const auto span = reference::byte_span(reference::Axes(tensor), tensor.byte_offset, tensor.dtype);
  if (!span || tensor.data == nullptr || reference::storage_bits(tensor.dtype, false) % 8 != 0) return {};
  return {reinterpret_cast<std::uintptr_t>(tensor.data) + static_cast<std::uintptr_t>(span->begin), span->size()};
}

// Does the data lie on the GPU that the struct names? Managed memory is on whichever it is just now.
bool is_right_pointer(const Gpu& gpu, const abi::Tensor& tensor, const Extent& extent, NativeAnswer& answer) {
  const std::optional<Gpu::Memory> found = gpu.memory_of(extent.begin);
  const bool is_managed = found && found->kind == Gpu::Kind::managed;
  const bool is_there = found && found->kind == Gpu::Kind::device && found->ordinal == tensor.device.device_id;
  const std::string what = !found                             ? "is unknown to the driver"
                           : found->kind == Gpu::Kind::pinned ? "is page-locked host memory"
                                                              : fmt::format("is memory of GPU {}", found->ordinal);
  answer.decide(pointer, is_managed || is_there,
                fmt::format("data of a tensor on {} {}", device_text(tensor.device), what),
                "memory of the GPU that the struct names");
  return is_managed || is_there;
}

// An export with its elements copied to the host: the same struct, which leads there.
class OnHost {
 public:
  // nullopt: the driver cannot copy from these addresses.
  static std::optional<OnHost> copy(const Gpu& gpu, const Exported& exported, const Extent& extent) {
    // Both ends are looked at first: strides may lead further than any memory.
    if (extent.size == 0 || !gpu.memory_of(extent.begin) || !gpu.memory_of(extent.end() - 1)) return std::nullopt;
    std::vector<std::uint8_t> held(extent.size);
    if (!gpu.read(extent.begin, held)) return std::nullopt;
    return OnHost(exported, extent, std::move(held));
  }
  [[nodiscard]] Exported exported() const {
    const bool is_versioned = generation_ == Generation::versioned;
    return {generation_, is_versioned ? static_cast<const void*>(&versioned_) : &legacy_};
  }

 private:
  OnHost(const Exported& exported, const Extent& extent, std::vector<std::uint8_t> held)
      : generation_(exported.generation()), held_(std::move(held)) {
    const bool is_versioned = generation_ == Generation::versioned;
    if (is_versioned) {
      versioned_ = exported.versioned();
    } else {
      legacy_ = exported.legacy();
    }
    abi::Tensor& tensor = is_versioned ? versioned_.dl_tensor : legacy_.dl_tensor;
    const std::uintptr_t moved = reinterpret_cast<std::uintptr_t>(held_.data()) - extent.begin;
    tensor.data = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(tensor.data) + moved);
  }

  Generation generation_;
  std::vector<std::uint8_t> held_;
  abi::v1::ManagedTensor versioned_{};
  abi::v0::ManagedTensor legacy_{};
};

// The pointer and the elements of a struct that can be read.
void judge_memory(const Gpu& gpu, const Exported& exported, const Extent& extent, const std::optional<OnHost>& copy,
                  const NativeCase& asked, NativeAnswer& answer) {
  if (extent.size == 0) {
    answer.not_applicable(pointer);
    return answer.not_applicable(elements);
  }
  if (!is_right_pointer(gpu, exported.tensor(), extent, answer)) {
    return answer.blocked(elements, "by device.cuda-pointer-matches");
  }
  const std::string problem =
      copy ? elements_problem(copy->exported(), asked) : "the driver cannot copy from the addresses of the elements";
  answer.decide(elements, problem.empty(), problem, "the contents that were asked for");
}

}  // namespace

template <Generation generation>
void device_struct_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  std::string problem;
  const Gpu* const gpu = Gpu::asked(problem);
  if (gpu == nullptr) return answer.rest_blocked(problem);
  const PluginExport made(plugin, asked, generation, asked.device);
  if (!made.made()) return answer.rest_unsupported(made.reason());
  const Layout layout = ordered_layout(asked);
  const Origin origin = origin_of(asked, layout);
  Findings findings = reference::validate(made.exported(), &origin);
  Extent extent;
  std::optional<OnHost> copy;
  // Strides in bytes are told by the elements: the numbers can be read all the same.
  if (contents_readable(findings) || findings.contains(RuleId::tensor_strides_unit)) {
    const abi::Device said = made.exported().tensor().device;
    if (said.device_type != kDLCUDA) return answer.rest_unsupported(ordered_but_exported(asked.device, said));
    extent = extent_of(made.exported().tensor());
    copy = OnHost::copy(*gpu, made.exported(), extent);
    if (copy) findings = validate_by_elements(copy->exported(), &origin, asked.bytes);
  }
  for (const RuleId rule : asked.rules) {
    if (dlspec::rule(rule).check == Check::struct_bytes)
      answer.set(rule, struct_outcome(rule, made.exported(), &origin, findings));
  }
  if (!contents_readable(findings)) return answer.rest_blocked(unreadable);
  judge_memory(*gpu, made.exported(), extent, copy, asked, answer);
}
template NativeCaseFunction device_struct_case<Generation::versioned>;
template NativeCaseFunction device_struct_case<Generation::legacy>;

// dlpack.h 0.5, kDLCUDAHost, and 0.6, kDLCUDAManaged: each name is for memory of that kind alone.
void device_host_memory_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  constexpr RuleId pinned = RuleId::device_pinned_tag, managed = RuleId::device_managed_tag;
  std::string problem;
  const Gpu* const gpu = Gpu::asked(problem);
  if (gpu == nullptr) return answer.rest_blocked(problem);
  const abi::Device device{asked.variant == "cuda-pinned" ? kDLCUDAHost : kDLCUDAManaged, 0};
  const PluginExport made(plugin, asked, Generation::versioned, device);
  if (!made.made()) return answer.rest_unsupported(made.reason());
  const Layout layout = ordered_layout(asked);
  const Origin origin = origin_of(asked, layout);
  if (!contents_readable(reference::validate(made.exported(), &origin))) return answer.rest_blocked(unreadable);
  const abi::Tensor& tensor = made.exported().tensor();
  const std::int32_t said = tensor.device.device_type;
  const std::optional<Gpu::Memory> found = gpu->memory_of(extent_of(tensor).begin);
  const bool is_managed = found && found->kind == Gpu::Kind::managed;
  const bool is_pinned = found && found->kind == Gpu::Kind::pinned;
  if (said != kDLCUDAHost && said != kDLCUDAManaged && !is_managed && !is_pinned) {
    return answer.rest_unsupported(ordered_but_exported(device, tensor.device));
  }
  const std::string memory =
      fmt::format("memory that the driver {} is exported as {}",
                  found ? std::string("calls ") + name_of(found->kind) : "does not know", device_text(tensor.device));
  if (said == kDLCUDAManaged && !is_managed) {
    answer.violated(managed, memory, "kDLCUDAManaged for managed memory only");
  } else if (said == kDLCUDAHost && is_managed) {
    answer.violated(managed, memory, "kDLCUDAManaged");
  } else if (said == kDLCUDAHost && !is_pinned) {
    answer.violated(pinned, memory, "kDLCUDAHost for page-locked memory only");
  }
  answer.rest_pass();
}

}  // namespace dlspec::conformance
