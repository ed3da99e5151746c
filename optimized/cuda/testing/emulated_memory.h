// The memory of an emulated GPU, as the phases see it, with everything checked that a GPU would let pass: bounds and
// alignment of every access, that each byte of the destination is written once, and in shared memory that no two
// threads of a phase meet at a byte which one of them writes, and that nothing is read before it was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <dlspec/optimized/cuda/phases/portable.h>
#include <dlspec/optimized/cuda/schedule/plan.h>
#include <dlspec/optimized/cuda/testing/tracer.h>

namespace dlspec::optimized::cuda::testing {

// Number of faults of each kind, and the first one in words.
struct Faults {
  std::int64_t out_of_range = 0;
  std::int64_t misaligned = 0;
  std::int64_t written_twice = 0;
  std::int64_t wrong_value = 0;  // only in virtual memory: real buffers are compared afterwards
  std::int64_t races = 0;
  std::int64_t uninitialised = 0;
  std::string first;

  [[nodiscard]] std::int64_t all() const {
    return out_of_range + misaligned + written_twice + wrong_value + races + uninitialised;
  }
  void note(std::int64_t& kind, const char* what, std::int64_t offset);
};

// Who runs now.
struct Running {
  std::int64_t block = 0;
  std::uint32_t phase = 0;
  std::uint32_t thread = 0;
};

// Shared memory with a shadow per byte. Blocks and phases are told apart by numbers that never come again, so that
// nothing needs to be cleared.
class SharedMemory {
 public:
  SharedMemory() : bytes_(max_shared_bytes), shadows_(max_shared_bytes) {}

  void begin_block(std::uint32_t size) {
    size_ = size;
    block_ = ++number_;
  }
  void begin_phase() { phase_ = ++number_; }

  void read(Faults& faults, std::uint32_t thread, std::uint32_t offset, void* to, std::uint32_t width);
  void write(Faults& faults, std::uint32_t thread, std::uint32_t offset, const void* from, std::uint32_t width);

 private:
  struct Shadow {
    std::uint64_t written = 0;  // number of the phase
    std::uint64_t read = 0;
    std::uint32_t writer = 0;
    std::uint32_t reader = 0;
    bool several_readers = false;
  };
  [[nodiscard]] bool is_allowed(Faults& faults, std::uint32_t offset, std::uint32_t width) const;

  std::vector<std::uint8_t> bytes_;
  std::vector<Shadow> shadows_;
  std::uint32_t size_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t block_ = 0;
  std::uint64_t phase_ = 0;
};

// Global memory that exists: the bytes of both operands, relative to their first runs.
class BufferMemory {
 public:
  BufferMemory(std::uint8_t* to, const std::uint8_t* from) : to_(to), from_(from) {}

  void begin(const CudaPlan& plan) {
    to_begin_ = plan.to_begin;
    written_.assign(static_cast<std::size_t>(plan.to_end - plan.to_begin), 0);
  }
  [[nodiscard]] std::uint32_t to_residue() const { return residue(to_); }
  [[nodiscard]] std::uint32_t from_residue() const { return residue(from_); }

  void read(Faults&, std::int64_t offset, void* into, std::uint32_t width) const {
    std::memcpy(into, from_ + offset, width);
  }
  void write(Faults& faults, std::int64_t offset, const void* value, std::uint32_t width) {
    std::memcpy(to_ + offset, value, width);
    std::uint8_t* const marks = written_.data() + (offset - to_begin_);
    for (std::uint32_t i = 0; i < width; ++i) {
      if (marks[i] != 0) faults.note(faults.written_twice, "byte written twice", offset + i);
      marks[i] = 1;
    }
  }
  [[nodiscard]] std::int64_t bytes_written() const {
    std::int64_t sum = 0;
    for (const std::uint8_t mark : written_) sum += mark;
    return sum;
  }

 private:
  static std::uint32_t residue(const void* address) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(address) % 128);
  }

  std::uint8_t* to_;
  const std::uint8_t* from_;
  std::int64_t to_begin_ = 0;
  std::vector<std::uint8_t> written_;
};

// What a phase gets as its memory.
template <class Global>
class EmulatedMemory {
 public:
  EmulatedMemory(Global& global, SharedMemory& shared, Faults& faults, Tracer* tracer)
      : global_(global), shared_(shared), faults_(faults), tracer_(tracer) {}

  void begin(const CudaPlan& plan) {
    global_.begin(plan);
    plan_ = &plan;
  }
  Running running;

  [[nodiscard]] std::uint32_t to_residue() const { return global_.to_residue(); }
  [[nodiscard]] std::uint32_t from_residue() const { return global_.from_residue(); }

  template <int width>
  Word<width> load(int site, std::uint32_t step, std::int64_t offset) {
    Word<width> value{};
    if (is_allowed(offset, width, plan_->from_begin, plan_->from_end, from_residue())) {
      global_.read(faults_, offset, &value, width);
    }
    trace(Tracer::Kind::load, site, step, offset + from_residue(), width);
    return value;
  }
  // For a line of accesses: an offset, and accesses at distances from it.
  [[nodiscard]] static std::int64_t from_line(std::int64_t offset) { return offset; }
  [[nodiscard]] static std::int64_t to_line(std::int64_t offset) { return offset; }
  template <int width>
  Word<width> load(int site, std::uint32_t step, std::int64_t line, std::int64_t distance) {
    return load<width>(site, step, line + distance);
  }
  template <int width>
  void store(int site, std::uint32_t step, std::int64_t line, std::int64_t distance, const Word<width>& value) {
    store<width>(site, step, line + distance, value);
  }
  template <int width>
  void store(int site, std::uint32_t step, std::int64_t offset, const Word<width>& value) {
    if (is_allowed(offset, width, plan_->to_begin, plan_->to_end, to_residue())) {
      global_.write(faults_, offset, &value, width);
    }
    trace(Tracer::Kind::store, site, step, offset + to_residue(), width);
  }
  template <int width>
  Word<width> shared_load(int site, std::uint32_t step, std::uint32_t offset) {
    Word<width> value{};
    shared_.read(faults_, running.thread, offset, &value, width);
    trace(Tracer::Kind::shared_load, site, step, offset, width);
    return value;
  }
  template <int width>
  void shared_store(int site, std::uint32_t step, std::uint32_t offset, const Word<width>& value) {
    shared_.write(faults_, running.thread, offset, &value, width);
    trace(Tracer::Kind::shared_store, site, step, offset, width);
  }

 private:
  bool is_allowed(std::int64_t offset, std::int64_t width, std::int64_t begin, std::int64_t end,
                  std::uint32_t residue) {
    if (offset < begin || offset > end - width) {
      faults_.note(faults_.out_of_range, "global access out of range", offset);
      return false;
    }
    if ((offset + residue) % width != 0) faults_.note(faults_.misaligned, "global access misaligned", offset);
    return true;
  }
  void trace(Tracer::Kind kind, int site, std::uint32_t step, std::int64_t offset, std::uint32_t width) {
    if (tracer_ != nullptr) tracer_->record(kind, site, step, running.thread, offset, width);
  }

  Global& global_;
  SharedMemory& shared_;
  Faults& faults_;
  Tracer* tracer_;
  const CudaPlan* plan_ = nullptr;
};

}  // namespace dlspec::optimized::cuda::testing
