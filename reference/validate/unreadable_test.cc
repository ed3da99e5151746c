// Nothing is read that an earlier finding reports as unreadable. Memory that must not be read is behind a guard page,
// or at an address where nothing is mapped.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/reference/testing/specimen.h>
#include <dlspec/reference/validate/validate.h>

namespace dlspec::reference {
namespace {

using testing::Specimen;

// A copy of some bytes that ends at the guard page.
class AtPageEnd {
 public:
  AtPageEnd(const void* bytes, std::size_t size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    readable_ = (size + page - 1) / page * page;
    mapped_ = readable_ + page;
    void* const memory = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    base_ = static_cast<std::byte*>(memory);
    start_ = base_ + readable_ - size;
    std::memcpy(start_, bytes, size);
    guarded_ = mprotect(base_ + readable_, page, PROT_NONE) == 0;
  }
  ~AtPageEnd() {
    if (base_ != nullptr) munmap(base_, mapped_);
  }
  AtPageEnd(const AtPageEnd&) = delete;
  AtPageEnd& operator=(const AtPageEnd&) = delete;

  [[nodiscard]] bool guarded() const { return guarded_; }
  [[nodiscard]] void* start() const { return start_; }

 private:
  std::byte* base_ = nullptr;
  std::byte* start_ = nullptr;
  std::size_t readable_ = 0;
  std::size_t mapped_ = 0;
  bool guarded_ = false;
};

// A multiple of 8 where no process has memory.
std::int64_t* unmapped() { return reinterpret_cast<std::int64_t*>(std::uintptr_t{4096 - 64}); }

Descriptor conforming(Generation generation, std::vector<std::int64_t> shape) {
  Descriptor descriptor;
  descriptor.generation = generation;
  descriptor.layout.strides = std::vector<std::int64_t>(shape.size(), 1);
  descriptor.layout.shape = std::move(shape);
  return descriptor;
}

std::size_t struct_size(Generation generation) {
  if (generation == Generation::versioned) return sizeof(abi::v1::ManagedTensor);
  return generation == Generation::legacy ? sizeof(abi::v0::ManagedTensor) : sizeof(abi::Tensor);
}

constexpr Generation generations[] = {Generation::bare, Generation::legacy, Generation::versioned};
constexpr std::size_t prefix_size = offsetof(abi::v1::ManagedTensor, dl_tensor);

TEST(Unreadable, NothingBehindTheStruct) {
  for (const Generation generation : generations) {
    const Specimen specimen(conforming(generation, {2, 3}));
    const AtPageEnd copy(specimen.exported().object(), struct_size(generation));
    ASSERT_TRUE(copy.guarded());
    EXPECT_TRUE(validate({generation, copy.start()}).empty());
  }
}

TEST(Unreadable, NothingBehindThePrefixOfAForeignMajor) {
  for (const std::uint32_t major : {0U, 2U, 3U, std::numeric_limits<std::uint32_t>::max()}) {
    Specimen specimen(conforming(Generation::versioned, {2, 3}));
    specimen.versioned().version.major = major;
    specimen.versioned().deleter = nullptr;
    const AtPageEnd prefix(&specimen.versioned(), prefix_size);
    ASSERT_TRUE(prefix.guarded());
    const Findings findings = validate({Generation::versioned, prefix.start()});
    EXPECT_EQ(findings.size(), 2U) << major;
    EXPECT_TRUE(findings.contains(major == 0 ? RuleId::version_filled : RuleId::version_major_published)) << major;
    EXPECT_TRUE(findings.contains(RuleId::managed_deleter_null_meaning)) << major;
  }
}

TEST(Unreadable, NothingOfAMisalignedStruct) {
  for (const Generation generation : generations) {
    for (std::uintptr_t shift = 1; shift < 8; ++shift) {
      const auto* const object = reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(unmapped()) + shift);
      const Findings findings = validate({generation, object});
      ASSERT_EQ(findings.size(), 1U);
      EXPECT_EQ(findings[0], (Finding{RuleId::abi_sizes_offsets, 1, -1, static_cast<std::int64_t>(shift), 0}));
    }
  }
}

TEST(Unreadable, NothingBehindShapeAndStrides) {
  for (std::size_t rank = 1; rank <= 64; ++rank) {
    Specimen specimen(conforming(Generation::versioned, std::vector<std::int64_t>(rank, 1)));
    const AtPageEnd shape(specimen.shape().data(), rank * sizeof(std::int64_t));
    const AtPageEnd strides(specimen.strides().data(), rank * sizeof(std::int64_t));
    ASSERT_TRUE(shape.guarded() && strides.guarded());
    specimen.tensor().shape = static_cast<std::int64_t*>(shape.start());
    specimen.tensor().strides = static_cast<std::int64_t*>(strides.start());
    EXPECT_TRUE(validate(specimen.exported()).empty()) << rank;
  }
}

TEST(Unreadable, NoShapeOfRankZeroNorOfARankOutOfBounds) {
  using Limits = std::numeric_limits<std::int32_t>;
  for (const std::int32_t ndim : {0, -1, 65, Limits::max(), Limits::min()}) {
    Specimen specimen(conforming(Generation::versioned, {}));
    specimen.tensor().ndim = ndim;
    specimen.tensor().shape = unmapped();
    specimen.tensor().strides = unmapped();
    EXPECT_EQ(validate(specimen.exported()).size(), ndim == 0 ? 0U : 1U) << ndim;
  }
}

TEST(Unreadable, NoStridesWithoutAShape) {
  Specimen specimen(conforming(Generation::versioned, {2, 3}));
  specimen.tensor().strides = unmapped();
  specimen.tensor().shape = nullptr;
  EXPECT_TRUE(validate(specimen.exported()).contains(RuleId::tensor_shape_nonnull));
  specimen.tensor().shape = reinterpret_cast<std::int64_t*>(std::uintptr_t{4});
  EXPECT_TRUE(validate(specimen.exported()).contains(RuleId::abi_shape_int64));
}

TEST(Unreadable, NoMisalignedStrides) {
  Specimen specimen(conforming(Generation::versioned, {2, 3}));
  specimen.tensor().strides = reinterpret_cast<std::int64_t*>(std::uintptr_t{4});
  const Origin origin{.allocation_begin = 1, .allocation_end = 2};
  const Findings findings = validate(specimen.exported(), &origin);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0], (Finding{RuleId::abi_shape_int64, 1, -1, 4, 0}));
}

TEST(Unreadable, NoElements) {
  Specimen specimen(conforming(Generation::versioned, {2, 3}));
  specimen.tensor().data = reinterpret_cast<void*>(std::uintptr_t{1} << 46);
  EXPECT_TRUE(validate(specimen.exported()).empty());
}

}  // namespace
}  // namespace dlspec::reference
