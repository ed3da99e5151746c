#include <dlspec/conformance/oracle/offer.h>

#include <gtest/gtest.h>

#include <cstring>
#include <variant>

#include <dlspec/conformance/oracle/offer_testing.h>
#include <dlspec/reference/descriptor/describe.h>
#include <dlspec/reference/descriptor/text.h>
#include <dlspec/reference/validate/validate.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

using offer_testing::bytes_of;
using offer_testing::element_count;
using offer_testing::offer;
using offer_testing::release;
using offer_testing::request_of;

constexpr const char* conforming[] = {
    "float32 (3,4):(4,1) @cpu v1.3",        "float32 (3,4) @cpu legacy",
    "float32 (3,4):(1,3) @cpu v1.0 ro",     "float32 (3,4):(10,2)+5 @cpu v1.3",
    "float32 (3,4):(-4,-1)+11 @cpu v1.3",   "int16 (5):(-1) @cpu v1.3",
    "uint8 (1,4,1):(77,1,-5) @cpu v1.3",    "complex128 () @cpu v1.3",
    "bool (3,0):(1,1) @cpu v1.3 data=null", "int4 (3,3):(3,1) @cpu v1.3",
    "float6_e2m3fn (5):(2) @cpu v1.3",      "int4 (4):(2) @cpu v1.3 padded",
    "float32x4 (2):(3) @cpu v1.3",
};

class OfferOf : public testing::TestWithParam<const char*> {};

TEST_P(OfferOf, SaysWhatWasOrderedAndHoldsTheContents) {
  OfferRequest request = request_of(GetParam());
  const auto made = offer(request);
  const Exported exported = made->share();
  EXPECT_EQ(reference::print_text(reference::describe(exported)), GetParam());
  for (const Finding& finding : reference::validate(exported)) {
    EXPECT_NE(verdict_of(finding), Verdict::fail) << observed_text(finding);
  }
  // Bits beyond the last sub-byte element are padding.
  const std::size_t bits = element_count(request.descriptor.layout) * element_bits(request.descriptor.layout.dtype);
  if (bits % 8 != 0)
    request.contents.back() = static_cast<std::uint8_t>(request.contents.back() & ((1U << bits % 8) - 1));
  EXPECT_EQ(made->contents(), request.contents);
  EXPECT_TRUE(made->memory_intact());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(made->data()) % 256, 0U);
  release(exported);
  EXPECT_EQ(made->contents(), request.contents) << "as they were at the release";
  EXPECT_TRUE(made->memory_intact());
  EXPECT_TRUE(made->struct_intact());
}

INSTANTIATE_TEST_SUITE_P(Offer, OfferOf, testing::ValuesIn(conforming));

TEST(Offer, PutsTheFirstElementAtByteOffset) {
  const auto made = offer(request_of("uint8 (3):(-1)+2 @cpu v1.3"));
  const std::uint8_t* data = bytes_of(made->share());
  EXPECT_EQ(data, made->data());
  EXPECT_EQ(data[2], 1);
  EXPECT_EQ(data[0], 3);
}

TEST(Offer, PoisonsWhatWasReleased) {
  const auto made = offer(request_of("uint8 (3):(1) @cpu v1.3"));
  const Exported first = made->share();
  const Exported second = made->share();
  release(first);
  EXPECT_LT(first.tensor().shape[0], 0);
  EXPECT_LT(first.tensor().strides[0], 0);
  EXPECT_EQ(bytes_of(second)[0], 1) << "the data still belongs to the second export";
  release(second);
  EXPECT_NE(bytes_of(second)[0], 1);
}

TEST(Offer, LeavesThingsAsTheyAreWhenToldTo) {
  OfferRequest request = request_of("uint8 (3):(1) @cpu v1.3");
  request.poison_on_release = false;
  const auto made = offer(request);
  const Exported exported = made->share();
  release(exported);
  EXPECT_EQ(exported.tensor().shape[0], 3);
  EXPECT_EQ(bytes_of(exported)[0], 1);
}

TEST(Offer, IsAsOrderedAgainForTheNextRound) {
  const auto made = offer(request_of("uint8 (3):(1) @cpu v1.3"));
  release(made->share());
  const Exported exported = made->share();
  EXPECT_EQ(bytes_of(exported)[0], 1);
  EXPECT_EQ(exported.tensor().shape[0], 3);
}

TEST(Offer, MayLeaveTheDataMisaligned) {
  for (const int bytes : {1, 4, 64}) {
    OfferRequest request = request_of("float32 (3,4):(4,1) @cpu v1.3");
    request.misaligned = static_cast<std::uint8_t>(bytes);
    const auto made = offer(request);
    const Exported exported = made->share();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(exported.tensor().data) % 256, static_cast<std::uintptr_t>(bytes));
    EXPECT_EQ(exported.tensor().byte_offset, 0U);
    EXPECT_EQ(bytes_of(exported), made->data());
    EXPECT_EQ(bytes_of(exported)[0], 1);
    EXPECT_EQ(bytes_of(exported)[47], 48);
    EXPECT_TRUE(made->memory_intact());
    bytes_of(exported)[48] ^= 1;
    EXPECT_FALSE(made->memory_intact());
  }
}

