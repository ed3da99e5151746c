#include <dlspec/optimized/cuda/schedule/banks.h>

#include <algorithm>

#include <dlspec/optimized/cuda/phases/walk.h>
#include <dlspec/optimized/cuda/schedule/walks.h>

namespace dlspec::optimized::cuda {
namespace {

constexpr std::uint32_t word = 4;  // of a bank, in bytes

// Where a thread begins: its place in shared memory, and the first piece of its word of the chain.
struct Begin {
  std::uint32_t shared;
  std::uint32_t piece;
};

Begin begin_of(const Walk& walk, std::uint32_t number, std::uint32_t shared, std::uint32_t pieces) {
  const auto place = begin_walk(walk, Box<std::int64_t>{}, number, shared);
  return {place.shared, place.coordinate(word_coordinate) * pieces};
}

// The cycles beyond one that a group of accesses takes. Places are whole accesses: those of the same one are served at
// once.
class Group {
 public:
  explicit Group(std::uint32_t banks) : banks_(banks) {}

  void add(std::uint32_t place) {
    const std::uint32_t bank = place % banks_;
    std::uint32_t* const seen = places_[bank];
    std::uint32_t& count = counts_[bank];
    if (std::find(seen, seen + count, place) != seen + count) return;
    seen[count++] = place;
    most_ = std::max(most_, count);
  }
  [[nodiscard]] std::int64_t conflicts() const { return most_ - 1; }

 private:
  std::uint32_t places_[32][32];
  std::uint32_t counts_[32] = {};
  std::uint32_t most_ = 1;
  const std::uint32_t banks_;
};

}  // namespace

std::int64_t bank_conflicts(const CudaPlan& plan, const Walk& walk, std::uint32_t begin, std::int64_t limit) {
  const std::uint32_t width = std::max<std::uint32_t>(plan.width, word), served = threads_served(plan.width);
  const std::uint32_t pieces = width / plan.width;
  std::int64_t sum = 0;
  for (std::uint32_t warp = 0; warp < walk.threads && sum <= limit; warp += walk.lanes) {
    for (std::uint32_t lane = 0; lane < walk.lanes && sum <= limit; lane += served) {
      Begin begins[32];
      std::uint32_t count = 0;
      for (std::uint32_t i = lane; i < std::min<std::uint32_t>(lane + served, walk.lanes); ++i) {
        if (warp + i < walk.threads) begins[count++] = begin_of(walk, warp + i, begin, pieces);
      }
      for (std::uint32_t piece = 0; piece < pieces; ++piece) {
        Group group(served);
        for (std::uint32_t i = 0; i < count; ++i) {
          const std::uint32_t at = begins[i].piece + piece;
          if (at < walk.chain_pieces)
            group.add(padded(begins[i].shared + chain_offset(walk, at), plan.shared_pad) / width);
        }
        sum += group.conflicts();
      }
    }
  }
  return sum;
}

}  // namespace dlspec::optimized::cuda
