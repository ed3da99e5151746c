#include "exchange.h"

#include <atomic>

#include <dlspec/conformance/oracle/canary_memory.h>
#include <dlspec/conformance/oracle/checked_call.h>
#include <dlspec/reference/descriptor/describe.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/validate/validate.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::python {
namespace {

std::atomic<bool> interpreter_is_gone{false};

using conformance::CanaryMemory;

class Owned final : public Holding {
 public:
  explicit Owned(std::unique_ptr<CanaryMemory> memory) : memory_(std::move(memory)) {}

 private:
  std::unique_ptr<CanaryMemory> memory_;
};

// A managed struct and everything that it points to, in one allocation.
template <class Managed>
struct Block {
  Managed managed{};
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::shared_ptr<const Holding> holding;

  static void deleter(Managed* self) noexcept { delete static_cast<Block*>(self->manager_ctx); }
};

}  // namespace

// Strides that overflow int64 can only belong to a tensor without elements, where strides have no meaning.
std::vector<std::int64_t> element_strides(const Layout& layout) {
  if (layout.strides) return *layout.strides;
  return reference::row_major_strides(layout.shape).value_or(std::vector<std::int64_t>(layout.shape.size(), 1));
}

namespace {

template <class Managed>
Managed* export_block(const View& view) {
  auto block = std::make_unique<Block<Managed>>();
  block->shape = view.layout.shape;
  block->strides = element_strides(view.layout);
  block->holding = view.holding;
  const bool empty = reference::is_empty(view.layout.shape);
  abi::Tensor& tensor = block->managed.dl_tensor;
  tensor.data = empty ? nullptr : view.data;
  tensor.device = view.device;
  tensor.ndim = static_cast<std::int32_t>(view.layout.shape.size());
  tensor.dtype = view.layout.dtype;
  tensor.shape = block->shape.data();
  tensor.strides = block->strides.data();
  tensor.byte_offset = empty ? 0 : view.layout.byte_offset;
  block->managed.manager_ctx = block.get();
  block->managed.deleter = &Block<Managed>::deleter;
  return &block.release()->managed;
}

// Deviations that leave the tensor unambiguous: NULL strides can only mean row-major.
bool is_harmless(const Finding& finding) { return finding.rule == RuleId::tensor_strides_not_null; }

// What violates no rule that fails, and still cannot be interpreted.
bool is_foreign(const Finding& finding) {
  switch (finding.rule) {
    case RuleId::device_type_known:
    case RuleId::dtype_code_known:
    case RuleId::dtype_odd_width_refused:
    case RuleId::dtype_opaque_refused: return true;
    default: return false;
  }
}

bool is_serious(const Finding& finding) {
  const Verdict verdict = verdict_of(finding);
  return is_foreign(finding) ||
         ((verdict == Verdict::fail || verdict == Verdict::unsupported) && !is_harmless(finding));
}

}  // namespace

void interpreter_ended() noexcept { interpreter_is_gone = true; }
bool interpreter_has_ended() noexcept { return interpreter_is_gone; }

void call_deleter(Exported exported) noexcept {
  if (exported.object() == nullptr || interpreter_is_gone) return;
  void (*deleter)(void*) = nullptr;
  if (exported.generation() == Generation::versioned) {
    deleter = reinterpret_cast<void (*)(void*)>(exported.versioned().deleter);
  } else if (exported.generation() == Generation::legacy) {
    deleter = reinterpret_cast<void (*)(void*)>(exported.legacy().deleter);
  }
  // Nobody can catch what a deleter throws: releases happen in destructors.
  if (deleter != nullptr) (void)conformance::checked_call(deleter, const_cast<void*>(exported.object()));
}

Imported::~Imported() { call_deleter(exported_); }

std::uint64_t View::flags() const {
  return (read_only ? dlspec::flags::read_only : 0) | (padded ? dlspec::flags::subbyte_padded : 0);
}

View new_view(const Layout& layout, std::span<const std::uint8_t> contents, std::string& problem) {
  View view;
  auto memory = CanaryMemory::make(layout, false, contents, problem);
  if (memory == nullptr) return view;
  if (memory->body().data() < memory->data()) {
    problem = "elements lie before the start of the memory";
    return view;
  }
  view.data = memory->data();
  view.layout = layout;
  view.holding = std::make_shared<Owned>(std::move(memory));
  return view;
}

View view_of(Exported exported) {
  const Descriptor descriptor = reference::describe(exported);
  View view;
  view.data = exported.tensor().data;
  view.layout = descriptor.layout;
  view.device = descriptor.device;
  if (exported.generation() == Generation::versioned) {
    view.read_only = (descriptor.flags & dlspec::flags::read_only) != 0;
    view.padded = is_subbyte(descriptor.layout.dtype) && (descriptor.flags & dlspec::flags::subbyte_padded) != 0;
  }
  return view;
}

std::string refusal(Exported exported) {
  for (const Finding& finding : reference::validate(exported)) {
    if (is_serious(finding)) return observed_text(finding) + "; wanted: " + allowed_text(finding);
  }
  return "";
}

abi::v1::ManagedTensor* export_versioned(const View& view, std::uint64_t flags) {
  auto* managed = export_block<abi::v1::ManagedTensor>(view);
  managed->version = abi::newest_version;
  managed->flags = flags;
  return managed;
}

abi::v0::ManagedTensor* export_legacy(const View& view) { return export_block<abi::v0::ManagedTensor>(view); }

}  // namespace dlspec::python
