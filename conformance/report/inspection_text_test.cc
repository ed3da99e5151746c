// The text of `dlspec inspect` in the columns of a terminal.
#include <dlspec/conformance/report/inspection.h>

#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <dlspec/conformance/report/wrap.h>

namespace dlspec::conformance {
namespace {

Inspection sliced() {
  Inspection found;
  found.type = "numpy.ndarray";
  found.asked = "__dlpack__(max_version=(1, 3))";
  found.name = "dltensor_versioned";
  found.generation = "versioned";
  found.has_destructor = true;
  found.version = {1, 0};
  found.flags = 3;
  found.null_deleter = false;
  found.device = {1, 0};
  found.ndim = 2;
  found.dtype = {0, 64, 1};
  found.shape = {2, 6};
  found.strides = {12, -1};
  found.byte_offset = 0;
  found.data = 0x55d0'c0ff'ee00;
  found.text = "int64 (2,6):(12,-1) @cpu v1.0";
  found.findings = {{RuleId::capsule_destructor_keeps_exception, Verdict::fail,
                     "dropping the consumed capsule cleared the exception that was in flight at that moment",
                     "the exception as it was"}};
  return found;
}

std::string shown(const Inspection& found, std::size_t width, bool color = false) {
  ConsoleOptions options;
  options.width = width;
  options.color = color;
  return show_inspection(found, "", options);
}

TEST(InspectionText, FitsItsColumns) {
  Inspection found = sliced();
  found.shape->assign(40, 1);
  found.strides->assign(40, 1234);
  for (const std::size_t width : {60u, 80u, 120u}) {
    for (const Inspection& each : {sliced(), found}) {
      std::istringstream lines(shown(each, width));
      for (std::string line; std::getline(lines, line);) EXPECT_LE(columns(line), width) << line;
    }
  }
}

TEST(InspectionText, MeaningsStandBesideTheirFieldsWhereTheyFit) {
  const std::string wide = shown(sliced(), 80), narrow = shown(sliced(), 40);
  EXPECT_NE(wide.find("  strides       (12, -1)                      in elements\n"), std::string::npos) << wide;
  EXPECT_NE(wide.find("  flags         0x3                           DLPACK_FLAG_BITMASK_READ_ONLY |\n"),
            std::string::npos)
      << wide;
  EXPECT_NE(narrow.find("  strides       (12, -1)  in elements\n"), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("  object        numpy.ndarray\n                exported by\n"), std::string::npos) << narrow;
}

TEST(InspectionText, NamesOfSeveralLinesStayOnTheirs) {
  Inspection found = sliced();
  found.type = "a\nb";
  found.name = "c\nd";
  const std::string text = shown(found, 80);
  EXPECT_NE(text.find("  object        a b "), std::string::npos) << text;
  EXPECT_NE(text.find("\"c d\""), std::string::npos) << text;
}

TEST(InspectionText, FindingsHaveTheColourOfTheirVerdict) {
  EXPECT_NE(shown(sliced(), 80, true).find("\x1b[1;31mFAIL\x1b[0m"), std::string::npos);
  EXPECT_EQ(shown(sliced(), 80).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace dlspec::conformance
