// Structs that no producer may make, and structs that end behind their flags, as offers.
#include <dlspec/conformance/oracle/hostile_structs.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include <gtest/gtest.h>

#include <dlspec/conformance/oracle/offer_testing.h>
#include <dlspec/reference/descriptor/text.h>
#include <dlspec/reference/validate/validate.h>
#include <dlspec/vocabulary/finding.h>

namespace dlspec::conformance {
namespace {

using offer_testing::offer;
using offer_testing::versioned;

OfferRequest request_of(const char* text) {
  OfferRequest request;
  request.descriptor = std::get<Descriptor>(reference::parse_text(text));
  request.contents.assign(48, 7);
  return request;
}

constexpr const char* sound[] = {"float32 (3,4):(4,1) @cpu v1.3", "float32 (3,4):(4,1) @cpu legacy"};

TEST(HostileStructs, AreFoundByTheirNames) {
  std::set<std::string_view> seen;
  for (const HostileStruct& row : hostile_structs()) {
    EXPECT_TRUE(seen.insert(row.name).second) << row.name;
    EXPECT_EQ(find_hostile_struct(row.name), &row);
    EXPECT_FALSE(std::string_view(row.says).ends_with('.')) << row.name;
  }
  EXPECT_GE(seen.size(), 20U);
  for (const char* name : {"", "null", "null-data "}) EXPECT_EQ(find_hostile_struct(name), nullptr) << name;
}

TEST(HostileStructs, EachBreaksARuleOfProducers) {
  for (const char* text : sound) {
    EXPECT_TRUE(reference::validate(offer(request_of(text))->share()).empty());
    for (const HostileStruct& row : hostile_structs()) {
      OfferRequest request = request_of(text);
      request.hostile = &row;
      const auto made = offer(request);
      EXPECT_FALSE(reference::validate(made->share()).empty()) << row.name << " in " << text;
    }
  }
}

TEST(HostileStructs, AreReleasedAsAnyOther) {
  for (const HostileStruct& row : hostile_structs()) {
    OfferRequest request = request_of(sound[0]);
    request.hostile = &row;
    const auto made = offer(request);
    abi::v1::ManagedTensor* const managed = versioned(made->share());
    EXPECT_TRUE(made->struct_intact()) << row.name;
    managed->deleter(managed);
    EXPECT_EQ(made->counts().live, 0) << row.name;
    EXPECT_EQ(made->counts().altered_structs + made->counts().late_writes, 0) << row.name;
    EXPECT_TRUE(made->memory_intact()) << row.name;
  }
}

TEST(HostileStructs, MisalignedTablesHoldTheirNumbers) {
  OfferRequest request = request_of(sound[0]);
  request.hostile = find_hostile_struct("shape-misaligned");
  const auto made = offer(request);
  const abi::Tensor& tensor = made->share().tensor();
  EXPECT_NE(reinterpret_cast<std::uintptr_t>(tensor.shape) % alignof(std::int64_t), 0U);
  std::int64_t extents[2];
  std::memcpy(extents, tensor.shape, sizeof extents);
  EXPECT_EQ(extents[0], 3);
  EXPECT_EQ(extents[1], 4);
}

TEST(HostileStructs, NeedTwoExtentsAndStrides) {
  for (const char* text : {"float32 (12):(1) @cpu v1.3", "float32 (3,4) @cpu v1.0"}) {
    OfferRequest request = request_of(text);
    request.hostile = hostile_structs().data();
    std::string problem;
    EXPECT_EQ(Offer::make(request, problem), nullptr) << text;
    EXPECT_EQ(problem, "what is spoilt has two extents and two strides");
  }
}

// --- structs that end behind their flags

OfferRequest prefix_request() {
  OfferRequest request = request_of(sound[0]);
  request.descriptor.version = {2, 0};
  request.descriptor.flags = 1;
  request.prefix_only = true;
  return request;
}

TEST(PrefixOnly, IsReadAndReleased) {
  const auto made = offer(prefix_request());
  abi::v1::ManagedTensor* const managed = versioned(made->share());
  EXPECT_EQ(managed->version.major, 2U);
  EXPECT_EQ(managed->flags, 1U);
  EXPECT_EQ(managed->manager_ctx, managed);
  EXPECT_TRUE(made->struct_intact());
  managed->deleter(managed);
  EXPECT_EQ(made->counts().live, 0);
  EXPECT_EQ(made->counts().deleter_calls, 1);
  EXPECT_EQ(made->counts().altered_structs + made->counts().late_writes, 0);
}

TEST(PrefixOnly, AWriteIsSeen) {
  const auto made = offer(prefix_request());
  abi::v1::ManagedTensor* const managed = versioned(made->share());
  managed->flags = 0;
  EXPECT_FALSE(made->struct_intact());
  managed->deleter(managed);
  EXPECT_EQ(made->counts().altered_structs, 1);
  managed->flags = 0;
  EXPECT_EQ(made->counts().late_writes, 1);
}

TEST(PrefixOnlyDeathTest, TheTensorCannotBeRead) {
  const auto made = offer(prefix_request());
  const volatile abi::v1::ManagedTensor* const managed = versioned(made->share());
  EXPECT_DEATH((void)managed->dl_tensor.ndim, "");
}

TEST(PrefixOnly, IsOfAVersionedStruct) {
  OfferRequest request = request_of(sound[1]);
  request.prefix_only = true;
  std::string problem;
  EXPECT_EQ(Offer::make(request, problem), nullptr);
  EXPECT_EQ(problem, "only a versioned struct has a prefix that is read before the rest");
}

// --- legal ranks above any limit

TEST(Offer, HasTablesForEveryRank) {
  OfferRequest request = request_of("float32 (1,12):(12,1) @cpu v1.3");
  request.ndim = 1 << 20;
  const auto made = offer(request);
  const Exported exported = made->share();
  const abi::Tensor& tensor = exported.tensor();
  EXPECT_EQ(tensor.shape[(1 << 20) - 1], 1);
  EXPECT_EQ(tensor.strides[(1 << 20) - 1], 1);
  versioned(exported)->deleter(versioned(exported));
}

}  // namespace
}  // namespace dlspec::conformance
