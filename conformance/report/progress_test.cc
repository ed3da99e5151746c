#include <dlspec/conformance/report/progress.h>

#include <string>

#include <gtest/gtest.h>

#include <dlspec/conformance/report/wrap.h>

namespace dlspec::conformance {
namespace {

const ProgressFigures half{"numpy", 51, 100, 5.0};

TEST(ProgressLine, HasABarTheCasesTheRateAndTheTimeLeft) {
  EXPECT_EQ(progress_line(half, 80, false),
            "numpy  [###############---------------]  51 of 100 cases, 10/s, 0:05 left");
  EXPECT_EQ(progress_line({"numpy", 1, 4, 0}, 40, false), "numpy  [####-------------]  1 of 4 cases") << "no rate yet";
}

TEST(ProgressLine, DrawsBlocksWhereTheTerminalHasThem) {
  EXPECT_EQ(progress_line({"x", 1, 2, 0}, 28, true),
            "x  [\u2588\u2588\u2588\u2588\u2591\u2591\u2591\u2591\u2591]  1 of 2 cases");
}

TEST(ProgressLine, FitsEveryWidth) {
  for (std::size_t width = 1; width < 130; ++width) {
    EXPECT_LE(columns(progress_line(half, width, true)), width);
    EXPECT_LE(columns(progress_line({std::string(200, 'x'), 5, 5, 1}, width, false)), width);
  }
  EXPECT_EQ(progress_line(half, 45, false), "numpy  51 of 100 cases, 10/s, 0:05 left") << "the bar goes first";
}

TEST(ProgressLine, NamesAFileWithoutItsFolder) {
  EXPECT_TRUE(progress_line({"/a/long/way/to/adapter.py", 1, 4, 0}, 60, false).starts_with("adapter.py  ["));
  const std::string cut = progress_line({std::string(60, 'x'), 1, 4, 0}, 60, false);
  EXPECT_EQ(cut.substr(0, 27), "xxxxxxxxxxxxxxxxxxxxx...  [");
}

TEST(ProgressLine, TellsSlowRatesAndLongTimes) {
  const std::string text = progress_line({"x", 11, 20'011, 40}, 80, false);
  EXPECT_NE(text.find("0.2/s, 22:13:20 left"), std::string::npos) << text;
}

TEST(ProgressLine, SurvivesMoreThanAll) {
  EXPECT_EQ(progress_line({"x", 9, 3, 0}, 30, false), "x  [###########]  3 of 3 cases");
  EXPECT_EQ(progress_line({"x", 0, 0, 0}, 30, false), "x  [-----------]  0 of 0 cases");
}

}  // namespace
}  // namespace dlspec::conformance
