#include <dlspec/conformance/worker/native/bridge_calls.h>

#include <array>

#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/reference/descriptor/strided.h>
#include <dlspec/vocabulary/device.h>

namespace dlspec::conformance {
namespace {

// The answer where the table does not have the function.
BridgeAnswer absent(const char* reason) { return {DLSPEC_UNSUPPORTED, {reason, -1}}; }

}  // namespace

Description::Description(const Layout& layout) : dtype(layout.dtype), shape(layout.shape.begin(), layout.shape.end()) {
  if (layout.strides) strides.emplace(layout.strides->begin(), layout.strides->end());
}

DlspecDescription Description::plain() const {
  DlspecDescription plain{dtype.code, dtype.bits, dtype.lanes, shape.size(), nullptr, nullptr};
  if (!shape.empty()) plain.shape = shape.data();
  if (!shape.empty() && strides) plain.strides = strides->data();
  return plain;
}

Loan::Loan(const Layout& layout, void* first, Generation generation, std::uint64_t byte_offset)
    : shape_(layout.shape),
      strides_(layout.strides ? *layout.strides : reference::compact_strides(layout.shape)),
      generation_(generation) {
  abi::Tensor& described = tensor();
  described = {static_cast<char*>(first) - byte_offset,
               {kDLCPU, 0},
               static_cast<std::int32_t>(shape_.size()),
               layout.dtype,
               shape_.data(),
               strides_.data(),
               byte_offset};
  versioned_.version = abi::newest_version;
  versioned_.deleter = [](abi::v1::ManagedTensor*) {};
  legacy_.deleter = [](abi::v0::ManagedTensor*) {};
}

const void* Loan::object() const {
  return generation_ == Generation::versioned ? static_cast<const void*>(&versioned_) : &legacy_;
}

abi::Tensor& Loan::tensor() { return generation_ == Generation::versioned ? versioned_.dl_tensor : legacy_.dl_tensor; }

Handle::Handle(const DlspecBridge& bridge, const DlspecDescription& description) : bridge_(bridge) {
  answer_.code = bridge.describe(&description, &descriptor_, &answer_.refusal);
}

Handle::Handle(const DlspecBridge& bridge, const Loan& loan, bool writable) : bridge_(bridge) {
  if (bridge.from_dlpack == nullptr) {
    answer_ = absent("DLPack tensors are not taken");
    return;
  }
  answer_.code = bridge.from_dlpack(loan.object(), generation_number(loan.generation()), writable ? 1 : 0, &descriptor_,
                                    &data_, &answer_.refusal);
}

Handle::~Handle() {
  if (made()) bridge_.destroy(descriptor_);
}

Outgoing::Outgoing(const DlspecBridge& bridge, const Handle& handle, void* data,
                   std::initializer_list<Generation> generations) {
  if (bridge.to_dlpack == nullptr) {
    answer_ = absent("DLPack tensors are not made");
    return;
  }
  for (const Generation generation : generations) {
    void* object = nullptr;
    answer_ = {};
    answer_.code = bridge.to_dlpack(handle.get(), data, generation_number(generation), &object, &answer_.refusal);
    if (!answer_.done()) continue;
    exported_ = Exported(generation, object);
    return;
  }
}

Outgoing::~Outgoing() {
  if (made()) release_exported(exported_);
}

BridgeAnswer rearrange_by(const DlspecBridge& bridge, const Handle& to, void* to_data, const Handle& from,
                          const void* from_data) {
  BridgeAnswer answer;
  answer.code = bridge.rearrange(to.get(), to_data, from.get(), from_data, &answer.refusal);
  return answer;
}

std::optional<Generation> taken_generation(const DlspecBridge& bridge, std::string& reason) {
  std::array<float, 12> elements{};
  const Layout ordinary{{kDLFloat, 32, 1}, {3, 4}, {}, 0};
  for (const Generation generation : {Generation::versioned, Generation::legacy}) {
    const Loan loan(ordinary, elements.data(), generation);
    const Handle handle(bridge, loan);
    if (handle.made()) return generation;
    reason = handle.reason();
  }
  return std::nullopt;
}

}  // namespace dlspec::conformance
