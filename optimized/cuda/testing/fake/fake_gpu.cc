// A libdlspec_cuda.so without a GPU: two devices whose memory is the host's, and kernels that the emulator runs at
// once. Tests put it in the place of the real one, to see what its users do with it. Device memory is what allocate()
// gave; anything else is pageable. What was launched last can be asked for.
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include <dlspec/optimized/cuda/schedule/library_table.h>
#include <dlspec/optimized/cuda/schedule/schedule.h>
#include <dlspec/optimized/cuda/testing/emulator.h>

namespace dlspec::optimized::cuda::testing {
namespace {

constexpr int devices = 2;

struct FakeGpu {
  std::mutex mutex;
  std::map<std::uintptr_t, std::size_t> blocks;  // address to size
  void* last_stream = nullptr;
  int launches = 0;
  Answer next = answer_ok;  // what the next call of a function answers
};
FakeGpu& gpu() {
  static auto* const made = new FakeGpu;  // lives as long as the process: threads may use it until then
  return *made;
}
thread_local int current = 0;

Answer ordered() {
  const Answer answer = gpu().next;
  gpu().next = answer_ok;
  return answer;
}

Answer count_devices(int* count) {
  *count = std::getenv("FAKE_GPU_NONE") == nullptr ? devices : 0;
  return *count == 0 ? answer_no_device : answer_ok;
}
Answer set_device(int device) {
  current = device;
  return ordered();
}
Answer synchronize() { return ordered(); }

Answer allocate(void** pointer, std::size_t bytes) {
  const std::size_t rounded = (bytes / 256 + 1) * 256;
  *pointer = bytes > std::size_t{1} << 40 ? nullptr : std::aligned_alloc(256, rounded);
  if (*pointer == nullptr) return answer_no_memory;
  const std::lock_guard lock(gpu().mutex);
  gpu().blocks[reinterpret_cast<std::uintptr_t>(*pointer)] = rounded;
  return answer_ok;
}
Answer release(void* pointer) {
  const std::lock_guard lock(gpu().mutex);
  if (gpu().blocks.erase(reinterpret_cast<std::uintptr_t>(pointer)) == 0) return answer_failed;
  std::free(pointer);
  return answer_ok;
}
Answer copy(void* to, const void* from, std::size_t bytes) {
  std::memmove(to, from, bytes);
  return answer_ok;
}

Answer memory_of(const void* pointer, MemoryKind* kind) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const std::lock_guard lock(gpu().mutex);
  auto block = gpu().blocks.upper_bound(address);
  *kind = MemoryKind::pageable;
  if (block == gpu().blocks.begin()) return answer_ok;
  --block;
  if (address < block->first + block->second) *kind = MemoryKind::device;
  return answer_ok;
}

Answer launch(const CudaPlan* plan, void* to, const void* from, void* stream) {
  if (!is_launchable(*plan)) return answer_bad_plan;
  if (const Answer answer = ordered(); answer != answer_ok) return answer;
  gpu().last_stream = stream;
  ++gpu().launches;
  BufferMemory memory(static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from));
  Emulator emulator;
  return emulator.run(*plan, memory, 1) && emulator.faults().all() == 0 ? answer_ok : answer_failed;
}

Answer enqueue_copy(void* to, const void* from, std::size_t bytes, void*) { return copy(to, from, bytes); }

constexpr LibraryTable table{table_version, sizeof(CudaPlan), count_devices, set_device, synchronize, allocate, release,
                             copy,          enqueue_copy,     launch,        memory_of};

}  // namespace
}  // namespace dlspec::optimized::cuda::testing

using namespace dlspec::optimized::cuda::testing;  // NOLINT: the functions below are C

#define FAKE_GPU extern "C" __attribute__((visibility("default")))

// NOLINTBEGIN(readability-identifier-naming): C names, the first of which infiniop looks up
FAKE_GPU const dlspec::optimized::cuda::LibraryTable* dlspecCudaTable() { return &table; }
FAKE_GPU void* fakeGpuStream() { return gpu().last_stream; }
FAKE_GPU int fakeGpuLaunches() { return gpu().launches; }
FAKE_GPU int fakeGpuDevice() { return current; }
// The next launch, synchronisation or choice of a device fails so.
FAKE_GPU void fakeGpuAnswer(int answer) { gpu().next = answer; }
// NOLINTEND(readability-identifier-naming)
