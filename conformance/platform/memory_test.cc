#include <dlspec/conformance/platform/memory.h>

#include <sys/mman.h>

#include <cstdint>

#include <gtest/gtest.h>

namespace dlspec::conformance {
namespace {

constexpr std::size_t page_size = 4096;

// One page with the byte 7 at its begin.
class Page {
 public:
  explicit Page(int rights) {
    *static_cast<std::uint8_t*>(start_) = 7;
    mprotect(start_, page_size, rights);
  }
  ~Page() { munmap(start_, page_size); }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;
  [[nodiscard]] std::uint64_t address() const { return reinterpret_cast<std::uintptr_t>(start_); }

 private:
  void* start_ = mmap(nullptr, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
};

std::uint8_t byte_at(std::uint64_t address) {
  std::uint8_t byte = 0;
  return OwnMemory().copy(address, {&byte, 1}) ? byte : 0;
}

TEST(OwnMemory, ReadsWhatThereIs) {
  const Page page(PROT_READ);
  EXPECT_EQ(byte_at(page.address()), 7);
  EXPECT_EQ(byte_at(page_size / 2), 0) << "nothing is mapped there";
}

TEST(MayBeWritten, KeepsToTheRightsOfThePage) {
  const Page open(PROT_READ | PROT_WRITE);
  EXPECT_TRUE(may_be_written(open.address()));
  EXPECT_EQ(byte_at(open.address()), 7) << "it is written over with itself";
#ifdef __linux__
  const Page constant(PROT_READ);
  EXPECT_FALSE(may_be_written(constant.address()));
  EXPECT_FALSE(may_be_written(page_size / 2)) << "nothing is mapped there";
#endif
}

}  // namespace
}  // namespace dlspec::conformance
