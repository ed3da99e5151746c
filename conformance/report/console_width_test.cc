// How wide and how long the terminal report is.
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/sample_document.h>
#include <dlspec/conformance/report/console.h>
#include <dlspec/conformance/report/wrap.h>

namespace dlspec::conformance {
namespace {

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Console, CountsNoLineThatATerminalWouldBreak) {
  std::vector<Record> records;
  std::size_t i = 0;
  for (const Rule& row : rules()) {
    if (row.coverage != Coverage::checked || row.level == Level::may || ++i > 12) continue;
    records.push_back(
        sample_record(row.rule, Verdict::fail, "consumer/float32/negative/" + std::string(60, 'v'), "seen"));
    records.back().reproduce =
        "/usr/local/bin/dlspec run numpy==2.4.6 --case consumer/float32/c/some-variant "
        "--rules version.major-mismatch-release --python /usr/local/bin/python3";
  }
  ConsoleOptions options;
  options.break_commands = true;
  for (const std::size_t width : {60u, 80u}) {
    options.width = width;
    const std::vector<std::string> lines = lines_in(console_report(document_with(records), options));
    EXPECT_LE(lines.size(), 2 * screen_lines);
    for (const std::string& line : lines) EXPECT_LE(columns(line), width) << line;
  }
}

TEST(Console, FitsItsColumns) {
  Document document = sample_document();
  for (Record& record : document.results) record.observed = "seen by somebody who has a lot to tell about it";
  for (const std::size_t width : {40u, 60u, 80u, 100u}) {
    ConsoleOptions options;
    options.width = width;
    for (const std::string& line : lines_in(console_report(document, options))) {
      const bool may_be_long = line.find("  repeat ") != std::string::npos;  // a command is never cut
      EXPECT_TRUE(may_be_long || columns(line) <= width) << width << ": " << line;
    }
  }
}

TEST(Console, TheVerdictHasItsColourOnEachOfItsLines) {
  const Document document = sample_document();
  for (const std::size_t width : {24u, 40u, 80u}) {
    ConsoleOptions options{.color = true, .width = width};
    const std::vector<std::string> lines = lines_in(console_report(document, options));
    options.color = false;
    const std::vector<std::string> plain = lines_in(console_report(document, options));
    EXPECT_TRUE(lines.front().starts_with("\x1b[1mNumPy")) << lines.front();
    std::string painted;  // what stands between the sequences
    for (std::size_t i = 0; !plain[i].empty(); ++i) {
      const std::size_t start = lines[i].find("\x1b[1;31m");
      if (start == std::string::npos) continue;
      const std::size_t end = lines[i].find("\x1b[0m", start);
      painted += (painted.empty() ? "" : " ") + lines[i].substr(start + 7, end - start - 7);
    }
    EXPECT_TRUE(painted.starts_with("does not conform: ")) << width << ": " << painted;
    EXPECT_TRUE(painted.find(" fail") != std::string::npos) << width << ": " << painted;
  }
}

TEST(Console, BreaksCommandsSoThatTheyCanBePasted) {
  const Document document = document_with({sample_record(RuleId::version_major_mismatch_release, Verdict::fail,
                                                         "consumer/float32/negative/major=0", "imported")});
  ConsoleOptions options;
  options.break_commands = true;
  EXPECT_NE(console_report(document, options)
                .find("  repeat    dlspec run numpy --case consumer/float32/negative/major=0 \\\n"
                      "              --rules version.major-mismatch-release\n"),
            std::string::npos)
      << console_report(document, options);
}

}  // namespace
}  // namespace dlspec::conformance