TEST(Offer, TakesAnyManagerContext) {
  for (const char* text : {"float32 (3):(1) @cpu v1.3", "float32 (3) @cpu legacy"}) {
    OfferRequest request = request_of(text);
    request.manager_ctx = 1;
    const auto made = offer(request);
    const Exported exported = made->share();
    void* const context = exported.generation() == Generation::versioned ? exported.versioned().manager_ctx
                                                                         : exported.legacy().manager_ctx;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(context), 1U);
    release(exported);
    EXPECT_EQ(made->counts().live, 0);
    EXPECT_EQ(made->counts().wrong_self, 0);
  }
}

TEST(Offer, SurroundsALegacyStruct) {
  OfferRequest request = request_of("float32 (3) @cpu legacy");
  request.surroundings = 7;
  const auto made = offer(request);
  auto* const managed = const_cast<abi::v0::ManagedTensor*>(&made->share().legacy());
  std::uint64_t words[2] = {};
  std::memcpy(&words[0], reinterpret_cast<const char*>(managed) - 8, 8);
  std::memcpy(&words[1], reinterpret_cast<const char*>(managed) + sizeof *managed, 8);
  EXPECT_EQ(words[0], 7U);
  EXPECT_EQ(words[1], 7U);
  EXPECT_TRUE(made->struct_intact());
}

TEST(Offer, OverridesSingleFields) {
  OfferRequest request = request_of("float32 () @cpu v1.3");
  request.null_shape = true;
  request.null_deleter = true;
  request.ndim = -1;
  request.dtype = abi::DataType{99, 7, 0};
  request.descriptor.device = {99, 3};
  const Exported exported = offer(request)->share();
  EXPECT_EQ(exported.tensor().shape, nullptr);
  EXPECT_EQ(exported.versioned().deleter, nullptr);
  EXPECT_EQ(exported.tensor().ndim, -1);
  EXPECT_EQ(exported.tensor().dtype, (abi::DataType{99, 7, 0}));
  EXPECT_EQ(exported.tensor().device, (abi::Device{99, 3}));
}

TEST(Offer, HasNumbersForARankThatIsTooHigh) {
  OfferRequest request = request_of("float32 (2):(1) @cpu v1.3");
  request.ndim = 3;
  const Exported exported = offer(request)->share();
  EXPECT_EQ(reference::print_text(reference::describe(exported)), "float32 (2,1,1):(1,1,1) @cpu v1.3");
}

TEST(Offer, PutsOuterAxesOfOneElementInFront) {
  OfferRequest request = request_of("float32 (2):(1) @cpu v1.3");
  request.outer_ones = 2;
  const Exported exported = offer(request)->share();
  EXPECT_EQ(reference::print_text(reference::describe(exported)), "float32 (1,1,2):(1,1,1) @cpu v1.3");
}

TEST(Offer, OutlivesItself) {
  auto made = offer(request_of("uint8 (2):(1) @cpu v1.3"));
  const Exported exported = made->share();
  made.reset();
  EXPECT_EQ(bytes_of(exported)[1], 2);
  release(exported);
  EXPECT_NE(bytes_of(exported)[1], 2) << "poisoned, but still there";
}

TEST(Offer, KeepsTheLatestReleasesInQuarantine) {
  const auto made = offer(request_of("uint8 (2):(1) @cpu v1.3"));
  for (std::size_t i = 0; i < 3 * Offer::quarantine_exports; ++i) release(made->share());
  EXPECT_EQ(made->counts().live, 0);
  EXPECT_EQ(made->counts().deleter_calls, static_cast<int>(3 * Offer::quarantine_exports));
  EXPECT_TRUE(made->struct_intact());
}

TEST(Offer, RefusesContentsOfTheWrongLength) {
  OfferRequest request = request_of("float32 (3):(1) @cpu v1.3");
  request.contents.pop_back();
  std::string problem;
  EXPECT_EQ(Offer::make(request, problem), nullptr);
  EXPECT_EQ(problem, "the contents have 11 bytes, the elements 12");
}

TEST(Offer, RefusesWhatNoMemoryHolds) {
  OfferRequest request = request_of("float32 (2):(1) @cpu v1.3");
  request.descriptor.layout.strides = {{std::int64_t{1} << 60}};
  std::string problem;
  EXPECT_EQ(Offer::make(request, problem), nullptr);
  EXPECT_NE(problem, "");
}

TEST(Offer, RefusesADtypeWithoutStorage) {
  OfferRequest request = request_of("float32 (2):(1) @cpu v1.3");
  request.descriptor.layout.dtype = {0, 12, 1};
  request.contents.resize(3);
  std::string problem;
  EXPECT_EQ(Offer::make(request, problem), nullptr);
  EXPECT_NE(problem, "");
}

TEST(Offer, PlacesElementsThatShareBytes) {
  OfferRequest request = request_of("uint8 (2,3):(0,1) @cpu v1.3");
  request.contents = {7, 8, 9, 7, 8, 9};
  EXPECT_EQ(offer(request)->contents(), request.contents);
}

TEST(Offer, RefusesStridesOfAnotherRank) {
  OfferRequest request = request_of("float32 (2):(1) @cpu v1.3");
  request.descriptor.layout.strides = {{1, 1}};
  std::string problem;
  EXPECT_EQ(Offer::make(request, problem), nullptr);
  EXPECT_EQ(problem, "there are 2 strides for 1 extents");
}

}  // namespace
}  // namespace dlspec::conformance
