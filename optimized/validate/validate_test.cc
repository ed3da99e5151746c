// What engine authors rely on, spelled out; the comparison with the reference is in testing/.
#include <dlspec/optimized/validate/validate.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <dlspec/optimized/testing/raw_struct.h>
#include <dlspec/optimized/validate/accept.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::optimized {
namespace {

using testing::RawStruct;

TEST(Validate, FindsNothingInAGoodTensorOfAnyGeneration) {
  RawStruct raw;
  for (const Generation generation : testing::all_generations) {
    raw.generation = generation;
    EXPECT_TRUE(accept(raw.exported()));
    EXPECT_TRUE(validate(raw.exported()).empty());
    EXPECT_TRUE(is_sound(raw.exported()));
  }
}

TEST(Validate, AcceptsCommonTensorsOnTheFastPath) {
  RawStruct raw;
  raw.set_layout({2, 3, 4, 5}, {60, -20, 5, 1});
  EXPECT_TRUE(accept(raw.exported())) << "negative stride";
  raw.set_layout({2, 3}, {0, 0});
  EXPECT_TRUE(accept(raw.exported())) << "broadcast";
  raw.set_layout({}, {});
  EXPECT_TRUE(accept(raw.exported())) << "scalar";
  raw.tensor().shape = raw.tensor().strides = nullptr;
  EXPECT_TRUE(accept(raw.exported())) << "scalar without arrays";
  raw.set_layout({7}, {1});
  raw.tensor().dtype = {kDLInt, 4, 1};
  raw.managed.flags = flags::subbyte_padded;
  EXPECT_TRUE(accept(raw.exported())) << "padded sub-byte elements";
  raw.managed.version = {1, 1};
  EXPECT_TRUE(accept(raw.exported())) << "padded in the first version that can be";
  raw.tensor().device = {kDLCUDA, 1};
  EXPECT_TRUE(accept(raw.exported())) << "second GPU";
}

TEST(Validate, AcceptsTheLeastAndTheMostOnTheFastPath) {
  RawStruct raw;
  raw.set_layout({1, 3}, {3, 1});
  EXPECT_TRUE(accept(raw.exported())) << "an extent of 1";
  raw.managed.version = {1, 1};
  raw.tensor().strides = nullptr;
  EXPECT_TRUE(accept(raw.exported())) << "without strides, an extent of 1";
  raw.reset();
  raw.set_data(lowest_host_address);
  EXPECT_TRUE(accept(raw.exported())) << "the lowest address";
  raw.set_layout({2, 3}, {-4, 1});
  EXPECT_FALSE(accept(raw.exported())) << "an element below it";
  raw.reset();
  raw.set_data(lowest_host_address - 1);
  EXPECT_FALSE(accept(raw.exported())) << "the address below it";
  raw.reset();
  std::fill(raw.shape.begin(), raw.shape.end(), 1);
  std::fill(raw.strides.begin(), raw.strides.end(), 1);
  raw.tensor().ndim = max_rank;
  EXPECT_TRUE(accept(raw.exported())) << "the highest rank";
  raw.tensor().ndim = max_rank + 1;
  EXPECT_FALSE(accept(raw.exported()));
}

// One element more overflows what the fast path computes in.
TEST(Validate, AcceptsOnTheFastPathWhatFits64Bits) {
  RawStruct raw;
  raw.set_data(lowest_host_address);
  const auto accepts = [&](abi::DataType dtype, std::int64_t extent) {
    raw.set_layout({extent}, {1});
    raw.tensor().dtype = dtype;
    return accept(raw.exported());
  };
  const std::int64_t most = INT64_MAX / 64;
  EXPECT_TRUE(accepts({kDLFloat, 64, 1}, most));
  EXPECT_FALSE(accepts({kDLFloat, 64, 1}, most + 1));
  raw.managed.flags = flags::subbyte_padded;
  EXPECT_TRUE(accepts({kDLInt, 4, 1}, INT64_MAX / 8)) << "8 bits for each element";
  EXPECT_FALSE(accepts({kDLInt, 4, 2}, INT64_MAX / 16 + 1)) << "8 bits for each lane";
  raw.managed.version = {1, 1};
  raw.managed.flags = 0;
  raw.set_layout({most}, {1});
  raw.tensor().dtype = {kDLFloat, 64, 1};
  raw.tensor().strides = nullptr;
  EXPECT_TRUE(accept(raw.exported())) << "without strides";
  raw.reset();
  const std::uintptr_t bytes = std::uintptr_t{3} * 4 * sizeof(float);
  raw.set_data(UINT64_MAX - bytes - 1);
  EXPECT_TRUE(accept(raw.exported())) << "near the end of the address space";
  raw.set_data(UINT64_MAX - bytes);
  EXPECT_FALSE(accept(raw.exported()));
}

TEST(Validate, ReadsOnTheFastPathWhatTheStructHas) {
  RawStruct raw;
  raw.generation = Generation::bare;
  raw.set_layout({3}, {1});
  raw.shape[1] = 0;  // where a managed tensor would have its deleter
  EXPECT_TRUE(accept(raw.exported()));
  constexpr std::size_t beside = 4;
  alignas(abi::Tensor) std::array<std::byte, sizeof(abi::Tensor) + beside> bytes{};
  std::memcpy(&bytes[beside], &raw.tensor(), sizeof(abi::Tensor));
  const auto* misaligned = static_cast<const void*>(&bytes[beside]);
  EXPECT_FALSE(accept(static_cast<const abi::Tensor*>(misaligned)));
}

// From the minor version on that adds them, and in structs without a version.
TEST(Validate, AcceptsDtypesAndDevicesSinceTheirVersion) {
  RawStruct raw;
  const auto accepted_in = [&](std::uint32_t minor) {
    raw.managed.version = {1, minor};
    return accept(raw.exported());
  };
  int added = 0;
  for (const DtypeCodeRow& row : dtype_table) {
    if (!row.released() || row.value == kDLOpaqueHandle || row.value == kDLComplex) continue;
    raw.tensor().dtype = {static_cast<std::uint8_t>(row.value), row.bits != 0 ? row.bits : std::uint8_t{16}, 1};
    const std::uint32_t since = row.since.major == 1 ? row.since.minor : 0;
    EXPECT_TRUE(accepted_in(since)) << int{row.value};
    raw.generation = Generation::legacy;
    EXPECT_TRUE(accept(raw.exported())) << int{row.value};
    raw.generation = Generation::versioned;
    if (since == 0) continue;
    ++added;
    EXPECT_FALSE(accepted_in(since - 1)) << int{row.value};
  }
  raw.reset();
  for (const DeviceRow& row : device_table) {
    if (!row.released() || !row.address()) continue;
    raw.tensor().device = {row.value, 0};
    const std::uint32_t since = row.since.major == 1 ? row.since.minor : 0;
    EXPECT_TRUE(accepted_in(since)) << int{row.value};
    if (since == 0) continue;
    ++added;
    EXPECT_FALSE(accepted_in(since - 1)) << int{row.value};
  }
  EXPECT_GT(added, 5);
}

TEST(Validate, NamesMemoryThatIsNotAlignedTo256) {
  RawStruct raw;
  raw.set_data(RawStruct::address + 64);
  const Findings findings = validate(raw.exported());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0], (Finding{RuleId::tensor_data_256_aligned, 0, -1, 64, 0}));
  EXPECT_TRUE(is_sound(raw.exported())) << "a remark, no fault";
}

