// The layouts by which copies are tested, for a GPU.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>

#include <dlspec/optimized/testing/small_world.h>

#include "gpu_copies.h"

namespace dlspec::bench {
namespace {

using optimized::testing::Numbers;
using optimized::testing::Pair;

constexpr std::size_t small_rank = 3;
constexpr std::int64_t most_small = 10'400;  // pairs of a rank; of more, every hundredth
constexpr std::int64_t random_layouts = 2000;
constexpr std::uint64_t most_rank = 64;
constexpr std::int64_t most_elements = 4096;

// Elements between the first one in memory and element (0, ..., 0).
std::int64_t elements_before(const Numbers& shape, const Numbers& strides) {
  std::int64_t before = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) before += std::max<std::int64_t>(-strides[i], 0) * (shape[i] - 1);
  return before;
}

RearrangeCase case_of(const Pair& pair) {
  RearrangeCase made;
  made.name = pair.text();
  made.element_size = pair.dtype.lanes;
  made.shape = pair.shape;
  made.to = pair.to;
  made.from = pair.from;
  made.to_offset = elements_before(pair.shape, pair.to);
  made.from_offset = elements_before(pair.shape, pair.from);
  return made;
}

class RandomLayouts {
 public:
  Pair next() {
    Pair pair;
    constexpr std::uint16_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16};
    pair.dtype = {kDLUInt, 8, sizes[below(std::size(sizes))]};
    pair.shape.assign(below(most_rank + 1), 1);
    std::int64_t elements = 1;
    for (std::int64_t& extent : pair.shape) {
      const std::int64_t wanted = 1 + static_cast<std::int64_t>(below(below(4) == 0 ? 70 : 3));
      if (elements * wanted > most_elements) continue;
      extent = wanted;
      elements *= extent;
    }
    pair.to = nested(pair.shape);
    pair.from = below(2) == 0 ? nested(pair.shape) : any(pair.shape);
    return pair;
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

  // Elements share no memory.
  Numbers nested(const Numbers& shape) {
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random_);
    Numbers strides(shape.size());
    std::int64_t next = 1 + static_cast<std::int64_t>(below(2));
    for (const std::size_t axis : order) {
      strides[axis] = below(4) == 0 ? -next : next;
      next = next * shape[axis] + static_cast<std::int64_t>(below(3) == 0 ? below(4) : 0);
    }
    return strides;
  }

  Numbers any(const Numbers& shape) {
    Numbers strides(shape.size());
    for (std::int64_t& stride : strides) stride = static_cast<std::int64_t>(below(19)) - 9;
    return strides;
  }

  std::mt19937_64 random_{20};
};

bool is_empty(const Pair& pair) { return std::find(pair.shape.begin(), pair.shape.end(), 0) != pair.shape.end(); }

}  // namespace

void each_corpus_layout(std::int64_t step, const std::function<void(const RearrangeCase&)>& visit) {
  const auto visit_pair = [&](const Pair& pair) {
    if (!is_empty(pair)) visit(case_of(pair));
  };
  for (std::size_t rank = 0; rank <= small_rank; ++rank) {
    const std::int64_t every = optimized::testing::small_world_pairs[rank] > most_small ? 100 * step : step;
    optimized::testing::each_small_pair(rank, [&](std::int64_t number) { return number % every == 0; }, visit_pair);
  }
  RandomLayouts random;
  for (std::int64_t i = 0; i < random_layouts; ++i) {
    const Pair pair = random.next();
    if (i % step == 0) visit_pair(pair);
  }
}

}  // namespace dlspec::bench
