// Chooses how a geometry is carried out: which method, which two axes for the kernel, and how large its blocks. Decided
// by sizes and steps alone: nothing is tried out.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/loops.h>
#include <dlspec/optimized/rearrange/plan/make_program.h>
#include <dlspec/optimized/rearrange/plan/plan.h>
#include <dlspec/optimized/rearrange/rearrange.h>

namespace dlspec::optimized {

inline constexpr std::size_t no_axis = highest_rank;
inline constexpr std::int64_t line = 64;               // bytes of a cache line
inline constexpr std::int64_t strip = 1024;            // bytes of a long row that a block of a transpose has
inline constexpr std::int64_t third_from = 24 << 20;   // payload that a large third cache does not hold
inline constexpr std::int64_t second_cache = 2 << 20;  // bytes

// For one plan, whose geometry stands.
class Scheduler {
 public:
  Scheduler(Plan& plan, const Engine& engine, const PlanOptions& options);

  // All of the plan but its loops.
  void choose();
  [[nodiscard]] std::int64_t threads() const { return threads_; }

  // Over the blocks of a and b, and along every axis that is neither.
  void loops() { make_loops(plan_, inside_); }

 private:
  // Helpers of all methods.
  [[nodiscard]] bool large_for(std::int64_t from) const {
    return geometry_.bytes >= (options_.stream_from < 0 ? from : options_.stream_from);
  }
  void take_kernel(Kernel plain) {
    plan_.streaming = false;
    plan_.kernel = plain;
  }
  void take_kernel(Kernel plain, Kernel streaming, bool large) {
    plan_.streaming = large && streaming != nullptr;
    plan_.kernel = plan_.streaming ? streaming : plain;
  }
  void take(Step& side, std::size_t axis) {
    if (axis == no_axis) return;
    side = geometry_.axes[axis];
    inside_ |= std::uint64_t{1} << axis;
  }
  void take_a(std::size_t axis, std::int64_t block) {
    take(plan_.a, axis);
    plan_.block_a = block;
  }
  void take_b(std::size_t axis, std::int64_t block) {
    take(plan_.b, axis);
    plan_.block_b = block;
  }
  // Into how many threads' blocks the first axis is cut: if there are others, these are shared out.
  [[nodiscard]] std::int64_t alone() const { return geometry_.rank == 1 ? threads_ : 1; }
  // One thread's plain stores keep up with those past the caches as long as a third cache holds both sides.
  [[nodiscard]] bool stays_in_third_cache() const { return has_large_third_cache() && threads_ == 1; }

  // Methods: those that may not suit return whether they do.
  void copy();
  void runs();
  void fill();
  void strided();
  bool program(const Cell& cell);
  void only_cell();

  // Transposes: schedule_transposes.cc.
  [[nodiscard]] bool short_transpose() const;
  void odd_transpose();
  void odd_tiles(std::size_t odd, std::size_t across);
  std::int64_t weave_sides(std::int64_t most, bool cuts, Sides& sides);
  [[nodiscard]] bool leaves_a_rest(std::size_t axis, std::int64_t items) const;
  bool weave_in_lanes();
  bool weave(std::size_t across, bool only_in_lanes);
  [[nodiscard]] bool suits_lanes(std::int64_t rows, std::int64_t columns) const;
  [[nodiscard]] bool fills_most_of_its_lanes(std::int64_t rows, std::int64_t columns) const;
  void transpose(std::size_t across);
  void stage(std::size_t across, bool lines);
  [[nodiscard]] bool pays_to_stage(std::size_t across, bool lines) const;
  [[nodiscard]] bool goes_in_order(std::size_t across) const;
  [[nodiscard]] bool in_planes(std::size_t across) const;

  // Questions of the axes.
  [[nodiscard]] bool steps_in_lines(std::size_t but) const;
  [[nodiscard]] bool fills_lanes() const;
  [[nodiscard]] bool fills_lines(const Cell& cell) const;
  [[nodiscard]] std::size_t next_to_itself_in_source() const;
  [[nodiscard]] std::size_t closest(std::size_t but) const;
  [[nodiscard]] std::size_t next_on_other_pages(std::size_t but) const;
  [[nodiscard]] std::size_t closest_in_source() const;
  [[nodiscard]] bool spares_the_source() const;

  Plan& plan_;
  const Geometry& geometry_;
  const Kernels& kernels_;
  const Kernels* near_;
  const PlanOptions& options_;
  std::int64_t width_;
  std::size_t item_;
  std::int64_t threads_;  // at most so many are worth it
  bool programs_;
  std::uint64_t inside_ = 0;  // axes along which there is no loop but over the blocks of a and b
};

}  // namespace dlspec::optimized
