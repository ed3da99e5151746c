// Each rule that depends on the version, on both sides of the release that added it.
#include <cstdint>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <dlspec/reference/testing/found_rules.h>

namespace dlspec::reference {
namespace {

using namespace testing;  // of dlspec

Rules under(const std::string& text, abi::Version version) {
  Descriptor descriptor = parse(text);
  descriptor.version = version;
  return rules_of(Specimen(descriptor));
}

TEST(Versions, NullStrides) {
  EXPECT_EQ(under("float32 (3) @cpu v1.0", {1, 0}), Rules{});
  EXPECT_EQ(under("float32 (3) @cpu v1.0", {1, 1}), Rules{});
  EXPECT_EQ(under("float32 (3) @cpu v1.0", {1, 2}), Rules{RuleId::tensor_strides_not_null});
  EXPECT_EQ(under("float32 (3) @cpu v1.0", {1, 0xFFFFFFFF}), Rules{RuleId::tensor_strides_not_null});
  EXPECT_EQ(under("float32 () @cpu v1.0", {1, 3}), Rules{});
  EXPECT_EQ(rules_of(make("float32 (3) @cpu legacy")), Rules{});
  EXPECT_EQ(rules_of(make("float32 (3) @cpu bare")), Rules{});
}

TEST(Versions, ValuesThatCameLater) {
  EXPECT_EQ(under("float8_e4m3 (3):(1) @cpu v1.0", {1, 0}), Rules{RuleId::version_truthful_minor});
  EXPECT_EQ(under("float8_e4m3 (3):(1) @cpu v1.0", {1, 1}), Rules{});
  EXPECT_EQ(under("float32 (3):(1) @trn v1.0", {1, 1}), Rules{RuleId::version_truthful_minor});
  EXPECT_EQ(under("float32 (3):(1) @trn v1.0", {1, 2}), Rules{});
  EXPECT_EQ(under("float32 (3):(1) @maia v1.0", {1, 0}), Rules{});
  EXPECT_EQ(rules_of(make("float8_e4m3 (3) @cpu legacy")), Rules{});
  EXPECT_EQ(rules_of(make("float32 (3) @trn bare")), Rules{});
}

TEST(Versions, TheDeviceIsReportedBeforeTheDtype) {
  const Specimen specimen = make("float8_e4m3 (3):(1) @trn v1.0");
  EXPECT_EQ(validate(specimen.exported())[0], (Finding{RuleId::version_truthful_minor, 0, -1, kDLTrn, 0}));
}

TEST(Versions, PaddedFlag) {
  EXPECT_EQ(under("int4 (3):(1) @cpu v1.0 padded", {1, 0}), Rules{RuleId::version_truthful_minor});
  EXPECT_EQ(under("int4 (3):(1) @cpu v1.0 padded", {1, 1}), Rules{});
  EXPECT_EQ(under("float32 (3):(1) @cpu v1.0 padded", {1, 0}), Rules{RuleId::version_truthful_minor});
  EXPECT_EQ(under("float32 (3):(1) @cpu v1.0 padded", {1, 1}), Rules{RuleId::flags_padded_only_subbyte});
  EXPECT_EQ(under("int8 (3):(1) @cpu v1.0 padded", {1, 1}), Rules{RuleId::flags_padded_only_subbyte});
}

TEST(Versions, UnknownValuesOfNewerMinors) {
  const std::pair<std::uint32_t, Verdict> cases[] = {
      {3, Verdict::fail}, {4, Verdict::info}, {0xFFFFFFFF, Verdict::info}};
  for (const auto& [minor, verdict] : cases) {
    Specimen specimen = make("float32 (3):(1) @cpu v1.3 flags=0x8");
    specimen.versioned().version.minor = minor;
    specimen.tensor().device.device_type = 22;
    specimen.tensor().dtype.code = 19;
    const Findings findings = validate(specimen.exported());
    EXPECT_EQ(rules_of(findings),
              (Rules{RuleId::device_type_known, RuleId::dtype_code_known, RuleId::flags_undefined_bits_zero}));
    for (const Finding& finding : findings) EXPECT_EQ(verdict_of(finding), verdict) << observed_text(finding);
  }
}

TEST(Versions, MajorsAroundTheOnlyOne) {
  EXPECT_EQ(under("float32 (3):(1) @cpu v1.0", {0, 0xFFFFFFFF}), Rules{RuleId::version_filled});
  EXPECT_EQ(under("float32 (3):(1) @cpu v1.0", {1, 0xFFFFFFFF}), Rules{});
  EXPECT_EQ(under("float32 (3):(1) @cpu v1.0", {2, 0}), Rules{RuleId::version_major_published});
  EXPECT_EQ(under("float32 (3):(1) @cpu v1.0", {0xFFFFFFFF, 0}), Rules{RuleId::version_major_published});
}

}  // namespace
}  // namespace dlspec::reference
