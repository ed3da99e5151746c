#include <dlspec/optimized/cuda/testing/tracer.h>

#include <algorithm>
#include <set>

namespace dlspec::optimized::cuda::testing {
namespace {

constexpr std::int64_t sector = 32;     // bytes
constexpr std::int64_t bank_row = 128;  // bytes that all 32 banks serve in a cycle

std::int64_t floor_div(std::int64_t number, std::int64_t divisor) {
  return (number - ((number % divisor + divisor) % divisor)) / divisor;
}

}  // namespace

void Tracer::count() {
  std::sort(accesses_.begin(), accesses_.end(), [](const Access& a, const Access& b) {
    return a.request != b.request ? a.request < b.request : a.lane < b.lane;
  });
  const Access* const end = accesses_.data() + accesses_.size();
  for (const Access* first = accesses_.data(); first != end;) {
    const Access* last = first;
    while (last != end && last->request == first->request) ++last;
    const auto kind = first->request >> 40 & 0xFF;
    (kind < 2 ? count_sectors : count_cycles)(first, last, traffic_[kind]);
    first = last;
  }
  accesses_.clear();
}

void Tracer::count_sectors(const Access* begin, const Access* end, Traffic& traffic) {
  std::set<std::int64_t> sectors, offsets;
  std::int64_t bytes = 0;
  for (const Access* access = begin; access != end; ++access) {
    if (offsets.insert(access->offset).second) bytes += access->width;
    sectors.insert(floor_div(access->offset, sector));
  }
  ++traffic.requests;
  traffic.units += static_cast<std::int64_t>(sectors.size());
  traffic.ideal += (bytes + sector - 1) / sector;
  traffic.bytes += bytes;
}

// Accesses of 8 and 16 bytes are served for half and a quarter of a warp at a time. Threads that read the same place
// are served at once.
void Tracer::count_cycles(const Access* begin, const Access* end, Traffic& traffic) {
  const std::uint32_t width = std::max(begin->width, 4u), lanes = 128 / width;
  const std::int64_t units = bank_row / width;
  ++traffic.requests;
  while (begin != end) {
    const Access* last = begin;
    std::vector<std::set<std::int64_t>> rows(static_cast<std::size_t>(units));
    std::size_t most = 0;
    for (; last != end && last->lane / lanes == begin->lane / lanes; ++last) {
      auto& bank = rows[static_cast<std::size_t>(last->offset / width % units)];
      bank.insert(last->offset / width);
      most = std::max(most, bank.size());
      traffic.bytes += last->width;
    }
    traffic.units += static_cast<std::int64_t>(most);
    ++traffic.ideal;
    begin = last;
  }
}

}  // namespace dlspec::optimized::cuda::testing
