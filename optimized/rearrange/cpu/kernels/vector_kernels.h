// The kernels that every engine with vectors has.
#pragma once

#include "fills.h"
#include "indexed_transposes.h"
#include "packed_transposes.h"
#include "streamed_runs.h"
#include "unaligned.h"

namespace dlspec::optimized {
namespace {

// Puts kernels into the table of a method, by the index of their element size.
template <std::size_t count>
constexpr void set(Kernel (&table)[count], const Kernel (&kernels)[count]) {
  for (std::size_t i = 0; i < count; ++i) table[i] = kernels[i];
}

template <class V>
constexpr Kernels vector_kernels() {
  return {
      .copy = copy<V>,
      .copy_streaming = copy_streaming<V>,
      .runs = runs<V>,
      .runs_streaming = runs_streaming<V>,
      .fill = {fill<V, 1>, fill<V, 2>, fill<V, 4>, fill<V, 8>, fill<V, 16>},
      .fill_streaming = {fill_streaming<V, 1>, fill_streaming<V, 2>, fill_streaming<V, 4>, fill_streaming<V, 8>,
                         fill_streaming<V, 16>},
      .transpose = {transpose<V, 1>, transpose<V, 2>, transpose<V, 4>, transpose<V, 8>, transpose<V, 16>},
      .transpose_single = {transpose_single<V, 1>, transpose_single<V, 2>, transpose_single<V, 4>,
                           transpose_single<V, 8>, transpose_single<V, 16>},
      .transpose_packed = {transpose_packed<V, 1>, transpose_packed<V, 2>, transpose_packed<V, 4>,
                           transpose_packed<V, 8>, transpose_packed<V, 16>},
      .transpose_indexed = {transpose_indexed_of<V, 1>(), transpose_indexed_of<V, 2>(), transpose_indexed_of<V, 4>(),
                            transpose_indexed_of<V, 8>(), transpose_indexed_of<V, 16>()},
      .strided = {strided<1>, strided<2>, strided<4>, strided<8>, strided<16>},
      .strided_any = strided_any,
  };
}

}  // namespace
}  // namespace dlspec::optimized
