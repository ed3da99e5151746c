#include <dlspec/conformance/oracle/watch.h>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <thread>

#include <dlspec/vocabulary/abi.h>

namespace dlspec::conformance {
namespace {

using Legacy = abi::v0::ManagedTensor;
using Versioned = abi::v1::ManagedTensor;

// A producer that counts in its manager_ctx how often it was asked to release which struct.
struct Producer {
  int calls = 0;
  const void* last_self = nullptr;
};

template <class Managed>
void release_by_producer(Managed* self) {
  auto* producer = static_cast<Producer*>(self->manager_ctx);
  ++producer->calls;
  producer->last_self = self;
}

template <class Managed>
Managed exported_by(Producer& producer) {
  Managed managed{};
  managed.manager_ctx = &producer;
  managed.deleter = &release_by_producer<Managed>;
  return managed;
}

template <class Managed>
class WatchTest : public testing::Test {
 protected:
  Producer producer_;
  Managed managed_ = exported_by<Managed>(producer_);
};
using Generations = testing::Types<Legacy, Versioned>;
TYPED_TEST_SUITE(WatchTest, Generations);

TYPED_TEST(WatchTest, PassesTheFirstCallOn) {
  const auto watch = Watch::attach(&this->managed_);
  EXPECT_EQ(watch->counts().calls, 0);
  this->managed_.deleter(&this->managed_);
  EXPECT_EQ(watch->counts().calls, 1);
  EXPECT_EQ(watch->counts().finished, 1);
  EXPECT_EQ(watch->counts().wrong_self, 0);
  EXPECT_EQ(this->producer_.calls, 1);
  EXPECT_EQ(this->producer_.last_self, &this->managed_);
}

TYPED_TEST(WatchTest, SeesStructsInPagesThatNobodyMayWriteTo) {
  const std::size_t size = 4096;
  void* const page = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* const managed = new (page) TypeParam(this->managed_);
  mprotect(page, size, PROT_READ);
  const auto watch = Watch::attach(managed);
  EXPECT_TRUE(watch->release());
  EXPECT_EQ(watch->counts().calls, 1);
  EXPECT_EQ(this->producer_.calls, 1);
  EXPECT_EQ(this->producer_.last_self, managed);
  munmap(page, size);
}

TYPED_TEST(WatchTest, CatchesWhatTheDeleterThrows) {
  this->managed_.deleter = [](TypeParam*) { throw std::bad_alloc(); };
  const auto watch = Watch::attach(&this->managed_);
  EXPECT_TRUE(watch->release());
  EXPECT_EQ(watch->counts().threw, "std::bad_alloc");
  EXPECT_EQ(watch->counts().finished, 1);
}

TYPED_TEST(WatchTest, CountsASecondCallWithoutPassingItOn) {
  const auto watch = Watch::attach(&this->managed_);
  this->managed_.deleter(&this->managed_);
  this->managed_.deleter(&this->managed_);
  EXPECT_EQ(watch->counts().calls, 2);
  EXPECT_EQ(watch->counts().repeated_calls, 1);
  EXPECT_EQ(this->producer_.calls, 1);
}

TYPED_TEST(WatchTest, TellsACopyOfTheStructFromTheStruct) {
  const auto watch = Watch::attach(&this->managed_);
  TypeParam copy = this->managed_;
  copy.deleter(&copy);
  EXPECT_EQ(watch->counts().wrong_self, 1);
  EXPECT_EQ(this->producer_.last_self, &this->managed_) << "the producer still gets the right pointer";
}

TYPED_TEST(WatchTest, CountsAPointerThatLeadsNowhere) {
  const auto watch = Watch::attach(&this->managed_);
  const int before = Watch::stray_calls();
  this->managed_.deleter(nullptr);
  EXPECT_EQ(Watch::stray_calls(), before + 1);
  EXPECT_EQ(watch->counts().calls, 0);
}

TYPED_TEST(WatchTest, LeavesANullDeleterAlone) {
  this->managed_.deleter = nullptr;
  const auto watch = Watch::attach(&this->managed_);
  EXPECT_TRUE(watch->null_deleter());
  EXPECT_EQ(this->managed_.deleter, nullptr);
  EXPECT_FALSE(watch->release());
  EXPECT_EQ(watch->counts().calls, 0);
}

TYPED_TEST(WatchTest, ReleasesOnceInTheConsumersPlace) {
  const auto watch = Watch::attach(&this->managed_);
  EXPECT_TRUE(watch->release());
  EXPECT_FALSE(watch->release());
  EXPECT_EQ(this->producer_.calls, 1);
}

TYPED_TEST(WatchTest, SeesAForeignThread) {
  const auto watch = Watch::attach(&this->managed_);
  std::thread([&] { this->managed_.deleter(&this->managed_); }).join();
  EXPECT_EQ(watch->counts().foreign_thread_calls, 1);
}

TYPED_TEST(WatchTest, DoesNotWatchTwice) {
  const auto watch = Watch::attach(&this->managed_);
  EXPECT_EQ(Watch::attach(&this->managed_), nullptr);
}

TYPED_TEST(WatchTest, PassesTheCallOnAfterTheWatchIsGone) {
  (void)Watch::attach(&this->managed_);
  this->managed_.deleter(&this->managed_);
  EXPECT_EQ(this->producer_.calls, 1);
}

TYPED_TEST(WatchTest, KeepsApartTwoExportsAtOneAddress) {
  const auto first = Watch::attach(&this->managed_);
  this->managed_.deleter(&this->managed_);
  this->managed_ = exported_by<TypeParam>(this->producer_);  // freed and made anew at the same place
  const auto second = Watch::attach(&this->managed_);
  this->managed_.deleter(&this->managed_);
  EXPECT_EQ(first->counts().calls, 1);
  EXPECT_EQ(second->counts().calls, 1);
  EXPECT_EQ(this->producer_.calls, 2);
}

TYPED_TEST(WatchTest, WatchesAStructThatItsProducerUsesAgain) {
  const auto first = Watch::attach(&this->managed_);
  this->managed_.deleter(&this->managed_);
  const auto second = Watch::attach(&this->managed_);  // the deleter still is the watch's
  ASSERT_NE(second, nullptr);
  this->managed_.deleter(&this->managed_);
  EXPECT_EQ(second->counts().calls, 1);
  EXPECT_EQ(this->producer_.calls, 2);
}

TEST(WatchTest, RefusesATensorWithoutADeleterField) {
  const abi::Tensor bare{};
  EXPECT_EQ(Watch::attach(&bare), nullptr);
}

}  // namespace
}  // namespace dlspec::conformance
