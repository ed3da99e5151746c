// libbench_cccl.so: copies by CUB, as a user would ask for them. Contiguous ones are a transformation by the identity;
// others are CUB's copy between two mdspans where this CCCL has it, and the loop over extents that it consists of where
// it does not (before 3.2), or where strides are negative.
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
  cuda::std::array<int32_t, rank> to_strides;
  cuda::std::array<int32_t, rank> from_strides;

  template <class... Indices>
  __host__ __device__ void operator()(int32_t, Indices... indices) const {
    const int32_t at[]{static_cast<int32_t>(indices)...};
    int32_t to_offset = 0, from_offset = 0;
    for (int i = 0; i < rank; ++i) {
      to_offset += at[i] * to_strides[i];
      from_offset += at[i] * from_strides[i];
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
cudaError_t copy_ranked(const CcclCopy& copy, Type* to, const Type* from) {
  const auto to_strides = first<rank>(copy.to), from_strides = first<rank>(copy.from);
  const cuda::std::dextents<int32_t, rank> extents(first<rank>(copy.extents));
#ifdef DLSPEC_MDSPAN_COPY
  bool ascending = true;
  for (int i = 0; i < rank; ++i) ascending = ascending && to_strides[i] > 0 && from_strides[i] > 0;
  if (ascending) {
    using Mapping = cuda::std::layout_stride::mapping<cuda::std::dextents<int32_t, rank>>;
    return cub::DeviceCopy::Copy(cuda::std::mdspan(from, Mapping(extents, from_strides)),
                                 cuda::std::mdspan(to, Mapping(extents, to_strides)));
  }
#endif
  return cub::DeviceFor::ForEachInExtents(extents, CopyElement<Type, rank>{to, from, to_strides, from_strides});
}

template <class Type, int rank>
cudaError_t copy_as(const CcclCopy& copy, Type* to, const Type* from) {
  if constexpr (rank == 1) {
    if (copy.to[0] == 1 && copy.from[0] == 1) {
      return cub::DeviceTransform::Transform(from, to, copy.extents[0], cuda::std::identity{});
    }
  }
  return copy_ranked<Type, rank>(copy, to, from);
}

template <class Type, int... ranks>
int copy_any(const CcclCopy& copy, void* to, const void* from, cuda::std::integer_sequence<int, ranks...>) {
  int answer = 1;
  const auto try_rank = [&](auto rank) {
    constexpr int axes = decltype(rank)::value + 1;
    if (copy.rank != axes) return;
    const cudaError_t error = copy_as<Type, axes>(copy, static_cast<Type*>(to), static_cast<const Type*>(from));
    answer = error == cudaSuccess ? 0 : 2;
  };
  (try_rank(cuda::std::integral_constant<int, ranks>{}), ...);
  return answer;
}

int copy_sized(const CcclCopy& copy, void* to, const void* from) {
  constexpr auto ranks = cuda::std::make_integer_sequence<int, max_cccl_rank>{};
  switch (copy.element_size) {
    case 1: return copy_any<Element<unsigned char, 1>>(copy, to, from, ranks);
    case 2: return copy_any<Element<unsigned short, 1>>(copy, to, from, ranks);
    case 3: return copy_any<Element<unsigned char, 3>>(copy, to, from, ranks);
    case 4: return copy_any<Element<unsigned, 1>>(copy, to, from, ranks);
    case 6: return copy_any<Element<unsigned short, 3>>(copy, to, from, ranks);
    case 8: return copy_any<Element<unsigned long long, 1>>(copy, to, from, ranks);
    case 12: return copy_any<Element<unsigned, 3>>(copy, to, from, ranks);
    case 16: return copy_any<Element<unsigned, 4, 16>>(copy, to, from, ranks);
    default: return 1;
  }
}

}  // namespace
}  // namespace dlspec::bench

// NOLINTBEGIN(readability-identifier-naming): C names that bench_cuda looks up
#define BENCH_CCCL extern "C" __attribute__((visibility("default")))
BENCH_CCCL int benchCcclVersion() { return CCCL_VERSION; }
BENCH_CCCL int benchCcclEnqueue(const dlspec::bench::CcclCopy* copy, void* to, const void* from) {
  return dlspec::bench::copy_sized(*copy, to, from);
}
// NOLINTEND(readability-identifier-naming)
