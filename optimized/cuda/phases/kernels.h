// The kernel of a plan: the one list that the launcher and the emulator share.
#pragma once

#include <cstdint>

#include <dlspec/optimized/cuda/phases/contig.h>
#include <dlspec/optimized/cuda/phases/direct.h>
#include <dlspec/optimized/cuda/phases/fill.h>
#include <dlspec/optimized/cuda/phases/register_tile.h>
#include <dlspec/optimized/cuda/phases/shared_tile.h>

namespace dlspec::optimized::cuda {

// Calls visitor.template visit<K>() with the kernel template for this width.
template <class Index, template <class, int> class Kernels, class Visitor>
bool visit_width(const CudaPlan& plan, Visitor& visitor) {
  switch (plan.width) {
    case 1: visitor.template visit<Kernels<Index, 1>>(); return true;
    case 2: visitor.template visit<Kernels<Index, 2>>(); return true;
    case 4: visitor.template visit<Kernels<Index, 4>>(); return true;
    case 8: visitor.template visit<Kernels<Index, 8>>(); return true;
    case 16: visitor.template visit<Kernels<Index, 16>>(); return true;
    default: return false;
  }
}

template <class Index, class Visitor>
bool visit_index(const CudaPlan& plan, Visitor& visitor) {
  switch (plan.kernel) {
    case Kernel::contig: visitor.template visit<ContigKernel<Index>>(); return true;
    case Kernel::direct: return visit_width<Index, DirectKernel>(plan, visitor);
    case Kernel::fill: return visit_width<Index, FillKernel>(plan, visitor);
    case Kernel::register_tile: return visit_width<Index, RegisterTileKernel>(plan, visitor);
    case Kernel::shared_tile: return visit_width<Index, SharedTileKernel>(plan, visitor);
    case Kernel::none: break;
  }
  return false;
}

// False if the plan has no kernel, or one that does not exist.
template <class Visitor>
bool visit_kernel(const CudaPlan& plan, Visitor& visitor) {
  return plan.wide != 0 ? visit_index<std::int64_t>(plan, visitor) : visit_index<std::int32_t>(plan, visitor);
}

}  // namespace dlspec::optimized::cuda
