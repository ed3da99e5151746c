#include <dlspec/reference/testing/specimen.h>

#include <limits>

#include <gtest/gtest.h>

#include <dlspec/vocabulary/dtype.h>

namespace dlspec::testing {
namespace {

Descriptor strided() {
  Descriptor descriptor;
  descriptor.layout.shape = {3, 4};
  descriptor.layout.strides = {{8, -1}};
  descriptor.layout.byte_offset = 28;
  return descriptor;
}

TEST(Specimen, SaysWhatTheDescriptorSays) {
  Descriptor descriptor = strided();
  descriptor.version = {1, 2};
  descriptor.flags = 1;
  Specimen specimen(descriptor);
  const abi::v1::ManagedTensor& managed = specimen.exported().versioned();
  EXPECT_EQ(managed.version, (abi::Version{1, 2}));
  EXPECT_EQ(managed.flags, 1u);
  EXPECT_EQ(managed.dl_tensor.ndim, 2);
  EXPECT_EQ(managed.dl_tensor.shape[1], 4);
  EXPECT_EQ(managed.dl_tensor.strides[1], -1);
  EXPECT_EQ(managed.dl_tensor.byte_offset, 28u);
  EXPECT_EQ(&specimen.tensor(), &managed.dl_tensor);
}

TEST(Specimen, MemoryCoversTheReachAndDataIsAligned) {
  Specimen specimen(strided());
  const auto data = reinterpret_cast<std::uintptr_t>(specimen.tensor().data);
  EXPECT_EQ(data % Specimen::alignment, 0u);
  EXPECT_EQ(specimen.memory().data(), specimen.tensor().data);
  EXPECT_EQ(specimen.memory().size(), 28u + 68u);  // elements -3 to 16, offset 7
}

TEST(Specimen, MemoryBeginsBeforeDataWhereTheReachDoes) {
  Descriptor descriptor = strided();
  descriptor.layout.byte_offset = 0;
  Specimen specimen(descriptor);
  EXPECT_EQ(static_cast<std::uint8_t*>(specimen.tensor().data) - specimen.memory().data(), 256);
  EXPECT_EQ(specimen.memory().size(), 256u + 68u);
}

TEST(Specimen, PointersStayWhenItIsMoved) {
  Specimen first(strided());
  const abi::Tensor* tensor = &first.tensor();
  const Specimen second = std::move(first);
  EXPECT_EQ(&second.tensor(), tensor);
  EXPECT_EQ(second.tensor().shape[0], 3);
}

TEST(Specimen, HugeTensorsHaveAnAddressWithoutMemory) {
  Descriptor descriptor;
  descriptor.layout.shape = {std::numeric_limits<std::int64_t>::max(), 5};
  Specimen specimen(descriptor);
  EXPECT_FALSE(specimen.has_memory());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(specimen.tensor().data), Specimen::fake_address);
}

TEST(Specimen, NullsAreKept) {
  Descriptor descriptor;
  descriptor.null_data = true;
  EXPECT_EQ(Specimen(descriptor).tensor().data, nullptr);
  EXPECT_EQ(Specimen(descriptor).tensor().strides, nullptr);
  descriptor.layout.strides.emplace();
  EXPECT_NE(Specimen(descriptor).tensor().strides, nullptr);
}

TEST(Specimen, CountsTheCallsOfItsDeleter) {
  for (const Generation generation : {Generation::legacy, Generation::versioned}) {
    Descriptor descriptor = strided();
    descriptor.generation = generation;
    Specimen specimen(descriptor);
    EXPECT_EQ(specimen.deletions(), 0);
    if (generation == Generation::legacy) specimen.legacy().deleter(&specimen.legacy());
    if (generation == Generation::versioned) specimen.versioned().deleter(&specimen.versioned());
    EXPECT_EQ(specimen.deletions(), 1);
  }
}

TEST(Specimen, PaddedElementsTakeAByteEach) {
  Descriptor descriptor;
  descriptor.layout = {{kDLInt, 4, 1}, {6}, std::nullopt, 0};
  EXPECT_EQ(Specimen(descriptor, false).memory().size(), 3u);
  EXPECT_EQ(Specimen(descriptor, true).memory().size(), 6u);
}

}  // namespace
}  // namespace dlspec::testing
