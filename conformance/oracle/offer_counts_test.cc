// What an offer counts of the calls of its deleters.
#include <dlspec/conformance/oracle/offer.h>

#include <gtest/gtest.h>

#include <thread>

#include <dlspec/conformance/oracle/offer_testing.h>

namespace dlspec::conformance {
namespace {

using offer_testing::offer;
using offer_testing::release;
using offer_testing::request_of;
using offer_testing::versioned;

TEST(Offer, CountsReleases) {
  const auto made = offer(request_of("float32 (3,4):(4,1) @cpu v1.3"));
  const Exported first = made->share();
  const Exported second = made->share();
  EXPECT_NE(first.object(), second.object());
  release(second);
  EXPECT_EQ(made->counts().live, 1);
  release(first);
  const OfferCounts counts = made->counts();
  EXPECT_EQ(counts.exports, 2);
  EXPECT_EQ(counts.live, 0);
  EXPECT_EQ(counts.deleter_calls, 2);
  EXPECT_EQ(counts.repeated_calls, 0);
  EXPECT_EQ(counts.wrong_self, 0);
  EXPECT_EQ(counts.foreign_thread_calls, 0);
}

TEST(Offer, NoticesASecondRelease) {
  const auto made = offer(request_of("float32 (3) @cpu legacy"));
  const Exported exported = made->share();
  release(exported);
  release(exported);
  EXPECT_EQ(made->counts().deleter_calls, 2);
  EXPECT_EQ(made->counts().repeated_calls, 1);
  EXPECT_EQ(made->counts().live, 0);
}

TEST(Offer, NoticesTheAddressOfACopy) {
  const auto made = offer(request_of("float32 (3):(1) @cpu v1.3"));
  abi::v1::ManagedTensor copy = made->share().versioned();
  copy.deleter(&copy);
  EXPECT_EQ(made->counts().wrong_self, 1);
  EXPECT_EQ(made->counts().live, 0) << "it was meant for this export";
}

TEST(Offer, CountsAPointerThatLeadsNowhere) {
  const auto made = offer(request_of("float32 (3):(1) @cpu v1.3"));
  const int before = Offer::stray_calls();
  versioned(made->share())->deleter(nullptr);
  EXPECT_EQ(Offer::stray_calls(), before + 1);
  EXPECT_EQ(made->counts().deleter_calls, 0);
}

TEST(Offer, CountsEachReleaseOnce) {
  const auto made = offer(request_of("float32 (3):(1) @cpu v1.3"));
  const int before = Offer::all_releases();
  const Exported twice = made->share();
  const Exported kept = made->share();
  EXPECT_EQ(Offer::all_releases(), before);
  release(twice);
  release(twice);
  EXPECT_EQ(Offer::all_releases(), before + 1);
  release(kept);
  EXPECT_EQ(Offer::all_releases(), before + 2);
}

TEST(Offer, TellsRepeatedReleasesForWhichNothingElseIsToBlame) {
  const auto made = offer(request_of("float32 (3):(1) @cpu v1.3"));
  const int before = Offer::all_repeated_calls();
  const Exported copied = made->share();
  const Exported left = made->share();
  const Exported twice = made->share();
  abi::v1::ManagedTensor copy = copied.versioned();
  copy.deleter(&copy);
  Offer::leave_to_capsule(left.object());
  release(left);
  for (const Exported& each : {copied, left}) release(each);
  EXPECT_EQ(Offer::all_repeated_calls(), before);
  release(twice);
  EXPECT_EQ(Offer::all_repeated_calls(), before);
  release(twice);
  EXPECT_EQ(Offer::all_repeated_calls(), before + 1);
  EXPECT_EQ(made->counts().repeated_calls, 3);
}

TEST(Offer, NoticesAForeignThread) {
  const auto made = offer(request_of("float32 (3):(1) @cpu v1.3"));
  const Exported exported = made->share();
  std::thread([&] { release(exported); }).join();
  EXPECT_EQ(made->counts().foreign_thread_calls, 1);
}

}  // namespace
}  // namespace dlspec::conformance
