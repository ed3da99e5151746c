#include <dlspec/conformance/subject/toml.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace dlspec::conformance {
namespace {

TEST(Toml, ReadsWhatAdaptersAreDescribedWith) {
  const TomlFile file = parse_toml(
      "# facts\n"
      "distribution = \"mlx[cpu]\"  # extras\r\n"
      "display = 'a \"b\" \\c'\n"
      "requires = [\n  \"numpy\",  # companion\n  'ml_dtypes',\n]\n"
      "size = 60\nbig = true\nescaped = \"a\\\"b\\\\\"");
  EXPECT_EQ(file.error, "");
  EXPECT_EQ(std::get<std::string>(file.values.at("distribution")), "mlx[cpu]");
  EXPECT_EQ(std::get<std::string>(file.values.at("display")), "a \"b\" \\c");
  EXPECT_EQ(std::get<std::vector<std::string>>(file.values.at("requires")),
            (std::vector<std::string>{"numpy", "ml_dtypes"}));
  EXPECT_EQ(std::get<std::int64_t>(file.values.at("size")), 60);
  EXPECT_EQ(std::get<bool>(file.values.at("big")), true);
  EXPECT_EQ(std::get<std::string>(file.values.at("escaped")), "a\"b\\");
}

TEST(Toml, AnEmptyFileIsFine) {
  EXPECT_EQ(parse_toml("").error, "");
  EXPECT_EQ(parse_toml("# nothing").error, "");
}

TEST(Toml, ErrorsNameTheLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"a = 1\nb", "line 2: '=' is expected after b"},
      {"[table]", "line 1: tables are not understood here"},
      {"a = \"open\n", "line 1: a string does not end"},
      {"a = \"\\n\"", "line 1: only \\\" and \\\\ are understood after a backslash"},
      {"a = [1]", "line 1: an array of strings is expected"},
      {"a = [\"x\" \"y\"]", "line 1: ',' or ']' is expected in an array"},
      {"a = [\"x\"", "line 1: ',' or ']' is expected in an array"},
      {"a = 1 2", "line 1: nothing more is expected after the value of a"},
      {"a = 1\n\na = 2", "line 3: a is given twice"},
      {"a = 1.5", "line 1: the value of a is no string, array of strings, whole number or boolean"},
      {"a =", "line 1: the value of a is no string, array of strings, whole number or boolean"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(parse_toml(text).error, error) << text;
}

RC_GTEST_PROP(Toml, AnyBytesAreAnswered, (const std::string& bytes)) { (void)parse_toml(bytes); }

RC_GTEST_PROP(Toml, PiecesOfAFileAreAnswered, (std::uint8_t size)) {
  const std::string text = "a = \"x\"\nb = [\"y\", 'z']\nc = 12 # end\nd = false\n";
  (void)parse_toml(text.substr(0, size % (text.size() + 1)));
}

}  // namespace
}  // namespace dlspec::conformance
