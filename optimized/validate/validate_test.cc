// What engine authors rely on, spelled out; the comparison with the reference is in testing/.
#include <dlspec/optimized/validate/validate.h>

#include <gtest/gtest.h>

#include <cstdint>

#include <dlspec/optimized/testing/raw_struct.h>
#include <dlspec/optimized/validate/accept.h>

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
  raw.set_layout({7}, {1});
  raw.tensor().dtype = {kDLInt, 4, 1};
  raw.managed.flags = 4;
  EXPECT_TRUE(accept(raw.exported())) << "padded sub-byte elements";
  raw.tensor().device = {kDLCUDA, 3};
  EXPECT_TRUE(accept(raw.exported())) << "second GPU";
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

}  // namespace
}  // namespace dlspec::optimized
