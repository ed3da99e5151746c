#include <dlspec/reference/testing/specimen.h>

#include <algorithm>
#include <atomic>
#include <new>

#include <dlspec/reference/descriptor/extent.h>

namespace dlspec::testing {
namespace {

struct AlignedDelete {
  void operator()(std::uint8_t* memory) const { ::operator delete(memory, std::align_val_t{Specimen::alignment}); }
};
using Memory = std::unique_ptr<std::uint8_t[], AlignedDelete>;

// The memory relative to `data`: it begins `before` bytes before it and has `size` bytes.
struct Plan {
  std::size_t before = 0;
  std::size_t size = 0;
  bool fits = false;
};

Plan plan_memory(const Layout& layout, bool padded, std::size_t limit) {
  using reference::Wide;
  const auto reach = reference::reach(layout, reference::storage_bits(layout.dtype, padded));
  const Wide first = std::min(Wide(0), reach ? reach->low_bytes + layout.byte_offset : Wide(0));
  const Wide last = std::max(Wide(1), reach ? reach->high_bytes + layout.byte_offset : Wide(layout.byte_offset));
  const Wide before = ceil_divide(-first, Specimen::alignment) * Specimen::alignment;
  if (before + last > limit) return {};
  return {static_cast<std::size_t>(*before.to_uint64()), static_cast<std::size_t>(*(before + last).to_uint64()), true};
}

Memory allocate(std::size_t size) {
  auto* memory = static_cast<std::uint8_t*>(::operator new(size, std::align_val_t{Specimen::alignment}, std::nothrow));
  if (memory != nullptr) std::fill_n(memory, size, std::uint8_t{0});
  return Memory(memory);
}

// At least one number, so that the array has an address even for rank 0.
std::vector<std::int64_t> addressable(std::vector<std::int64_t> numbers) {
  if (numbers.empty()) numbers.push_back(0);
  return numbers;
}

}  // namespace

struct Specimen::State {
  Generation generation;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  Memory memory;
  std::size_t memory_size = 0;
  std::atomic<int> deletions{0};
  // One of these is in use, by generation.
  abi::v1::ManagedTensor versioned{};
  abi::v0::ManagedTensor legacy{};
  abi::Tensor bare{};

  explicit State(const Descriptor& descriptor)
      : generation(descriptor.generation),
        shape(addressable(descriptor.layout.shape)),
        strides(addressable(descriptor.layout.strides.value_or(std::vector<std::int64_t>()))) {}

  abi::Tensor& tensor() {
    switch (generation) {
      case Generation::versioned: return versioned.dl_tensor;
      case Generation::legacy: return legacy.dl_tensor;
      case Generation::bare: break;
    }
    return bare;
  }

  void* make_data(const Descriptor& descriptor, bool padded, std::size_t limit) {
    if (descriptor.null_data) return nullptr;
    const Plan plan = plan_memory(descriptor.layout, padded, limit);
    if (plan.fits) memory = allocate(plan.size);
    if (memory == nullptr) return reinterpret_cast<void*>(fake_address);
    memory_size = plan.size;
    return memory.get() + plan.before;
  }

  void fill_tensor(const Descriptor& descriptor) {
    const Layout& layout = descriptor.layout;
    tensor().device = descriptor.device;
    tensor().ndim = static_cast<std::int32_t>(layout.shape.size());
    tensor().dtype = layout.dtype;
    tensor().shape = layout.shape.empty() ? nullptr : shape.data();
    tensor().strides = layout.strides ? strides.data() : nullptr;
    tensor().byte_offset = layout.byte_offset;
  }

  void fill_manager(const Descriptor& descriptor) {
    versioned.version = descriptor.version;
    versioned.flags = descriptor.flags;
    versioned.manager_ctx = legacy.manager_ctx = this;
    versioned.deleter = [](abi::v1::ManagedTensor* self) { ++static_cast<State*>(self->manager_ctx)->deletions; };
    legacy.deleter = [](abi::v0::ManagedTensor* self) { ++static_cast<State*>(self->manager_ctx)->deletions; };
  }
};

Specimen::Specimen(const Descriptor& descriptor, bool padded, std::size_t memory_limit)
    : state_(std::make_unique<State>(descriptor)) {
  state_->fill_tensor(descriptor);
  state_->fill_manager(descriptor);
  state_->tensor().data = state_->make_data(descriptor, padded, memory_limit);
}

Specimen::~Specimen() = default;
Specimen::Specimen(Specimen&&) noexcept = default;
Specimen& Specimen::operator=(Specimen&&) noexcept = default;

Exported Specimen::exported() const {
  switch (state_->generation) {
    case Generation::versioned: return {Generation::versioned, &state_->versioned};
    case Generation::legacy: return {Generation::legacy, &state_->legacy};
    case Generation::bare: break;
  }
  return {Generation::bare, &state_->bare};
}

Generation Specimen::generation() const { return state_->generation; }
abi::Tensor& Specimen::tensor() { return state_->tensor(); }
const abi::Tensor& Specimen::tensor() const { return state_->tensor(); }
abi::v1::ManagedTensor& Specimen::versioned() { return state_->versioned; }
abi::v0::ManagedTensor& Specimen::legacy() { return state_->legacy; }
std::vector<std::int64_t>& Specimen::shape() { return state_->shape; }
std::vector<std::int64_t>& Specimen::strides() { return state_->strides; }
std::span<std::uint8_t> Specimen::memory() { return {state_->memory.get(), state_->memory_size}; }
bool Specimen::has_memory() const { return state_->memory != nullptr; }
int Specimen::deletions() const { return state_->deletions; }

}  // namespace dlspec::testing
