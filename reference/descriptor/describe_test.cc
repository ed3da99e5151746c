#include <dlspec/reference/descriptor/describe.h>

#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/reference/testing/generators.h>
#include <dlspec/reference/testing/specimen.h>

namespace dlspec::reference {
namespace {

using testing::Specimen;

RC_GTEST_PROP(Describe, IsTheDescriptorThatTheStructWasMadeOf, ()) {
  const Descriptor descriptor = *testing::conforming_descriptor();
  RC_ASSERT(describe(Specimen(descriptor, testing::is_padded(descriptor)).exported()) == descriptor);
}

Descriptor line_of(std::int64_t extent) {
  Descriptor descriptor;
  descriptor.layout.shape = {extent};
  descriptor.layout.strides = {{1}};
  return descriptor;
}

TEST(Describe, CutsTheRank) {
  Descriptor descriptor;
  descriptor.layout.shape.assign(64, 1);
  Specimen specimen(descriptor);
  specimen.tensor().ndim = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(describe(specimen.exported()), descriptor);
}

TEST(Describe, TakesANegativeRankForZero) {
  Specimen specimen(line_of(3));
  specimen.tensor().ndim = -1;
  EXPECT_TRUE(describe(specimen.exported()).layout.shape.empty());
  EXPECT_EQ(describe(specimen.exported()).layout.strides, testing::Numbers{});
}

TEST(Describe, LeavesNullAndMisalignedArraysAlone) {
  Specimen specimen(line_of(3));
  specimen.tensor().strides = reinterpret_cast<std::int64_t*>(9);
  EXPECT_EQ(describe(specimen.exported()).layout.strides, std::nullopt);
  EXPECT_EQ(describe(specimen.exported()).layout.shape, testing::Numbers{3});
  specimen.tensor().shape = nullptr;
  EXPECT_TRUE(describe(specimen.exported()).layout.shape.empty());
}

TEST(Describe, ReadsOnlyThePrefixAfterAForeignMajor) {
  Specimen specimen(line_of(3));
  specimen.versioned().version = {2, 0};
  specimen.versioned().flags = 5;
  specimen.tensor().shape = reinterpret_cast<std::int64_t*>(8);  // would fault
  const Descriptor descriptor = describe(specimen.exported());
  EXPECT_EQ(descriptor.version, (abi::Version{2, 0}));
  EXPECT_EQ(descriptor.flags, 5u);
  EXPECT_TRUE(descriptor.layout.shape.empty());
}

}  // namespace
}  // namespace dlspec::reference