TEST(Validate, ReadsNothingAfterAForeignMajor) {
  RawStruct raw;
  raw.managed.version = {2, 0};
  raw.tensor().ndim = -1;
  const Findings findings = validate(raw.exported());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0], (Finding{RuleId::version_major_published, 0, -1, 2, 0}));
  EXPECT_FALSE(is_sound(raw.exported()));
}

TEST(Validate, RequiresStridesByTheTensorsOwnVersion) {
  RawStruct raw;
  raw.tensor().strides = nullptr;
  EXPECT_TRUE(validate(raw.exported()).contains(RuleId::tensor_strides_not_null));
  raw.managed.version = {1, UINT32_MAX};
  EXPECT_TRUE(validate(raw.exported()).contains(RuleId::tensor_strides_not_null));
  raw.managed.version = {1, 1};
  EXPECT_TRUE(validate(raw.exported()).empty());
  raw.generation = Generation::legacy;
  EXPECT_TRUE(validate(raw.exported()).empty());
}

TEST(Validate, IsNotSoundWithAWarning) {
  RawStruct raw;
  raw.set_layout({0}, {1});
  EXPECT_FALSE(is_sound(raw.exported())) << "data of an empty tensor is not NULL";
  raw.set_data(0);
  EXPECT_TRUE(is_sound(raw.exported()));
  EXPECT_FALSE(is_sound(static_cast<const abi::Tensor*>(nullptr)));
}

// More bytes than the fast path counts, which the examination finds to be in order but for a remark.
TEST(Validate, IsSoundWithARemarkOfTheExamination) {
  RawStruct raw;
  raw.set_data(RawStruct::address + 64);
  raw.tensor().device = {kDLCUDA, 0};
  raw.set_layout({std::int64_t{1} << 60}, {1});
  ASSERT_FALSE(accept(raw.exported()));
  const Findings findings = validate(raw.exported());
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0], (Finding{RuleId::tensor_data_256_aligned, 0, -1, 64, 0}));
  EXPECT_TRUE(is_sound(raw.exported()));
}

}  // namespace
}  // namespace dlspec::optimized
