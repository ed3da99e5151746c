// Neither accepting nor reporting allocates. The test program replaces the allocation operators by counting ones.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include <dlspec/optimized/testing/allocations.h>
#include <dlspec/optimized/testing/raw_struct.h>
#include <dlspec/optimized/validate/validate.h>

namespace dlspec::optimized::testing {
std::atomic<std::size_t> allocations = 0;
}

namespace {
void* count_and_allocate(std::size_t size) {
  ++dlspec::optimized::testing::allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t size) { return count_and_allocate(size); }
void* operator new[](std::size_t size) { return count_and_allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace dlspec::optimized::testing {
namespace {

TEST(ValidateAllocations, AreCounted) {
  EXPECT_EQ(allocations_of([] { delete new volatile int; }), 1u);
}

TEST(ValidateAllocations, AreNoneForAGoodTensor) {
  RawStruct raw;
  const Exported exported = raw.exported();
  std::size_t findings = 1;
  EXPECT_EQ(allocations_of([&] { findings = validate(exported).size(); }), 0u);
  EXPECT_EQ(findings, 0u);
}

TEST(ValidateAllocations, AreNoneForManyFindings) {
  RawStruct raw;
  raw.managed.deleter = nullptr;
  raw.managed.flags = ~std::uint64_t{0};
  raw.set_data(0);
  raw.tensor().device = {99, -1};
  raw.tensor().dtype = {kDLComplex, 0, 0};
  raw.tensor().strides = nullptr;
  raw.shape[1] = -1;
  const Exported exported = raw.exported();
  Layout layout;
  const Origin origin{.layout = &layout, .read_only = Known::yes, .copied = Known::no, .padded = true};
  std::size_t findings = 0;
  EXPECT_EQ(allocations_of([&] { findings = validate(exported, &origin).size(); }), 0u);
  EXPECT_GE(findings, 8u);
}

}  // namespace
}  // namespace dlspec::optimized::testing
