// The bytes of the terminal report: colour only where it is asked for, and nothing that a library could smuggle in.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/sample_document.h>
#include <dlspec/conformance/report/console.h>

namespace dlspec::conformance {
namespace {

const ConsoleOptions verbose{.color = false, .width = 80, .verbose = true};

TEST(Console, IsPlainUnlessColourIsAskedFor) {
  EXPECT_EQ(console_report(sample_document(), {}).find('\x1b'), std::string::npos);
  const std::string colored = console_report(sample_document(), {.color = true});
  EXPECT_NE(colored.find("\x1b[1;31mCRASH\x1b[0m"), std::string::npos) << colored;
}

TEST(Console, SurvivesHostileText) {
  Document document =
      document_with({sample_record(RuleId::managed_borrow, Verdict::fail, "producer/float32/c/x\x1b[2J",
                                   "line\nline\x07" + std::string(1'000'000, 'x')),
                     sample_record(RuleId::tensor_element_address, Verdict::unsupported, "a", "two\nlines")});
  document.subjects[0].name = "Num\x1b]0;Py\xFF";
  for (const ConsoleOptions& options : {ConsoleOptions{}, verbose}) {
    const std::string text = console_report(document, options);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_LT(text.size(), 5000u);
  }
  EXPECT_NE(console_report(document, verbose).find("  observed  line\n            line\\x07"), std::string::npos)
      << "continued under itself";
  EXPECT_NE(console_report(document, {}).find("Not supported: 1 case: two lines\n"), std::string::npos);
}

}  // namespace
}  // namespace dlspec::conformance
