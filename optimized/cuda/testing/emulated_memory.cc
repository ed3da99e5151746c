#include <dlspec/optimized/cuda/testing/emulated_memory.h>

namespace dlspec::optimized::cuda::testing {

void Faults::note(std::int64_t& kind, const char* what, std::int64_t offset) {
  if (all() == 0) first = std::string(what) + " at offset " + std::to_string(offset);
  ++kind;
}

bool SharedMemory::is_allowed(Faults& faults, std::uint32_t offset, std::uint32_t width) const {
  if (offset > size_ || width > size_ - offset) {
    faults.note(faults.out_of_range, "shared access out of range", offset);
    return false;
  }
  if (offset % width != 0) faults.note(faults.misaligned, "shared access misaligned", offset);
  return true;
}

void SharedMemory::read(Faults& faults, std::uint32_t thread, std::uint32_t offset, void* to, std::uint32_t width) {
  if (!is_allowed(faults, offset, width)) return;
  for (std::uint32_t i = offset; i < offset + width; ++i) {
    Shadow& shadow = shadows_[i];
    if (shadow.written <= block_) faults.note(faults.uninitialised, "shared memory read before it was written", i);
    if (shadow.written == phase_ && shadow.writer != thread) faults.note(faults.races, "read races with a write", i);
    shadow.several_readers = shadow.read == phase_ && (shadow.several_readers || shadow.reader != thread);
    shadow.read = phase_;
    shadow.reader = thread;
  }
  std::memcpy(to, bytes_.data() + offset, width);
}

void SharedMemory::write(Faults& faults, std::uint32_t thread, std::uint32_t offset, const void* from,
                         std::uint32_t width) {
  if (!is_allowed(faults, offset, width)) return;
  for (std::uint32_t i = offset; i < offset + width; ++i) {
    Shadow& shadow = shadows_[i];
    if (shadow.written == phase_ && shadow.writer != thread) faults.note(faults.races, "two threads write", i);
    if (shadow.read == phase_ && (shadow.several_readers || shadow.reader != thread)) {
      faults.note(faults.races, "write races with a read", i);
    }
    shadow.written = phase_;
    shadow.writer = thread;
  }
  std::memcpy(bytes_.data() + offset, from, width);
}

}  // namespace dlspec::optimized::cuda::testing
