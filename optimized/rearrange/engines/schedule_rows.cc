// Kernel selection for copies of one run, of rows of bytes, of rows of one element, and element by element.
#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/scheduler.h>
#include <dlspec/optimized/rearrange/plan/arithmetic.h>

namespace dlspec::optimized {
namespace {

constexpr std::int64_t copy_block = std::int64_t{1} << 17;  // bytes of a run per kernel call
constexpr std::int64_t min_streamed_run = 1024;             // bytes of a run
constexpr std::int64_t min_fill_row = 64;                   // bytes of a row
constexpr std::int64_t min_run = 32;           // bytes; shorter ones of whole elements are copied element by element
constexpr std::int64_t max_vector_run = 4096;  // bytes up to which the C library's memcpy uses vectors
constexpr double short_run_vectors = 4;        // longer runs take a loop (runs.h)
constexpr std::int64_t short_run = 32;         // bytes
constexpr double streamed_run_cycles = 6;  // what a run that is streamed takes beside: its ends, and changes of streams
constexpr double row_cycles = 2;           // a turn of the outer loop in a kernel
// Each store to another line than the one before: stores that miss L1 wait for one another, as loads do not.
constexpr double store_cycles = 0.15;
constexpr double element_instructions = 3.25, row_instructions = 25;  // of copy_row() (elements.h)

}  // namespace

bool Scheduler::copy() {
  if (geometry_.rank != 0) return false;
  plan_.by_string = copies_by_string();
  set_kernel(kernels_->copy, plan_.by_string ? nullptr : kernels_->copy_streaming);
  plan_.a = {geometry_.run, 1, 1};
  plan_.block_a = div_round_up(balanced_block(geometry_.run, copy_block, threads_), cache_line) * cache_line;
  return true;
}

// Runs that are long enough beyond L1, unless non-temporal stores are asked for. In L2, all runs for which the C
// library's memcpy uses string instructions: those of 6 KiB take 0.8 of the time of vectors there, and in L3 the same.
bool Scheduler::copies_by_string() const {
  return has_fast_strings(machine_.core) && !must_stream() && geometry_.bytes > machine_.l1 / 2 &&
         geometry_.run > (geometry_.bytes <= machine_.l2 ? max_vector_run : 2 * max_vector_run);
}

// In the order of the smaller stride, or, with non-temporal stores, which are insensitive to locality, of the source.
bool Scheduler::runs() { return runs_along(no_axis); }

// Rows and loops in the order of the destination, if that is another order: for ordinary stores alone.
bool Scheduler::runs_by_destination() {
  if (may_stream_ || geometry_.rank < 2 || has_order_of_destination(0)) return false;
  plan_.by_destination = true;
  return runs_along(0);
}

bool Scheduler::runs_along(std::size_t along) {
  if (geometry_.rank == 0 || (size_index_ != element_sizes && row_->width != 0)) return false;
  const bool whole_lines = geometry_.run % cache_line == 0 && strides_are_whole_lines(no_axis);
  // Where L3 does not hold the destination, non-temporal stores of whole lines leave it a source that needs it: 18 runs
  // of 1.2 MB take 0.56 of the time of string instructions. Elsewhere they take up to 1.6 times as long.
  const bool by_string = copies_by_string();
  const bool is_worth_it =
      whole_lines && geometry_.bytes > machine_.l3 && geometry_.from_range.length() > machine_.l3 / 2;
  const bool may_stream = by_string ? is_worth_it : whole_lines || geometry_.run >= min_streamed_run;
  set_kernel(kernels_->runs, may_stream ? kernels_->runs_streaming : nullptr);
  plan_.by_string = by_string && !plan_.streaming;
  if (along == no_axis) along = plan_.streaming ? min_source_stride_axis() : min_stride_axis(no_axis);
  const Axis& rows = geometry_.axes[along];
  plan_.repeating = has_fast_strings(machine_.core) && rows.from == 0 && rows.to == geometry_.run && !plan_.streaming &&
                    geometry_.bytes > machine_.l2;
  const std::int64_t most = rows.from == 0 && !plan_.streaming ? rows.extent : max(1, rows_block / geometry_.run);
  set_b(along, balanced_block(rows.extent, most, inner_axis_parts()));
  const std::int64_t vector = width_ == 0 ? cache_line : width_;
  const double vectors = geometry_.run < vector ? 0 : static_cast<double>(geometry_.run) / static_cast<double>(vector);
  const double long_run = each_->run + vectors * each_->vector + (vectors > short_run_vectors ? each_->long_run : 0);
  work_ = elements() * (geometry_.run <= short_run ? each_->short_run : long_run);
  if (!plan_.streaming) return true;
  work_ += elements() * streamed_run_cycles;
  if (const std::size_t second = page_stride_axis(along); second != no_axis) set_a(second, streams);
  return true;
}

// Rows that repeat one element, of a cache line at least.
bool Scheduler::is_fill() const {
  return geometry_.rank != 0 && size_index_ != element_sizes && geometry_.axes[0].to == geometry_.run &&
         geometry_.axes[0].from == 0 && geometry_.axes[0].extent * geometry_.run >= min_fill_row;
}

// Rows and loops in the order of the destination.
bool Scheduler::fill() {
  plan_.by_destination = true;
  return fill_along(1);
}

// In that of the smaller stride, if that is another order.
bool Scheduler::fill_by_source() {
  if (!is_fill() || has_order_of_destination(1)) return false;
  return fill_along(min_stride_axis(0));
}

bool Scheduler::fill_along(std::size_t across) {
  if (!is_fill()) return false;
  const bool is_long = geometry_.axes[0].extent * geometry_.run >= min_streamed_run;
  set_kernel(kernels_->fill[size_index_], is_long ? kernels_->fill_streaming[size_index_] : nullptr);
  plan_.by_string = has_fast_strings(machine_.core) && geometry_.bytes > machine_.l2;
  set_a(0, balanced_block(geometry_.axes[0].extent, rows_block / geometry_.run, inner_axis_parts()));
  const std::int64_t row = min(plan_.a.extent, plan_.block_a) * geometry_.run;
  set_b(geometry_.rank > 1 ? across : no_axis, max(1, rows_block / row));
  const double steps = static_cast<double>(row) / static_cast<double>(width_ == 0 ? geometry_.run : width_);
  work_ = static_cast<double>(geometry_.bytes) / static_cast<double>(row) * (row_cycles + steps);
  return true;
}

bool Scheduler::strided() {
  const std::size_t along = min_stride_axis(no_axis);
  return strided_along(along, min_stride_axis(along));
}

// Along the source, if that is another axis.
bool Scheduler::strided_by_source() {
  const std::size_t along = min_source_stride_axis();
  return along != min_stride_axis(no_axis) && strided_along(along, min_stride_axis(along));
}

// Along the destination, loops as well, if that is another order.
bool Scheduler::strided_by_destination() {
  if (geometry_.rank < 2 || has_order_of_destination(0)) return false;
  plan_.by_destination = true;
  return strided_along(0, 1);
}

// True if the elements of a row are half a line to two lines apart, if no other axis reads the lines between them, and
// if they come from beyond L2.
bool Scheduler::reads_lines_once(const Axis& row) const {
  const std::int64_t span = geometry_.from_range.length();
  return prefetches_to_write(machine_.core) && row.from >= cache_line / 2 && row.from <= 2 * cache_line &&
         span > machine_.l2 && elements() * static_cast<double>(row.from) <= 1.1 * static_cast<double>(span);
}

bool Scheduler::strided_along(std::size_t along, std::size_t across) {
  if (geometry_.rank == 0 || geometry_.run >= min_run) return false;
  const bool is_power = size_index_ != element_sizes;
  set_kernel(is_power ? kernels_->strided[size_index_] : kernels_->strided_any);
  const std::int64_t max_elements = rows_block / geometry_.run;
  // One of two axes provides blocks for all threads.
  const bool is_split = geometry_.axes[along].extent > max_elements;
  const std::int64_t parts = geometry_.rank == 2 ? threads_ : 1;
  set_a(along, balanced_block(geometry_.axes[along].extent, max_elements, is_split ? parts : inner_axis_parts()));
  plan_.reading_ahead = reads_lines_once(plan_.a);
  const std::int64_t row = min(plan_.a.extent, plan_.block_a);
  // A short copy saves the divisions.
  std::int64_t rows = max_elements;
  if (geometry_.bytes > rows_block && across != no_axis) {
    rows = balanced_block(geometry_.axes[across].extent, max(1, max_elements / row), is_split ? 1 : parts);
  }
  set_b(across, rows);
  const double store = magnitude(plan_.a.to) > cache_line ? store_cycles : 0;
  work_ = elements() * (strided_cycles(geometry_.run) + store + row_cycles / static_cast<double>(row));
  const std::int64_t step = max(1, magnitude(plan_.a.from)), in_line = min(row, max(1, cache_line / step));
  instructions_ = static_cast<double>(in_line) * (element_instructions + row_instructions / static_cast<double>(row));
  return true;
}

}  // namespace dlspec::optimized
