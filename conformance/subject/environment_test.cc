// Environments with a uv that is a shell script: what is fetched when, and what becomes of broken ones.
#include <dlspec/conformance/subject/environment.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <utility>

#include <gtest/gtest.h>

#include <dlspec/conformance/subject/latest.h>

namespace dlspec::conformance {
namespace {

namespace fs = std::filesystem;

// Makes environments whose interpreter answers the verification by itself. Version 9.9 does not exist,
// 8.8 installs something else, 7.7 is an empty package.
constexpr const char* fake_uv = R"sh(#!/bin/sh
echo "$@" >> LOG
case "$1 $2" in
--version*) echo uv 1.2.3;;
venv*)
  mkdir -p "$4/bin" "$4/lib" && : > "$4/lib/fake.py"
  cat > "$4/bin/python" <<'END'
#!/bin/sh
here=$(dirname "$0")
version=$(cat "$here/../version")
case $version in
7.7) echo "error: fake is an empty package: the installation is incomplete"; exit 1;;
8.8) version=8.7;;
esac
printf 'lib/fake.py\t%s\n' "$version" >&3
END
  chmod +x "$4/bin/python";;
"pip install")
  case "$7" in
  *==9.9)
    printf 'Resolved\nerror: no version 9.9 of fake at https://me:secret@index/\nhint: there is 1.2.3\n' >&2
    exit 1;;
  esac
  case "$7 $8" in
  *==6.6\ *==*) printf 'error: No solution found: fake 6.6 wants other 1.0\n' >&2; exit 1;;
  esac
  echo "${7#*==}" > "$(dirname "$4")/../version";;
"pip compile") echo "fake==$(cat NEWEST)";;
*) exit 2;;
esac
)sh";

class EnvironmentTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) / ("dlspec-environment-" + std::to_string(getpid()));
    fs::remove_all(root_);
    fs::create_directories(root_ / "bin");
    std::string script = fake_uv;
    script.replace(script.find("LOG"), 3, (root_ / "log").string());
    script.replace(script.find("NEWEST"), 6, (root_ / "newest").string());
    std::ofstream(root_ / "bin/uv") << script;
    fs::permissions(root_ / "bin/uv", fs::perms::owner_all);
    std::ofstream(root_ / "newest") << "1.2.3\n";
    path_ = std::getenv("PATH");
    setenv("PATH", ((root_ / "bin").string() + ":" + path_).c_str(), 1);
    adapter_.name = adapter_.distribution = adapter_.module = "fake";
    interpreter_ = {"/usr/bin/python3", "/usr/bin/python3", "cpython", "3.11.2", "cpython-311", "/usr"};
    options_.cache = root_ / "cache";
    options_.notices.begin = [this](const std::string& text) { said_ += text; };
    options_.notices.end = [this](const std::string& text) { said_ += text + "\n"; };
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    fs::remove_all(root_);
  }

  Environment provide(const std::string& version) {
    return provide_environment(adapter_, version, interpreter_, options_);
  }
  // How often uv was called since the last time.
  std::size_t calls() {
    std::ifstream log(root_ / "log");
    const std::string text{std::istreambuf_iterator<char>(log), {}};
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    return lines - std::exchange(calls_, lines);
  }
  std::size_t leftovers() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(options_.cache / "environments"))
      count += entry.path().extension() == ".new";
    return count;
  }

  fs::path root_;
  std::string path_;
  Adapter adapter_;
  Interpreter interpreter_;
  EnvironmentOptions options_;
  std::string said_;
  std::size_t calls_ = 0;
};

TEST_F(EnvironmentTest, IsMadeOnceAndThenFoundWithoutAskingAnybody) {
  const Environment made = provide("1.2.3");
  EXPECT_EQ(made.error, "");
  EXPECT_EQ(made.requirement, "fake==1.2.3");
  EXPECT_TRUE(fs::exists(made.python));
  EXPECT_NE(said_.find("fetching fake 1.2.3 …"), std::string::npos);
  EXPECT_EQ(calls(), 3U);  // --version, venv, pip install
  const Environment again = provide("1.2.3");
  EXPECT_EQ(again.python, made.python);
  EXPECT_EQ(calls(), 0U);
  options_.offline = true;
  EXPECT_EQ(provide("1.2.3").error, "");
}

