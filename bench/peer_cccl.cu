// libbench_cccl.so: copies by CUB, as a user would ask for them. Contiguous ones are a transformation by the identity;
// others are CUB's copy between two mdspans where this CCCL has it, and a loop over all elements where it does not
// (before 3.2), or where strides are negative. Not CUB's loop over extents: in 3.0.1 on an H200 it took 2 s for a
// transpose of 4096 by 4096 floats, and its time grew with the square of the number of elements.
#include <cub/device/device_for.cuh>
#include <cub/device/device_transform.cuh>
#if __has_include(<cub/device/dispatch/dispatch_copy_mdspan.cuh>)
#include <cub/device/device_copy.cuh>
#define DLSPEC_MDSPAN_COPY 1
#endif
#include <cuda/std/array>
#include <cuda/std/mdspan>
#include <cuda/std/utility>

#include "peer_cccl.h"

namespace dlspec::bench {
namespace {

using cuda::std::int32_t;

// An element of any size, with the alignment of its parts.
template <class Part, int parts, int alignment = alignof(Part)>
struct alignas(alignment) Element {
  Part part[parts];
};

template <class Type, int rank>
struct CopyElement {
  Type* to;
  const Type* from;
  cuda::std::array<int32_t, rank> extents;
  cuda::std::array<int32_t, rank> to_strides;
  cuda::std::array<int32_t, rank> from_strides;

  __host__ __device__ void operator()(int32_t number) const {
    int32_t to_offset = 0, from_offset = 0;
    for (int i = rank; i-- > 0;) {
      const int32_t quotient = number / extents[i], index = number - quotient * extents[i];
      to_offset += index * to_strides[i];
      from_offset += index * from_strides[i];
      number = quotient;
    }
    to[to_offset] = from[from_offset];
  }
};

template <int rank>
cuda::std::array<int32_t, rank> first(const int32_t* numbers) {
  cuda::std::array<int32_t, rank> made{};
  for (int i = 0; i < rank; ++i) made[i] = numbers[i];
  return made;
}

template <class Type, int rank>
cudaError_t copy_ranked(const CcclCopy& copy, Type* to, const Type* from, cudaStream_t stream) {
  const auto to_strides = first<rank>(copy.to), from_strides = first<rank>(copy.from);
  const auto extents = first<rank>(copy.extents);
#ifdef DLSPEC_MDSPAN_COPY
  bool ascending = true;
  for (int i = 0; i < rank; ++i) ascending = ascending && to_strides[i] > 0 && from_strides[i] > 0;
  if (ascending) {
    using Extents = cuda::std::dextents<int32_t, rank>;
    using Mapping = cuda::std::layout_stride::mapping<Extents>;
    return cub::DeviceCopy::Copy(cuda::std::mdspan(from, Mapping(Extents(extents), from_strides)),
                                 cuda::std::mdspan(to, Mapping(Extents(extents), to_strides)), stream);
  }
#endif
  int32_t count = 1;
  for (int i = 0; i < rank; ++i) count *= extents[i];
  return cub::DeviceFor::Bulk(count, CopyElement<Type, rank>{to, from, extents, to_strides, from_strides}, stream);
}

template <class Type, int rank>
cudaError_t copy_as(const CcclCopy& copy, Type* to, const Type* from, cudaStream_t stream) {
  if constexpr (rank == 1) {
    if (copy.to[0] == 1 && copy.from[0] == 1) {
      return cub::DeviceTransform::Transform(from, to, copy.extents[0], cuda::std::identity{}, stream);
    }
  }
  return copy_ranked<Type, rank>(copy, to, from, stream);
}

template <class Type, int... ranks>
int copy_any(const CcclCopy& copy, void* to, const void* from, cudaStream_t stream,
             cuda::std::integer_sequence<int, ranks...>) {
  int answer = 1;
  const auto try_rank = [&](auto rank) {
    constexpr int axes = decltype(rank)::value + 1;
    if (copy.rank != axes) return;
    const cudaError_t error = copy_as<Type, axes>(copy, static_cast<Type*>(to), static_cast<const Type*>(from), stream);
    answer = error == cudaSuccess ? 0 : 2;
  };
  (try_rank(cuda::std::integral_constant<int, ranks>{}), ...);
  return answer;
}

int copy_sized(const CcclCopy& copy, void* to, const void* from, cudaStream_t stream) {
  constexpr auto ranks = cuda::std::make_integer_sequence<int, max_cccl_rank>{};
  switch (copy.element_size) {
    case 1: return copy_any<Element<unsigned char, 1>>(copy, to, from, stream, ranks);
    case 2: return copy_any<Element<unsigned short, 1>>(copy, to, from, stream, ranks);
    case 3: return copy_any<Element<unsigned char, 3>>(copy, to, from, stream, ranks);
    case 4: return copy_any<Element<unsigned, 1>>(copy, to, from, stream, ranks);
    case 6: return copy_any<Element<unsigned short, 3>>(copy, to, from, stream, ranks);
    case 8: return copy_any<Element<unsigned long long, 1>>(copy, to, from, stream, ranks);
    case 12: return copy_any<Element<unsigned, 3>>(copy, to, from, stream, ranks);
    case 16: return copy_any<Element<unsigned, 4, 16>>(copy, to, from, stream, ranks);
    default: return 1;
  }
}

}  // namespace
}  // namespace dlspec::bench

// NOLINTBEGIN(readability-identifier-naming): C names that bench_cuda looks up
#define BENCH_CCCL extern "C" __attribute__((visibility("default")))
BENCH_CCCL int benchCcclVersion() { return CCCL_VERSION; }
BENCH_CCCL int benchCcclEnqueue(const dlspec::bench::CcclCopy* copy, void* to, const void* from, void* stream) {
  return dlspec::bench::copy_sized(*copy, to, from, static_cast<cudaStream_t>(stream));
}
// NOLINTEND(readability-identifier-naming)
