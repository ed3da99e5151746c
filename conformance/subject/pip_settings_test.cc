#include <dlspec/conformance/subject/pip_settings.h>

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include <dlspec/conformance/subject/uv.h>

namespace dlspec::conformance {
namespace {

TEST(PipSettings, SectionsContinuationsAndComments) {
  PipSettings settings;
  read_pip_file(
      "[global]\nindex-url = https://a/simple\n# comment\nextra_index_url =\n    https://b\n    https://c\n"
      "[freeze]\ntimeout = 1\n[install]\ncert: /ca.pem\nconstraint = /c.txt\n",
      settings);
  EXPECT_EQ(settings["index-url"], "https://a/simple");
  EXPECT_EQ(settings.count("timeout"), 0U);
  EXPECT_EQ(settings["cert"], "/ca.pem");
  const auto variables = uv_variables(settings);
  EXPECT_EQ(variables, (std::vector<std::string>{"UV_DEFAULT_INDEX=https://a/simple", "UV_INDEX=https://b https://c",
                                                 "SSL_CERT_FILE=/ca.pem", "UV_CONSTRAINT=/c.txt"}));
}

TEST(PipSettings, TheEnvironmentWins) {
  setenv("PIP_INDEX_URL", "https://environment", 1);
  setenv("PIP_FIND_LINKS", "/one /two", 1);
  const auto settings = pip_settings("/nonexistent");
  EXPECT_EQ(settings.at("index-url"), "https://environment");
  const auto variables = uv_variables(settings);
  EXPECT_NE(std::find(variables.begin(), variables.end(), "UV_FIND_LINKS=/one,/two"), variables.end());
  unsetenv("PIP_INDEX_URL");
  unsetenv("PIP_FIND_LINKS");
}

TEST(ErrorLines, TheTellingOnesWithoutPasswords) {
  EXPECT_EQ(error_lines("Using Python\n  × No solution found\n  ╰─▶ Because there is no version\nhint: try\n"),
            "  × No solution found\n  ╰─▶ Because there is no version\nhint: try");
  EXPECT_EQ(error_lines("error: cannot fetch https://me:secret@host/simple and https://x/y@z"),
            "error: cannot fetch https://***@host/simple and https://x/y@z");
  EXPECT_EQ(error_lines("one\n\ntwo\n"), "one\ntwo");
  EXPECT_EQ(error_lines(""), "");
}

}  // namespace
}  // namespace dlspec::conformance
