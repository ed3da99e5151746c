// Descriptors and layout constraints of the InfiniOP library, compared with a plain copy of the same bytes to the heap:
// the cost of checks and bookkeeping.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <dlspec/infiniop/infiniop.h>
#include <dlspec/optimized/descriptor/constraint.h>

#include "comparison.h"

namespace {

struct Layout {
  std::vector<std::size_t> shape;
  std::vector<std::ptrdiff_t> strides;

  explicit Layout(std::size_t rank) : shape(rank, 3), strides(rank, 1) {
    for (std::size_t axis = rank; axis-- > 1;) strides[axis - 1] = strides[axis] * 3;
  }
};

void copy(benchmark::State& state, const Layout& layout) {
  const std::size_t bytes = layout.shape.size() * 8;
  for ([[maybe_unused]] auto _ : state) {
    auto* const memory = static_cast<char*>(std::malloc(2 * bytes + 16));
    std::memcpy(memory, layout.shape.data(), bytes);
    std::memcpy(memory + bytes, layout.strides.data(), bytes);
    benchmark::DoNotOptimize(memory);
    benchmark::ClobberMemory();
    std::free(memory);
  }
}

void create(benchmark::State& state, const Layout& layout, bool compact) {
  for ([[maybe_unused]] auto _ : state) {
    infiniopTensorDescriptor_t made = nullptr;
    const auto* const strides = compact ? nullptr : layout.strides.data();
    if (infiniopCreateTensorDescriptor(&made, layout.shape.size(), layout.shape.data(), strides, INFINI_DTYPE_F32) !=
        INFINI_STATUS_SUCCESS)
      return state.SkipWithError("no descriptor was made");
    benchmark::DoNotOptimize(made);
    infiniopDestroyTensorDescriptor(made);
  }
}

void match(benchmark::State& state, const Layout& layout, const std::string& text) {
  using namespace dlspec::optimized;
  Names names;
  Constraint constraint;
  dlspec::ConstraintError error;
  if (!constraint.parse(text, names, error)) return state.SkipWithError("the constraint is malformed");
  const std::vector<std::int64_t> shape(layout.shape.begin(), layout.shape.end()),
      strides(layout.strides.begin(), layout.strides.end());
  View view({}, shape, strides.data());
  for ([[maybe_unused]] auto _ : state) {
    Bindings bindings;
    benchmark::DoNotOptimize(view);
    if (constraint.match(dlspec::infini_F32, view, bindings) != dlspec::InfiniStatus::success)
      return state.SkipWithError("the tensor does not fit");
    benchmark::DoNotOptimize(bindings);
  }
}

}  // namespace

int main(int argc, char** argv) {
  using dlspec::bench::add_case;
  for (const std::size_t rank : {0u, 2u, 4u, 8u, 16u}) {
    const Layout layout(rank);
    const auto plain = [layout](benchmark::State& state) { copy(state, layout); };
    const std::string name = "create and destroy, rank " + std::to_string(rank);
    add_case(name, plain, [layout](benchmark::State& state) { create(state, layout, false); });
    add_case(name + ", NULL strides", plain, [layout](benchmark::State& state) { create(state, layout, true); });
  }
  const Layout layout(4);
  for (const std::string text :
       {"{ dT | (a, b, c, d) | (..., 1) }", "{ dT | ((a,) b, c, d) | (~) }", "{ dT | (..., n) | (s, t, u, v) }",
        "{ dT | ((...,) m, n*3) | (...) }", "{ dT | shape | strides }"}) {
    add_case(
        "match " + text, [layout](benchmark::State& state) { copy(state, layout); },
        [layout, text](benchmark::State& state) { match(state, layout, text); });
  }
  return dlspec::bench::run_comparison(argc, argv, "plain copy", "here");
}
