#include <dlspec/conformance/oracle/export_pages.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <new>

namespace dlspec::conformance {
namespace {

// What shape and strides hold after the release.
constexpr std::int64_t poison_number = std::numeric_limits<std::int64_t>::min() / 3;
constexpr std::uint32_t poison_word = 0xDBDBDBDB;
constexpr std::uint64_t poison_flags = 0xDBDBDBDBDBDBDBDB;
constexpr std::size_t place_of_structs = 1088;  // in its page: a reader that goes astray stays in it

bool equal_tensors(const abi::Tensor& a, const abi::Tensor& b) {
  return a.data == b.data && a.device == b.device && a.ndim == b.ndim && a.dtype == b.dtype && a.shape == b.shape &&
         a.strides == b.strides && a.byte_offset == b.byte_offset;
}

bool equal_structs(const abi::v1::ManagedTensor& a, const abi::v1::ManagedTensor& b) {
  return a.version == b.version && a.manager_ctx == b.manager_ctx && a.deleter == b.deleter && a.flags == b.flags &&
         equal_tensors(a.dl_tensor, b.dl_tensor);
}

bool equal_structs(const abi::v0::ManagedTensor& a, const abi::v0::ManagedTensor& b) {
  return equal_tensors(a.dl_tensor, b.dl_tensor) && a.manager_ctx == b.manager_ctx && a.deleter == b.deleter;
}

// The numbers at the end of the pages, the last one beside the guard. No numbers: one that is poison.
std::span<std::int64_t> place(Fence& fence, std::span<const std::int64_t> numbers) {
  const std::size_t count = std::max<std::size_t>(1, numbers.size());
  auto* const first = reinterpret_cast<std::int64_t*>(fence.bytes().data() + fence.bytes().size()) - count;
  *first = poison_number;
  std::copy(numbers.begin(), numbers.end(), first);
  fence.mark(first, count * sizeof(std::int64_t));
  return {first, count};
}

constexpr std::size_t prefix = offsetof(abi::v1::ManagedTensor, dl_tensor);

// A versioned struct of which the pages end behind the flags.
abi::v1::ManagedTensor* place_prefix(Fence& fence) {
  std::uint8_t* const first = fence.bytes().data() + fence.bytes().size() - prefix;
  fence.mark(first, prefix);
  return reinterpret_cast<abi::v1::ManagedTensor*>(first);
}

}  // namespace

ExportPages::ExportPages(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides,
                         std::uint64_t surroundings, bool prefix_only)
    : struct_fence_(Fence::make(Fence::page, FencePart::structure)),
      shape_fence_(Fence::make(shape.size_bytes(), FencePart::shape)),
      strides_fence_(Fence::make(strides.size_bytes(), FencePart::strides)),
      structs_(new (struct_fence_->bytes().data() + place_of_structs) Structs),
      versioned_(prefix_only ? place_prefix(*struct_fence_) : &structs_->versioned),
      shape_(place(*shape_fence_, shape)),
      strides_(place(*strides_fence_, strides)) {
  structs_->before.fill(surroundings);
  structs_->after.fill(surroundings);
}

const void* ExportPages::self(Generation generation) const {
  return generation == Generation::versioned ? static_cast<const void*>(versioned_) : &structs_->legacy;
}

bool ExportPages::structs_intact() const {
  const Structs& a = *structs_;
  const Structs& b = structs_before_;
  if (prefix_only()) return std::memcmp(versioned_, &b.versioned, prefix) == 0;
  return equal_structs(a.versioned, b.versioned) && a.before == b.before && equal_structs(a.legacy, b.legacy) &&
         a.after == b.after;
}

void ExportPages::remember() {
  structs_before_ = *structs_;
  if (prefix_only()) std::memcpy(static_cast<void*>(&structs_before_.versioned), versioned_, prefix);
  shape_before_.assign(shape_.begin(), shape_.end());
  strides_before_.assign(strides_.begin(), strides_.end());
}

bool ExportPages::intact() const {
  if (struct_fence_->state() == FenceState::closed) return true;
  return structs_intact() && std::equal(shape_.begin(), shape_.end(), shape_before_.begin()) &&
         std::equal(strides_.begin(), strides_.end(), strides_before_.begin());
}

void ExportPages::poison() {
  std::fill(shape_.begin(), shape_.end(), poison_number);
  std::fill(strides_.begin(), strides_.end(), poison_number);
  versioned_->version = {poison_word, poison_word};
  versioned_->flags = poison_flags;
  for (abi::Tensor* const tensor : {&structs_->versioned.dl_tensor, &structs_->legacy.dl_tensor}) {
    tensor->ndim = 0;
    tensor->byte_offset = 0;
  }
}

void ExportPages::close() {
  for (Fence* const fence : {struct_fence_.get(), shape_fence_.get(), strides_fence_.get()})
    fence->set(FenceState::closed);
}

}  // namespace dlspec::conformance
