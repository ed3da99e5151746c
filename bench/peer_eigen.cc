// Eigen: strided maps for two axes, the tensor module's shuffle for dense permutations of more.
#include "implementations.h"

#ifdef DLSPEC_BENCH_EIGEN
#include <algorithm>
#include <numeric>

#include <unsupported/Eigen/CXX11/Tensor>

namespace dlspec::bench {
namespace {

using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;

template <class Item>
std::function<void(int)> matrix(const Trial& trial) {
  using Matrix = Eigen::Matrix<Item, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto& [shape, to, from] = std::tie(trial.bench_case.shape, trial.bench_case.to, trial.bench_case.from);
  Eigen::Map<Matrix, 0, Strides> destination(reinterpret_cast<Item*>(trial.to), shape[0], shape[1],
                                             Strides(to[0], to[1]));
  Eigen::Map<const Matrix, 0, Strides> source(reinterpret_cast<const Item*>(trial.from), shape[0], shape[1],
                                              Strides(from[0], from[1]));
  return [=](int times) mutable {
    for (int i = 0; i < times; ++i) destination = source;
  };
}

// Axes from the largest stride to the smallest; empty if the layout has gaps, or is not row-major in this order.
std::vector<std::size_t> dense_order(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides) {
  std::vector<std::size_t> order(shape.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return strides[a] > strides[b]; });
  std::int64_t expected = 1;
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    if (strides[*axis] != expected) return {};
    expected *= shape[*axis];
  }
  return order;
}

template <class Item, int rank>
std::function<void(int)> shuffle(const Trial& trial, const std::vector<std::size_t>& to,
                                 const std::vector<std::size_t>& from) {
  using Tensor = Eigen::Tensor<Item, rank, Eigen::RowMajor, Eigen::Index>;
  Eigen::array<Eigen::Index, rank> to_shape, from_shape, axes;
  for (std::size_t i = 0; i < std::size_t{rank}; ++i) {
    to_shape[i] = trial.bench_case.shape[to[i]];
    from_shape[i] = trial.bench_case.shape[from[i]];
    axes[i] = std::find(from.begin(), from.end(), to[i]) - from.begin();
  }
  Eigen::TensorMap<Tensor> destination(reinterpret_cast<Item*>(trial.to), to_shape);
  Eigen::TensorMap<const Tensor> source(reinterpret_cast<const Item*>(trial.from), from_shape);
  return [=](int times) mutable {
    for (int i = 0; i < times; ++i) destination = source.shuffle(axes);
  };
}

template <class Item>
std::function<void(int)> prepare(const Trial& trial) {
  const RearrangeCase& bench_case = trial.bench_case;
  if (bench_case.shape.size() == 2) return matrix<Item>(trial);
  const auto to = dense_order(bench_case.shape, bench_case.to), from = dense_order(bench_case.shape, bench_case.from);
  if (to.empty() || from.empty()) return {};
  switch (bench_case.shape.size()) {
    case 3: return shuffle<Item, 3>(trial, to, from);
    case 4: return shuffle<Item, 4>(trial, to, from);
    case 5: return shuffle<Item, 5>(trial, to, from);
    case 6: return shuffle<Item, 6>(trial, to, from);
    default: return {};
  }
}

}  // namespace

void add_eigen(const Trial& trial, std::vector<Implementation>& all, std::vector<std::string>& notes) {
  notes.push_back("Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
                  std::to_string(EIGEN_MINOR_VERSION));
  std::function<void(int)> repeat;
  switch (trial.bench_case.element_size) {
    case 1: repeat = prepare<std::uint8_t>(trial); break;
    case 2: repeat = prepare<std::uint16_t>(trial); break;
    case 4: repeat = prepare<std::uint32_t>(trial); break;
    case 8: repeat = prepare<std::uint64_t>(trial); break;
    default: break;
  }
  if (repeat) all.push_back({"eigen", false, true, repeat});
}

}  // namespace dlspec::bench

#endif
