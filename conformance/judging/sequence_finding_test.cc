#include <dlspec/conformance/judging/sequence_finding.h>

#include <gtest/gtest.h>

namespace dlspec::conformance {
namespace {

const Sequence steps = *parse_sequence("make a0 c float32 library; export e0 a0 versioned; drop e0");

BatchEnd death(const char* functions) {
  BatchEnd end;
  end.kind = BatchEnd::Kind::death;
  end.death = Death::Kind::crash;
  end.finding = {0, 2, RuleId::managed_exports_independent, Role::producer, "killed by SIGABRT", ""};
  end.functions = functions;
  return end;
}

BatchEnd finding(const char* observed, std::size_t step = 2) {
  BatchEnd end;
  end.kind = BatchEnd::Kind::finding;
  end.finding = {0, step, RuleId::managed_borrow, Role::producer, observed, ""};
  return end;
}

TEST(SequenceFinding, FunctionsAreToldWithoutThoseOfTheCLibraryThatTheyBeginWith) {
  EXPECT_EQ(functions_text(""), "");
  EXPECT_EQ(functions_text("raise (libc.so.6)\nabort (libc.so.6)\n"), "raise (libc.so.6), abort (libc.so.6)");
  EXPECT_EQ(functions_text("abort (libc.so.6)\nrelease (mine.so)\nqsort (libc.so.6)\nf (mine.so)\ng (mine.so)"),
            "release (mine.so), qsort (libc.so.6), f (mine.so)");
}

TEST(SequenceFinding, ADeathIsKnownByItsFunctions) {
  const std::string key = fault_key(death("release (mine.so)\n"), steps);
  EXPECT_EQ(fault_key(death("abort (libc.so.6)\nrelease (mine.so)\n"), steps), key);
  EXPECT_NE(fault_key(death("other (mine.so)\n"), steps), key);
  EXPECT_NE(fault_key(death(""), steps), key);
}

TEST(SequenceFinding, OtherFindingsAreKnownByStepAndObservationWithoutNumbers) {
  const std::string key = fault_key(finding("e1: element 3 is no longer what it was"), steps);
  EXPECT_EQ(fault_key(finding("e12: element 0 is no longer what it was"), steps), key);
  EXPECT_NE(fault_key(finding("e1: ndim has changed"), steps), key);
  EXPECT_NE(fault_key(finding("e1: element 3 is no longer what it was", 1), steps), key);
  EXPECT_NE(fault_key(finding("e1: element 3 is no longer what it was", 3), steps), key);
}

}  // namespace
}  // namespace dlspec::conformance
