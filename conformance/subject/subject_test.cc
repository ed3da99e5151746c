#include <dlspec/conformance/subject/subject.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace dlspec::conformance {
namespace {

Adapters shipped() {
  Adapters adapters;
  for (const char* name : {"array-api-strict", "numpy"}) {
    Adapter adapter;
    adapter.name = adapter.distribution = adapter.module = name;
    adapter.path = std::string("/share/") + name + ".py";
    adapters.list.push_back(adapter);
  }
  adapters.list[1].alternatives = {{"numpy-gpu", 0}};
  adapters.list[1].display = "Numerical Python";
  return adapters;
}

Subject parsed(std::string_view text) {
  const ParsedSubject result = parse_subject(text, shipped());
  EXPECT_TRUE(result.subject) << text << ": " << result.error;
  return result.subject.value_or(Subject{});
}

std::string refused(std::string_view text) {
  const ParsedSubject result = parse_subject(text, shipped());
  EXPECT_FALSE(result.subject) << text;
  return result.error;
}

TEST(Subject, TextsThatAreSubjects) {
  EXPECT_EQ(parsed("builtin").kind, SubjectKind::builtin);
  EXPECT_EQ(parsed("numpy").path, "/share/numpy.py");
  EXPECT_EQ(parsed("numpy").version, "");
  EXPECT_EQ(parsed("numpy==1.26.4").version, "1.26.4");
  EXPECT_EQ(parsed("numpy==2.0.0rc1+cpu").version, "2.0.0rc1+cpu");
  EXPECT_EQ(parsed("numpy@latest").version, "latest");
  EXPECT_EQ(parsed("array-api-strict@latest").adapter->name, "array-api-strict");
  EXPECT_EQ(parsed("array_api_strict").adapter->name, "array-api-strict");
  EXPECT_EQ(parsed("Array.API_strict==2.4").adapter->name, "array-api-strict");
  EXPECT_EQ(parsed("Array.API_strict==2.4").text, "Array.API_strict==2.4");
  EXPECT_EQ(parsed("NumPy-GPU@latest").adapter->distribution, "numpy-gpu");
  EXPECT_EQ(parsed("NumPy@latest").adapter->distribution, "numpy");
  EXPECT_EQ(parsed("/a/b.py").kind, SubjectKind::python);
  EXPECT_EQ(parsed("/a/b.py").path, "/a/b.py");
  EXPECT_EQ(parsed("/a/../a/lib.so").path, "/a/lib.so");
  EXPECT_EQ(parsed("./lib.so").kind, SubjectKind::plugin);
  EXPECT_EQ(parsed("lib.so.1").kind, SubjectKind::plugin);
  EXPECT_EQ(parsed("mine.py").text, "mine.py");
  EXPECT_FALSE(parsed("mine.py").adapter);
}

TEST(Subject, TextsThatAreNone) {
  EXPECT_NE(refused("nunpy").find("did you mean 'numpy'?"), std::string::npos);
  EXPECT_NE(refused("nunpy==1.0").find("did you mean 'numpy'?"), std::string::npos);
  EXPECT_NE(refused("numpy_gpo").find("did you mean 'numpy-gpu'?"), std::string::npos);
  EXPECT_NE(refused("numerical-python").find("did you mean 'numpy'?"), std::string::npos);
  EXPECT_NE(refused("tensorflow").find("Shipped adapters: builtin, array-api-strict, numpy"), std::string::npos);
  EXPECT_NE(refused("tensorflow").find("`dlspec init MODULE`"), std::string::npos);
  EXPECT_NE(refused("numpy>=1.0").find("numpy==1.2.3 or numpy@latest"), std::string::npos);
  EXPECT_NE(refused("numpy-gpu>=1.0").find("numpy-gpu==1.2.3 or numpy-gpu@latest"), std::string::npos);
  for (const char* text : {"", "numpy==", "numpy==1.*", "numpy=1", "numpy@1.2", "numpy@latest ", "numpy==1 2", "a/b",
                           "a/b.txt", "builtin==1", "numpy[x]"}) {
    EXPECT_NE(refused(text), "") << text;
  }
}

TEST(Subject, EditDistanceCountsSingleChanges) {
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("numpy", "nunpy"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

RC_GTEST_PROP(Subject, AnyTextIsASubjectOrASentence, (const std::string& text)) {
  const ParsedSubject result = parse_subject(text, shipped());
  RC_ASSERT(result.subject.has_value() == result.error.empty());
}

}  // namespace
}  // namespace dlspec::conformance
