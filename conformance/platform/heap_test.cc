#include <dlspec/conformance/platform/heap.h>

#include <gtest/gtest.h>

#include <memory>

namespace dlspec::conformance {
namespace {

TEST(Heap, CountsSmallBlocksAndMappedOnes) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's allocator does not say";
#endif
  // Blocks of up to 1,032 bytes may come from the cache of the thread, whose blocks count as used.
  for (const std::size_t size : {std::size_t{5000}, std::size_t{1} << 20}) {
    const std::size_t before = heap_bytes();
    const auto block = std::make_unique<unsigned char[]>(size);
    EXPECT_GE(heap_bytes(), before + size);
    EXPECT_LT(heap_bytes(), before + size + 8192);
  }
}

}  // namespace
}  // namespace dlspec::conformance