TEST_F(EnvironmentTest, SeveralLibrariesShareOne) {
  Adapter other = adapter_;
  other.distribution = "other";
  other.companions = {"numpy"};
  const std::vector<Wanted> both{{&adapter_, "1.2.3"}, {&other, "1.2.3"}};
  const Environment made = provide_environment(both, interpreter_, options_);
  EXPECT_EQ(made.error, "");
  EXPECT_EQ(made.requirement, "");
  EXPECT_NE(said_.find("fetching fake 1.2.3 and other 1.2.3 …"), std::string::npos) << said_;
  EXPECT_NE(made.python, provide("1.2.3").python);
  calls();
  EXPECT_EQ(provide_environment(both, interpreter_, options_).python, made.python);
  EXPECT_EQ(calls(), 0U);
}

TEST_F(EnvironmentTest, LibrariesThatExcludeEachOtherAreAConflict) {
  Adapter other = adapter_;
  other.distribution = "other";
  const Environment parted = provide_environment({{&adapter_, "6.6"}, {&other, "1.2.3"}}, interpreter_, options_);
  EXPECT_TRUE(parted.conflict);
  EXPECT_NE(parted.error.find("No solution found: fake 6.6 wants other 1.0"), std::string::npos) << parted.error;
  EXPECT_EQ(provide("6.6").error, "");
  EXPECT_FALSE(provide("9.9").conflict);
  EXPECT_TRUE(provide_environment({{&adapter_, "7.7"}, {&other, "1.2.3"}}, interpreter_, options_).conflict);
  EXPECT_EQ(leftovers(), 0U);
}

TEST_F(EnvironmentTest, OtherInterpretersAndCompanionsGetTheirOwn) {
  const std::string first = provide("1.2.3").python;
  interpreter_.version = "3.12.0";
  const std::string second = provide("1.2.3").python;
  adapter_.companions = {"numpy"};
  const std::string third = provide("1.2.3").python;
  EXPECT_NE(first, second);
  EXPECT_NE(second, third);
  adapter_.pins = {{*parse_bounds("<1.2.3"), {"scipy"}, ""}};
  EXPECT_EQ(provide("1.2.3").python, third);
  adapter_.pins = {{*parse_bounds("<1.3"), {"scipy"}, ""}};
  EXPECT_NE(provide("1.2.3").python, third);
  std::ifstream log(root_ / "log");
  const std::string text{std::istreambuf_iterator<char>(log), {}};
  EXPECT_NE(text.find("fake==1.2.3 numpy scipy"), std::string::npos) << text;
}

TEST_F(EnvironmentTest, WhatDoesNotExistIsSaidInUvsWordsWithoutPasswords) {
  const std::string error = provide("9.9").error;
  EXPECT_NE(error.find("fake 9.9 could not be installed for CPython 3.11.2"), std::string::npos) << error;
  EXPECT_NE(error.find("error: no version 9.9 of fake at https://***@index/\nhint: there is 1.2.3"), std::string::npos)
      << error;
  EXPECT_EQ(leftovers(), 0U);
}

TEST_F(EnvironmentTest, AnotherVersionOrAnEmptyPackageIsRefused) {
  EXPECT_NE(provide("8.8").error.find("8.7 was installed"), std::string::npos);
  EXPECT_NE(provide("7.7").error.find("incomplete"), std::string::npos);
  EXPECT_EQ(leftovers(), 0U);
}

TEST_F(EnvironmentTest, ABrokenOneIsMadeAnew) {
  const Environment made = provide("1.2.3");
  calls();
  const fs::path place = fs::path(made.python).parent_path().parent_path();
  fs::remove(place / "lib/fake.py");  // what the library was imported from
  EXPECT_EQ(provide("1.2.3").error, "");
  EXPECT_EQ(calls(), 3U);
  fs::remove(place / "dlspec-environment");
  EXPECT_EQ(provide("1.2.3").error, "");
  EXPECT_EQ(calls(), 3U);
}

TEST_F(EnvironmentTest, OfflineNeverFetches) {
  options_.offline = true;
  EXPECT_NE(provide("1.2.3").error.find("--offline forbids"), std::string::npos);
  EXPECT_NE(provide("latest").error.find("--offline forbids"), std::string::npos);
  EXPECT_EQ(calls(), 0U);
}

