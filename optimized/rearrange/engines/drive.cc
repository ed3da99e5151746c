// From block to block: the loops around the kernels.
#include <limits>

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/threads.h>
#include <dlspec/optimized/rearrange/plan/numbers.h>
#include <dlspec/optimized/rearrange/rearrange.h>

namespace dlspec::optimized {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

// Where the loops stand: like the digits of a number, the innermost loop's first.
class Position {
 public:
  Position(const Plan& plan, std::int64_t block) : plan_(plan) {
    for (std::size_t i = 0; i < plan.depth; ++i) {
      const Loop& loop = plan.loops[i];
      index_[i] = block % loop.count;
      block /= loop.count;
      move(loop, index_[i], index_[i]);
    }
  }

  [[nodiscard]] std::int64_t to() const { return to_; }
  [[nodiscard]] std::int64_t from() const { return from_; }
  [[nodiscard]] std::int64_t a() const { return lesser(plan_.block_a, plan_.a.extent - done_a_ * plan_.block_a); }
  [[nodiscard]] std::int64_t at() const { return done_a_ * plan_.block_a; }
  [[nodiscard]] std::int64_t b() const { return lesser(plan_.block_b, plan_.b.extent - done_b_ * plan_.block_b); }

  void advance() {
    for (std::size_t i = 0; i < plan_.depth; ++i) {
      const Loop& loop = plan_.loops[i];
      if (++index_[i] < loop.count) return move(loop, 1, index_[i]);
      move(loop, 1 - loop.count, 0);
      index_[i] = 0;
    }
  }

 private:
  void move(const Loop& loop, std::int64_t steps, std::int64_t now) {
    to_ += steps * loop.to;
    from_ += steps * loop.from;
    if (loop.cut == Cut::a) done_a_ = now;
    if (loop.cut == Cut::b) done_b_ = now;
  }

  const Plan& plan_;
  std::int64_t to_ = 0, from_ = 0, done_a_ = 0, done_b_ = 0;
  std::int64_t index_[most_loops];
};

struct Work {
  const Plan& plan;
  std::byte* to;
  const std::byte* from;
};

// The part of one of `parts` threads: as many blocks as the others have, give or take one, all in a row.
void run_part(const void* context, int part, int parts) {
  const Work& work = *static_cast<const Work*>(context);
  const std::int64_t share = work.plan.blocks / parts, rest = work.plan.blocks % parts;
  const std::int64_t begin = part * share + lesser(part, rest);
  carry_out_blocks(work.plan, work.to, work.from, begin, begin + share + (part < rest ? 1 : 0));
}

// Of a plan that streams, how many items of its axis `lines` lie before the first that begins a line; 0: none, or too
// many, or never.
std::int64_t items_before_a_line(const Plan& plan, const std::byte* to) {
  if (!plan.streaming || plan.lines == highest_rank) return 0;
  const Step& axis = plan.geometry.axes[plan.lines];
  auto address = reinterpret_cast<std::uintptr_t>(to);
  for (std::int64_t items = 0; items < 64 && items < axis.extent; ++items) {
    if (address % 64 == 0) return items;
    address += static_cast<std::uintptr_t>(axis.to);
  }
  return 0;
}

// The same geometry with other extents of the axis.
void carry_out_part(const Plan& plan, std::int64_t extent, std::int64_t stream_from, std::byte* to,
                    const std::byte* from) {
  Plan part;
  Geometry& geometry = part.geometry = plan.geometry;
  Step* const axis = geometry.axes + plan.lines;
  geometry.bytes = geometry.bytes / axis->extent * extent;
  axis->extent = extent;
  if (extent == 1) {
    for (std::size_t i = plan.lines + 1; i < geometry.rank; ++i) geometry.axes[i - 1] = geometry.axes[i];
    --geometry.rank;
  }
  schedule(part, *find_engine(plan.engine), {.threads = plan.threads, .stream_from = stream_from});
  part.lines = highest_rank;
  carry_out(part, to, from);
}

// The first items of the axis by themselves, then all others: a microsecond or two, against stores that would all
// take two lines.
void carry_out_apart(const Plan& plan, std::byte* to, const std::byte* from, std::int64_t items) {
  const Step& axis = plan.geometry.axes[plan.lines];
  carry_out_part(plan, items, largest, to, from);
  carry_out_part(plan, axis.extent - items, 0, to + items * axis.to, from + items * axis.from);
}

}  // namespace

void carry_out_blocks(const Plan& plan, std::byte* to, const std::byte* from, std::int64_t begin,
                      std::int64_t end) noexcept {
  Position position(plan, begin);
  for (std::int64_t block = begin; block < end; ++block) {
    Block given{to + position.to(), from + position.from(), position.a(), position.b(), position.at(), 0};
    const std::int64_t here = position.from();
    position.advance();
    if (block + 1 < end) given.ahead = position.from() - here;
    plan.kernel(plan, given);
  }
#if defined(__x86_64__)
  if (plan.streaming) __builtin_ia32_sfence();  // what went past the caches is there for other threads
#endif
}

void carry_out_large(const Plan& plan, std::byte* to, const std::byte* from) noexcept {
  if (const std::int64_t apart = items_before_a_line(plan, to); apart != 0)
    return carry_out_apart(plan, to, from, apart);
  const Work work{plan, to, from};
  if (plan.threads > 1) return run_on_threads(plan.threads, run_part, &work);
  carry_out_blocks(plan, to, from, 0, plan.blocks);
}

}  // namespace dlspec::optimized
