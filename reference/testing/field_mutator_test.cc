#include <dlspec/reference/testing/field_mutator.h>

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/reference/testing/decoder.h>
#include <dlspec/reference/validate/validate.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::testing {
namespace {

using Bytes = std::vector<std::uint8_t>;

void decode(std::span<const std::uint8_t> bytes, FieldListener& listener) {
  const DecodedTensor decoded(bytes, &listener);
}

Bytes mutated(const Bytes& bytes, std::uint32_t seed, std::size_t most = 512) {
  Bytes out(most);
  out.resize(mutate_fields(decode, bytes, out, seed));
  return out;
}

Bytes crossed(const Bytes& first, const Bytes& second, std::uint32_t seed) {
  Bytes out(1024);
  out.resize(cross_fields(decode, first, second, out, seed));
  return out;
}

Bytes random_bytes() {
  return *rc::gen::container<Bytes>(*rc::gen::inRange<std::size_t>(0, 60), rc::gen::arbitrary<std::uint8_t>());
}

bool same_findings(const Bytes& a, const Bytes& b) {
  const DecodedTensor first(a), second(b);
  return reference::validate(first.exported(), first.origin()) ==
         reference::validate(second.exported(), second.origin());
}

// The string ends where it ends: fields that it lacks may be filled.
RC_GTEST_PROP(FieldMutator, AStringCrossedWithItselfMeansTheSame, ()) {
  Bytes bytes = random_bytes();
  bytes.resize(bytes.size() + 800);  // all fields
  RC_ASSERT(same_findings(crossed(bytes, bytes, 1), bytes));
}

RC_GTEST_PROP(FieldMutator, TheSameSeedGivesTheSameString, (std::uint32_t seed)) {
  const Bytes bytes = random_bytes();
  RC_ASSERT(mutated(bytes, seed) == mutated(bytes, seed));
}

RC_GTEST_PROP(FieldMutator, NothingIsWrittenBehindTheEnd, (std::uint32_t seed)) {
  const Bytes bytes = random_bytes(), other = random_bytes();
  Bytes out(40, 0xEE);
  const std::size_t most = *rc::gen::inRange<std::size_t>(0, 32);
  RC_ASSERT(mutate_fields(decode, bytes, std::span(out).first(most), seed) <= most);
  RC_ASSERT(cross_fields(decode, bytes, other, std::span(out).first(most), seed) <= most);
  RC_ASSERT(std::all_of(out.begin() + static_cast<std::ptrdiff_t>(most), out.end(),
                        [](std::uint8_t byte) { return byte == 0xEE; }));
}

// bfloat16, far behind the extents: another rank changes where its bytes are, not what they mean.
TEST(FieldMutator, AnotherRankLeavesTheDtype) {
  const Bytes base{0, 2, 3, 4, 0, 0, 0, 255, kDLBfloat, 16, 1, 0};
  const DecodedTensor before(base);
  ASSERT_EQ(before.exported().tensor().dtype, (abi::DataType{kDLBfloat, 16, 1}));
  int changed = 0, kept = 0;
  for (std::uint32_t seed = 1; seed <= 4000; ++seed) {
    const Bytes bytes = mutated(base, seed);
    const DecodedTensor decoded(bytes);
    const auto address = reinterpret_cast<std::uintptr_t>(decoded.exported().object());
    if (address == 0 || address % 8 != 0 || decoded.exported().generation() != Generation::versioned) continue;
    if (decoded.exported().versioned().version.major != 1 || decoded.exported().tensor().ndim == 2) continue;
    ++changed;
    kept += decoded.exported().tensor().dtype == before.exported().tensor().dtype ? 1 : 0;
  }
  EXPECT_GT(changed, 200);
  EXPECT_GT(kept, changed / 2);
}

TEST(FieldMutator, EveryFieldIsFilledFromNothing) {
  std::set<RuleId> seen;
  for (std::uint32_t seed = 1; seed <= 4000; ++seed) {
    const Bytes bytes = mutated(mutated({}, seed), ~seed);
    const DecodedTensor decoded(bytes);
    for (const Finding& finding : reference::validate(decoded.exported(), decoded.origin())) seen.insert(finding.rule);
  }
  EXPECT_GT(seen.size(), 20U);
}

}  // namespace
}  // namespace dlspec::testing
