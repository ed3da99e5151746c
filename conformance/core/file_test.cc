#include <dlspec/conformance/core/file.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <sys/resource.h>

#include <gtest/gtest.h>

namespace dlspec::conformance {
namespace {

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "dlspec-report-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override {
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
    std::filesystem::remove_all(folder_);
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] static std::string contents(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  std::filesystem::path folder_;
};

TEST_F(Files, AreWrittenWholeAndReplaced) {
  EXPECT_EQ(write_file(path("a.json"), "first"), "");
  EXPECT_EQ(write_file(path("a.json"), std::string(3'000'000, 'x')), "");
  EXPECT_EQ(contents(path("a.json")).size(), 3'000'000u);
  EXPECT_EQ(count(), 1u) << "no temporary is left";
}

TEST_F(Files, InAMissingFolderAreRefused) {
  EXPECT_EQ(write_file(path("none/a.json"), "x"),
            "cannot write " + path("none/a.json") + ": No such file or directory");
  EXPECT_EQ(count(), 0u);
}

TEST_F(Files, AFolderIsNoFile) {
  EXPECT_EQ(write_file(folder_.string(), "x"), "cannot write " + folder_.string() + ": Is a directory");
  EXPECT_EQ(count(), 0u);
}

TEST_F(Files, AFileIsNoFolder) {
  ASSERT_EQ(write_file(path("a"), "old"), "");
  EXPECT_EQ(write_file(path("a/b.json"), "x"), "cannot write " + path("a/b.json") + ": Not a directory");
  EXPECT_EQ(contents(path("a")), "old");
}

TEST_F(Files, ThatCannotBeWrittenWholeAreLeftAsTheyWere) {
  ASSERT_EQ(write_file(path("a.json"), "old"), "");
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{1000, limit.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string error = write_file(path("a.json"), std::string(3'000'000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(error, "cannot write " + path("a.json") + ": File too large");
  EXPECT_EQ(contents(path("a.json")), "old");
  EXPECT_EQ(count(), 1u) << "no temporary is left";
}

TEST_F(Files, AWrittenDeviceStaysADevice) {
  EXPECT_EQ(write_file("/dev/null", "x"), "");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(write_file("/dev/full", "x"), "cannot write /dev/full: No space left on device");
}

TEST_F(Files, ALinkStaysALink) {
  ASSERT_EQ(write_file(path("real"), "old"), "");
  std::filesystem::create_symlink(path("real"), path("link"));
  EXPECT_EQ(write_file(path("link"), "new"), "");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(contents(path("real")), "new");
}

}  // namespace
}  // namespace dlspec::conformance
