// Failed allocations give a status. operator new and delete are replaced for the whole test program: they fail where a
// test says so, and otherwise call malloc and free.
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include <dlspec/reference/rearrange/gather.h>
#include <dlspec/reference/rearrange/rearrange.h>
#include <dlspec/vocabulary/dtype.h>

namespace {
thread_local bool refuses = false;

void* allocate(std::size_t size) {
  void* const memory = refuses ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace dlspec::reference {
namespace {

template <class Action>
Status without_memory(const Action& action) {
  refuses = true;
  const Status status = action();
  refuses = false;
  return status;
}

TEST(OutOfMemory, IsAStatus) {
  std::uint8_t from[4] = {1, 2, 3, 4}, to[4] = {};
  std::int64_t shape[] = {4}, strides[] = {1};
  const abi::Tensor tensor{from, {kDLCPU, 0}, 1, {kDLUInt, 8, 1}, shape, strides, 0};
  const Axes axes(tensor);
  EXPECT_EQ(without_memory([&] { return rearrange({tensor.dtype, axes, to}, {tensor.dtype, axes, from}); }),
            Status::size_limit);
  EXPECT_EQ(to[0], 0);
  std::vector<std::uint8_t> contents;
  EXPECT_EQ(without_memory([&] { return gather(tensor, false, contents); }), Status::size_limit);
  EXPECT_TRUE(contents.empty());
  EXPECT_EQ(gather(tensor, false, contents), Status::ok);
}

}  // namespace
}  // namespace dlspec::reference
