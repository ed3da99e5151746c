// Writes of a consumer to what it was offered, before and after its release.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/oracle/offer_testing.h>

namespace dlspec::conformance {
namespace {

using offer_testing::bytes_of;
using offer_testing::offer;
using offer_testing::release;
using offer_testing::request_of;
using offer_testing::versioned;

TEST(Offer, SeesWritesToElementsAsContents) {
  const auto made = offer(request_of("uint8 (2):(2) @cpu v1.3"));
  const Exported exported = made->share();
  bytes_of(exported)[2] = 77;
  EXPECT_EQ(made->contents(), (std::vector<std::uint8_t>{1, 77}));
  EXPECT_TRUE(made->memory_intact());
}

TEST(Offer, NoticesAWriteBetweenElements) {
  const auto made = offer(request_of("uint8 (2):(2) @cpu v1.3"));
  const Exported exported = made->share();
  bytes_of(exported)[1] ^= 1;
  EXPECT_FALSE(made->memory_intact());
  release(exported);
  EXPECT_FALSE(made->memory_intact()) << "not forgotten at the release";
}

TEST(Offer, NoticesAWriteBeforeAndAfter) {
  for (const std::ptrdiff_t place :
       {std::ptrdiff_t{-1}, std::ptrdiff_t{-256}, std::ptrdiff_t{2}, std::ptrdiff_t{255}}) {
    const auto made = offer(request_of("uint8 (2):(1) @cpu v1.3"));
    bytes_of(made->share())[place] ^= 0x40;
    EXPECT_FALSE(made->memory_intact()) << place;
  }
}

TEST(Offer, NoticesAWriteToTheUnusedHalfOfAByte) {
  const auto made = offer(request_of("int4 (3):(1) @cpu v1.3"));
  const Exported exported = made->share();
  bytes_of(exported)[1] ^= 0x0F;
  EXPECT_TRUE(made->memory_intact());
  bytes_of(exported)[1] ^= 0x10;
  EXPECT_FALSE(made->memory_intact());
}

TEST(Offer, NoticesLateWritesToTheData) {
  const auto made = offer(request_of("uint8 (2):(1) @cpu v1.3"));
  const Exported exported = made->share();
  release(exported);
  EXPECT_EQ(made->counts().late_writes, 0);
  bytes_of(exported)[0] = 5;
  EXPECT_EQ(made->counts().late_writes, 1);
  EXPECT_FALSE(made->memory_intact());
}

TEST(Offer, NoticesWritesToTheStruct) {
  const auto made = offer(request_of("uint8 (2):(1) @cpu v1.3"));
  const Exported exported = made->share();
  EXPECT_TRUE(made->struct_intact());
  exported.tensor().shape[0] = 1;
  EXPECT_FALSE(made->struct_intact());
  exported.tensor().shape[0] = 2;
  versioned(exported)->dl_tensor.byte_offset = 1;
  EXPECT_FALSE(made->struct_intact());
  release(exported);
  EXPECT_EQ(made->counts().altered_structs, 1);
}

TEST(Offer, NoticesLateWritesToTheShape) {
  const auto made = offer(request_of("uint8 (2):(1) @cpu v1.3"));
  const Exported exported = made->share();
  release(exported);
  exported.tensor().shape[0] = 1;
  EXPECT_FALSE(made->struct_intact());
  EXPECT_EQ(made->counts().late_writes, 1);
}

// Each member of both structs, written to after the release.
TEST(Offer, NoticesLateWritesToEveryMember) {
  using Versioned = abi::v1::ManagedTensor;
  using Legacy = abi::v0::ManagedTensor;
  void (*const to_versioned[])(Versioned&) = {
      [](Versioned& m) { m.version.minor = 3; },        [](Versioned& m) { m.manager_ctx = nullptr; },
      [](Versioned& m) { m.deleter = nullptr; },        [](Versioned& m) { m.flags = 0; },
      [](Versioned& m) { m.dl_tensor.data = &m; },      [](Versioned& m) { m.dl_tensor.device = {2, 0}; },
      [](Versioned& m) { m.dl_tensor.ndim = 1; },       [](Versioned& m) { m.dl_tensor.dtype.lanes = 2; },
      [](Versioned& m) { m.dl_tensor.shape = {}; },     [](Versioned& m) { m.dl_tensor.strides = {}; },
      [](Versioned& m) { m.dl_tensor.byte_offset = 1; }};
  for (const auto write : to_versioned) {
    const auto made = offer(request_of("uint8 (2):(1) @cpu v1.3"));
    abi::v1::ManagedTensor* const managed = versioned(made->share());
    managed->deleter(managed);
    EXPECT_TRUE(made->struct_intact());
    write(*managed);
    EXPECT_FALSE(made->struct_intact());
    EXPECT_EQ(made->counts().late_writes, 1);
  }
  void (*const to_legacy[])(Legacy&) = {[](Legacy& m) { m.manager_ctx = nullptr; },
                                        [](Legacy& m) { m.deleter = nullptr; },
                                        [](Legacy& m) { m.dl_tensor.ndim = 1; }};
  for (const auto write : to_legacy) {
    const auto made = offer(request_of("uint8 (2):(1) @cpu legacy"));
    auto* const managed = const_cast<Legacy*>(&made->share().legacy());
    managed->deleter(managed);
    write(*managed);
    EXPECT_EQ(made->counts().late_writes, 1);
  }
}

}  // namespace
}  // namespace dlspec::conformance
