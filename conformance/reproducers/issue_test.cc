#include <dlspec/conformance/reproducers/issue.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace dlspec::conformance {
namespace {

std::string form() {
  std::ifstream file(std::filesystem::path(__FILE__).parent_path() / "issue.txt");
  return {std::istreambuf_iterator<char>(file), {}};
}

Record deviating(Verdict status = Verdict::fail) {
  Record record;
  record.role = Role::consumer;
  record.rule = RuleId::tensor_byte_offset_honoured;
  record.status = status;
  record.observed = "elements of data + 0\nand {script} on a second line";
  record.allowed = "those of data + 8";
  return record;
}

std::string text_for(const char* package, const Record& record) {
  return issue_text(form(), {&record, "Lib 1.2", package, "CPython 3.11.7", "Linux x86_64", "all 4 such cases",
                             "print(1)\n", "python", "Run it by `python3 script.py`.", "https://page"});
}

TEST(Issues, HaveAllThatATrackerAsksFor) {
  const Record record = deviating();
  const std::string text = text_for("", record);
  for (const char* part :
       {"# DLPack import: elements of data + 0 and {script} on a second line\n", "### What happens\n",
        "With Lib 1.2, an import by DLPack: ", "Seen in all 4 such cases.", "**Severity:** silent wrong data",
        "### Expected\n\nThose of data + 8.", "> A consumer must add byte_offset",
        "dlpack.h v0.1, DLTensor.byte_offset", "```python\nprint(1)\n```\n\nRun it by `python3 script.py`.",
        "### Versions\n\nLib 1.2, CPython 3.11.7, Linux x86_64", "[tensor.byte-offset-honoured](https://page)"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(text.find("{title}"), std::string::npos);
  EXPECT_EQ(text.find("print(1)"), text.rfind("print(1)")) << "what a library says is not looked through for names";
}

TEST(Issues, KeepToTheFormOfTheTracker) {
  const Record record = deviating();
  const std::string numpy = text_for("numpy", record);
  EXPECT_TRUE(numpy.starts_with("<!-- For https://github.com/numpy/numpy/issues. -->\n# BUG: DLPack import: "))
      << numpy;
  EXPECT_NE(numpy.find("### Reproduce the code example:\n"), std::string::npos);
  EXPECT_NE(numpy.find("**Expected:**\nThose of data + 8."), std::string::npos) << numpy;
}

TEST(Harms, EveryRuleHasOne) {
  for (const Rule& row : rules()) EXPECT_NE(std::string(harm_of(row.rule, Verdict::fail)), "") << row.id;
}

TEST(Harms, WrongDataAndDeathsComeFirst) {
  EXPECT_EQ(harm_rank(RuleId::tensor_element_address, Verdict::fail), 0u);
  EXPECT_LT(harm_rank(RuleId::managed_deleter_once, Verdict::fail),
            harm_rank(RuleId::python_methods_present, Verdict::fail));
  EXPECT_LE(harm_rank(RuleId::python_methods_present, Verdict::crash),
            harm_rank(RuleId::managed_deleter_once, Verdict::fail));
  EXPECT_GT(harm_rank(RuleId::tensor_data_null_when_empty, Verdict::warn),
            harm_rank(RuleId::python_methods_present, Verdict::fail));
}

}  // namespace
}  // namespace dlspec::conformance
