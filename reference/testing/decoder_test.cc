#include <dlspec/reference/testing/decoder.h>

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/reference/descriptor/describe.h>
#include <dlspec/reference/descriptor/text.h>
#include <dlspec/reference/validate/validate.h>

namespace dlspec::testing {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes random_bytes() {
  const auto size = *rc::gen::inRange<std::size_t>(0, 200);
  return *rc::gen::container<Bytes>(size, rc::gen::arbitrary<std::uint8_t>());
}

// The struct pointer is valid.
bool has_object(const DecodedTensor& decoded) {
  const auto address = reinterpret_cast<std::uintptr_t>(decoded.exported().object());
  return address != 0 && address % 8 == 0;
}

TEST(Decoder, NoBytesAreAConformingScalar) {
  const DecodedTensor decoded({});
  EXPECT_EQ(reference::print_text(reference::describe(decoded.exported())), "float32 ():() @cpu v1.0");
  EXPECT_EQ(decoded.origin(), nullptr);
}

RC_GTEST_PROP(Decoder, EveryStringIsReadableAsFarAsValidationReads, ()) {
  const Bytes bytes = random_bytes();
  const DecodedTensor decoded(bytes);
  if (has_object(decoded)) RC_ASSERT(!reference::print_text(reference::describe(decoded.exported())).empty());
  (void)reference::validate(decoded.exported(), decoded.origin());
}

RC_GTEST_PROP(Decoder, TheSameStringIsTheSameTensor, ()) {
  const Bytes bytes = random_bytes();
  const DecodedTensor first(bytes), second(bytes);
  RC_PRE(has_object(first));
  RC_ASSERT(reference::describe(first.exported()) == reference::describe(second.exported()));
}

// Random strings reach every rule, and tensors without any finding.
TEST(Decoder, RandomStringsBreakEveryRuleAndSometimesNone) {
  std::set<RuleId> wanted, seen;
  for (const FindingRow& row : finding_table()) wanted.insert(row.rule);
  std::uint32_t state = 1;
  int clean = 0;
  const auto next = [&state] { return static_cast<std::uint8_t>((state = state * 1664525u + 1013904223u) >> 24); };
  for (int round = 0; round < 400000 && seen.size() < wanted.size(); ++round) {
    Bytes bytes(64);
    std::generate(bytes.begin(), bytes.end(), next);
    const DecodedTensor decoded(bytes);
    const Findings findings = reference::validate(decoded.exported(), decoded.origin());
    if (findings.empty()) ++clean;
    for (const Finding& finding : findings) seen.insert(finding.rule);
  }
  for (const RuleId rule : wanted) EXPECT_TRUE(seen.contains(rule)) << dlspec::rule(rule).id;
  EXPECT_GT(clean, 0);
}

}  // namespace
}  // namespace dlspec::testing