TEST_F(EnvironmentTest, LatestIsAskedOnceADayUnlessRefreshed) {
  EXPECT_EQ(provide("latest").requirement, "fake==1.2.3");
  EXPECT_EQ(calls(), 4U);  // --version, pip compile, venv, pip install
  std::ofstream(root_ / "newest") << "1.3\n";
  EXPECT_EQ(provide("latest").requirement, "fake==1.2.3");
  EXPECT_EQ(calls(), 0U);
  options_.refresh = true;
  EXPECT_EQ(provide("latest").requirement, "fake==1.3");
  options_.refresh = false;
  options_.offline = true;
  EXPECT_EQ(provide("latest").requirement, "fake==1.3");
}

TEST_F(EnvironmentTest, LatestOfYesterdayIsAskedAgain) {
  EXPECT_EQ(provide("latest").requirement, "fake==1.2.3");
  const std::string key = "fake|/usr/bin/python3|3.11.2|cpython-311";
  const auto known = recall(options_.cache / "latest.json", key);
  ASSERT_TRUE(known);
  remember(options_.cache / "latest.json", key, {known->version, known->asked - std::int64_t{25} * 3600});
  std::ofstream(root_ / "newest") << "1.3\n";
  EXPECT_EQ(provide("latest").requirement, "fake==1.3");
}

TEST_F(EnvironmentTest, LargeDownloadsAreAnnouncedAndAskedAbout) {
  adapter_.size_mb = 1500;
  options_.confirm = [](const std::string&, std::int64_t) { return false; };
  EXPECT_EQ(provide("1.2.3").error, "fake 1.2.3 takes about 1500 MB and was not fetched; answer yes, or give --yes");
  EXPECT_EQ(calls(), 0U);
  options_.confirm = [](const std::string& name, std::int64_t size) { return name == "fake 1.2.3" && size == 1500; };
  EXPECT_EQ(provide("1.2.3").error, "");
  EXPECT_NE(said_.find("fetching fake 1.2.3, about 1500 MB …"), std::string::npos) << said_;
  options_.confirm = [](const std::string&, std::int64_t) { return false; };
  EXPECT_EQ(provide("1.2.3").error, "") << "what is there is not asked about";
  adapter_.size_mb = 999;
  EXPECT_EQ(provide("1.2.4").error, "") << "nor what is small";
}

TEST_F(EnvironmentTest, ConstraintsBelongToWhatAnEnvironmentIs) {
  const std::string plain = provide("1.2.3").python;
  const fs::path file = root_ / "constraints.txt";
  std::ofstream(file) << "other==1.0\n";
  setenv("UV_CONSTRAINT", file.c_str(), 1);
  const std::string constrained = provide("1.2.3").python;
  EXPECT_NE(constrained, plain);
  std::ofstream(file) << "other==2.0\n";
  EXPECT_NE(provide("1.2.3").python, constrained);
  unsetenv("UV_CONSTRAINT");
  EXPECT_EQ(provide("1.2.3").python, plain);
}

TEST(Latest, ADamagedFileIsIgnoredAndEntriesExpire) {
  const fs::path file = fs::path(::testing::TempDir()) / ("dlspec-latest-" + std::to_string(getpid()));
  EXPECT_FALSE(recall(file, "a"));
  remember(file, "a", {"1.0", 100});
  remember(file, "b", {"2.0", 200});
  EXPECT_EQ(recall(file, "a")->version, "1.0");
  EXPECT_EQ(recall(file, "b")->asked, 200);
  std::ofstream(file) << "{\"a\": {\"version\": 3";
  EXPECT_FALSE(recall(file, "a"));
  std::ofstream(file) << "{\"a\": {\"version\": 3, \"asked\": \"x\"}}";
  EXPECT_FALSE(recall(file, "a"));
  EXPECT_TRUE(is_fresh({"1.0", 1000}, 1000 + std::int64_t{24} * 3600 - 1));
  EXPECT_FALSE(is_fresh({"1.0", 1000}, 1000 + std::int64_t{24} * 3600));
  EXPECT_FALSE(is_fresh({"1.0", 1000}, 999)) << "a clock that was set back";
  fs::remove(file);
}

}  // namespace
}  // namespace dlspec::conformance
