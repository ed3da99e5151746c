// Executes plans: the loop nest around the kernels, alone or on threads.
#include <limits>

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/threads.h>
#include <dlspec/optimized/rearrange/plan/arithmetic.h>
#include <dlspec/optimized/rearrange/rearrange.h>

namespace dlspec::optimized {
namespace {

constexpr std::int64_t max_int64 = std::numeric_limits<std::int64_t>::max();

// The loop indices, like the digits of a number, innermost first.
class LoopPosition {
 public:
  LoopPosition(const Plan& plan, std::int64_t block) : plan_(plan) {
    for (std::size_t i = 0; i < plan.depth; ++i) {
      const Loop& loop = plan.loops[i];
      index_[i] = block % loop.count;
      block /= loop.count;
      move(loop, index_[i], index_[i]);
    }
  }

  [[nodiscard]] std::int64_t to() const { return to_; }
  [[nodiscard]] std::int64_t from() const { return from_; }
  [[nodiscard]] std::int64_t a() const { return min(plan_.block_a, plan_.a.extent - done_a_ * plan_.block_a); }
  [[nodiscard]] std::int64_t a_begin() const { return done_a_ * plan_.block_a; }
  [[nodiscard]] std::int64_t b() const { return min(plan_.block_b, plan_.b.extent - done_b_ * plan_.block_b); }

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
    if (loop.blocked == BlockedAxis::a) done_a_ = now;
    if (loop.blocked == BlockedAxis::b) done_b_ = now;
  }

  const Plan& plan_;
  std::int64_t to_ = 0, from_ = 0, done_a_ = 0, done_b_ = 0;
  std::int64_t index_[max_loops];
};

struct PlanWork {
  const Plan& plan;
  std::byte* to;
  const std::byte* from;
};

// The blocks of one of `parts` threads: contiguous, and as many as the others have, give or take one.
void run_part(const void* context, int part, int parts) {
  const PlanWork& work = *static_cast<const PlanWork*>(context);
  const std::int64_t share = work.plan.blocks / parts, remainder = work.plan.blocks % parts;
  const std::int64_t begin = part * share + min(part, remainder);
  run_blocks(work.plan, work.to, work.from, begin, begin + share + (part < remainder ? 1 : 0));
}

// The number of elements of a streaming plan's peel axis before the first that is cache-line aligned; 0: none, too many
// (64), or never.
std::int64_t elements_to_peel(const Plan& plan, const std::byte* to) {
  if (!plan.streaming || plan.peel_axis == max_rank) return 0;
  const Axis& axis = plan.geometry.axes[plan.peel_axis];
  auto address = reinterpret_cast<std::uintptr_t>(to);
  for (std::int64_t elements = 0; elements < 64 && elements < axis.extent; ++elements) {
    if (address % 64 == 0) return elements;
    address += static_cast<std::uintptr_t>(axis.to);
  }
  return 0;
}

// The same geometry with another extent of the peel axis.
void run_partial_plan(const Plan& plan, std::int64_t extent, std::int64_t stream_from, std::byte* to,
                      const std::byte* from) {
  Plan part;
  Geometry& geometry = part.geometry = plan.geometry;
  Axis* const axis = geometry.axes + plan.peel_axis;
  geometry.bytes = geometry.bytes / axis->extent * extent;
  axis->extent = extent;
  if (extent == 1) {
    for (std::size_t i = plan.peel_axis + 1; i < geometry.rank; ++i) geometry.axes[i - 1] = geometry.axes[i];
    --geometry.rank;
  }
  schedule(part, *find_engine(plan.engine), {.threads = plan.threads, .stream_from = stream_from});
  part.peel_axis = max_rank;
  run_plan(part, to, from);
}

// Executes the first elements of the peel axis, then the others: planning both takes 1 to 2 us, but otherwise every
// store would cross a cache line.
void run_peeled(const Plan& plan, std::byte* to, const std::byte* from, std::int64_t elements) {
  const Axis& axis = plan.geometry.axes[plan.peel_axis];
  run_partial_plan(plan, elements, max_int64, to, from);
  run_partial_plan(plan, axis.extent - elements, 0, to + elements * axis.to, from + elements * axis.from);
}

}  // namespace

void run_blocks(const Plan& plan, std::byte* to, const std::byte* from, std::int64_t begin, std::int64_t end) noexcept {
  LoopPosition position(plan, begin);
  for (std::int64_t block = begin; block < end; ++block) {
    Block given{to + position.to(), from + position.from(), position.a(), position.b(), position.a_begin(), 0};
    const std::int64_t here = position.from();
    position.advance();
    if (block + 1 < end) given.prefetch_offset = position.from() - here;
    plan.kernel(plan, given);
  }
#if defined(__x86_64__)
  if (plan.streaming) __builtin_ia32_sfence();  // orders the non-temporal stores before what other threads see next
#endif
}

void run_blocked_plan(const Plan& plan, std::byte* to, const std::byte* from) noexcept {
  if (const std::int64_t peeled = elements_to_peel(plan, to); peeled != 0) return run_peeled(plan, to, from, peeled);
  const PlanWork work{plan, to, from};
  if (plan.threads > 1) return run_on_threads(plan.threads, run_part, &work);
  run_blocks(plan, to, from, 0, plan.blocks);
}

}  // namespace dlspec::optimized
