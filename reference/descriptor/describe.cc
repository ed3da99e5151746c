#include <dlspec/reference/descriptor/describe.h>

#include <algorithm>
#include <cstdint>

#include <dlspec/vocabulary/limits.h>

namespace dlspec::reference {
namespace {

bool readable(const std::int64_t* numbers) {
  return numbers != nullptr && reinterpret_cast<std::uintptr_t>(numbers) % alignof(std::int64_t) == 0;
}

void describe_tensor(const abi::Tensor& tensor, Descriptor& descriptor) {
  Layout& layout = descriptor.layout;
  layout.dtype = tensor.dtype;
  layout.byte_offset = tensor.byte_offset;
  descriptor.device = tensor.device;
  descriptor.null_data = tensor.data == nullptr;
  auto rank = static_cast<std::ptrdiff_t>(std::clamp<std::int64_t>(tensor.ndim, 0, max_rank));
  if (!readable(tensor.shape)) rank = 0;
  if (rank > 0) layout.shape.assign(tensor.shape, tensor.shape + rank);
  if (!readable(tensor.strides)) return;
  layout.strides.emplace();
  if (rank > 0) layout.strides->assign(tensor.strides, tensor.strides + rank);
}

}  // namespace

Descriptor describe(Exported exported) {
  Descriptor descriptor;
  descriptor.generation = exported.generation();
  if (descriptor.generation == Generation::versioned) {
    descriptor.version = exported.versioned().version;
    descriptor.flags = exported.versioned().flags;
    if (descriptor.version.major != abi::newest_version.major) return descriptor;
  }
  describe_tensor(exported.tensor(), descriptor);
  return descriptor;
}

}  // namespace dlspec::reference
