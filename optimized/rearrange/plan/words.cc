#include <dlspec/optimized/rearrange/plan/words.h>

#include <cstddef>
#include <cstdint>

namespace dlspec::optimized {
namespace {

constexpr std::size_t word = 4;  // bytes

std::uint64_t words_of(std::uint64_t bytes) {
  std::uint64_t words = 0;
  for (std::size_t i = 0; i < program_width / word; ++i) words |= (bytes >> (word * i) & 1) << i;
  return words;
}

}  // namespace

bool consists_of_words(const Geometry& geometry) noexcept {
  std::int64_t steps = geometry.run;
  for (std::size_t i = 0; i < geometry.rank; ++i) steps |= geometry.axes[i].to | geometry.axes[i].from;
  return steps % static_cast<std::int64_t>(word) == 0;
}

void count_words(Program& program) noexcept {
  for (std::size_t s = 0; s < program.sources; ++s) program.source[s].bytes = words_of(program.source[s].bytes);
  for (std::size_t d = 0; d < program.destinations; ++d) {
    program.destination[d].bytes = words_of(program.destination[d].bytes);
  }
  const std::size_t moves = program.first_move[program.destinations];
  for (std::size_t m = 0; m < moves; ++m) {
    Move& move = program.moves[m];
    move.mask = words_of(move.mask);
    std::uint32_t index[program_width / word];
    for (std::size_t i = 0; i < program_width / word; ++i) {
      index[i] = (move.mask >> i & 1) != 0 ? move.index[word * i] / std::uint32_t{word} : 0;
    }
    __builtin_memcpy(move.index, index, sizeof index);
  }
}

}  // namespace dlspec::optimized
