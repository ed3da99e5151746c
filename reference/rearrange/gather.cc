#include <dlspec/reference/rearrange/gather.h>

#include <algorithm>
#include <new>

#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::reference {
namespace {

Status check_struct(const abi::Tensor& tensor) {
  if (tensor.ndim < 0 || tensor.ndim > max_rank) return Status::bad_rank;
  if (tensor.ndim > 0 && tensor.shape == nullptr) return Status::null_pointer;
  return extents_valid(Axes(tensor).shape) ? Status::ok : Status::bad_extent;
}

Wide contents_size(const abi::Tensor& tensor) {
  return byte_size(element_count(Axes(tensor).shape), element_bits(tensor.dtype));
}

}  // namespace

Status gather(const abi::Tensor& tensor, bool padded, std::vector<std::uint8_t>& contents, std::size_t byte_limit) try {
  contents.clear();
  if (const Status status = check_struct(tensor); status != Status::ok) return status;
  const Wide size = contents_size(tensor);
  if (size > std::min(byte_limit, contents.max_size())) return Status::size_limit;
  contents.resize(static_cast<std::size_t>(*size.to_uint64()));
  const Axes axes(tensor);
  const Status status = rearrange({tensor.dtype, {axes.shape, nullptr}, contents.data()},
                                  {tensor.dtype, axes, tensor.data, tensor.byte_offset, padded});
  if (status != Status::ok) contents.clear();
  return status;
} catch (const std::bad_alloc&) {
  contents.clear();
  return Status::size_limit;
}

Status scatter(std::span<const std::uint8_t> contents, const abi::Tensor& tensor, bool padded, std::size_t byte_limit) {
  if (const Status status = check_struct(tensor); status != Status::ok) return status;
  const Wide size = contents_size(tensor);
  if (size > byte_limit) return Status::size_limit;
  if (size != contents.size()) return Status::shape_mismatch;
  const Axes axes(tensor);
  return rearrange({tensor.dtype, axes, tensor.data, tensor.byte_offset, padded},
                   {tensor.dtype, {axes.shape, nullptr}, contents.data()});
}

}  // namespace dlspec::reference
