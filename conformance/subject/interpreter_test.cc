#include <dlspec/conformance/subject/interpreter.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <unistd.h>

#include <dlspec/conformance/subject/resources.h>

namespace dlspec::conformance {
namespace {

namespace fs = std::filesystem;

// The variables that choose an interpreter, each a program in a folder of its own; they are put back at the end.
class DefaultInterpreters : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("dlspec-interpreters-" + std::to_string(getpid()));
    for (const char* folder : {"active", "conda", "own", "path", "tool"}) make(root_ / folder / "bin");
    for (const char* name :
         {"DLSPEC_PYTHON", "VIRTUAL_ENV", "CONDA_PREFIX", "DLSPEC_OWN_PYTHON", "DLSPEC_TOOL_FOLDER", "PATH"}) {
      const char* value = std::getenv(name);
      if (value) saved_[name] = value;
      unsetenv(name);
    }
    set("PATH", (root_ / "tool/bin").string() + ":" + (root_ / "path/bin").string());
  }
  void TearDown() override {
    for (const char* name :
         {"DLSPEC_PYTHON", "VIRTUAL_ENV", "CONDA_PREFIX", "DLSPEC_OWN_PYTHON", "DLSPEC_TOOL_FOLDER", "PATH"}) {
      unsetenv(name);
    }
    for (const auto& [name, value] : saved_) setenv(name.c_str(), value.c_str(), 1);
    fs::remove_all(root_);
  }
  static void set(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }
  static void make(const fs::path& folder) {
    fs::create_directories(folder);
    for (const char* name : {"python", "python3"}) {
      std::ofstream(folder / name) << "#!/bin/sh\n";
      fs::permissions(folder / name, fs::perms::owner_all);
    }
  }
  [[nodiscard]] std::string python(const std::string& folder, const std::string& name = "python") const {
    return (root_ / folder / "bin" / name).string();
  }

  fs::path root_;
  std::map<std::string, std::string> saved_;
};

TEST_F(DefaultInterpreters, ComeInTheOrderOfTheContract) {
  EXPECT_EQ(default_interpreter().command, python("tool", "python3"));
  set("DLSPEC_TOOL_FOLDER", (root_ / "tool/bin").string());
  EXPECT_EQ(default_interpreter().command, python("path", "python3"));
  set("DLSPEC_OWN_PYTHON", python("own"));
  EXPECT_EQ(default_interpreter().command, python("own"));
  set("CONDA_PREFIX", (root_ / "conda").string());
  EXPECT_EQ(default_interpreter().command, python("conda"));
  set("VIRTUAL_ENV", (root_ / "active").string());
  EXPECT_EQ(default_interpreter().command, python("active"));
  set("DLSPEC_PYTHON", python("own"));
  EXPECT_EQ(default_interpreter().command, python("own"));
}

TEST_F(DefaultInterpreters, AnEnvironmentThatIsGoneIsPassedOver) {
  set("VIRTUAL_ENV", (root_ / "nowhere").string());
  set("DLSPEC_OWN_PYTHON", (root_ / "nowhere/bin/python").string());
  EXPECT_EQ(default_interpreter().command, python("tool", "python3"));
}

TEST_F(DefaultInterpreters, ANamedOneThatIsMissingIsSaid) {
  set("DLSPEC_PYTHON", "/no/such/python");
  EXPECT_EQ(choose_interpreter("").error, "DLSPEC_PYTHON /no/such/python names no program that can be run");
  set("DLSPEC_PYTHON", "no-such-python");
  EXPECT_EQ(choose_interpreter("").error, "DLSPEC_PYTHON no-such-python names no program that can be run");
  EXPECT_EQ(choose_interpreter("/no/such").error, "--python /no/such names no program that can be run");
}

TEST_F(DefaultInterpreters, AFreeThreadedOneLoadsAnExtensionOfItsOwn) {
  std::ofstream(python("own")) << "#!/bin/sh\n"
                                  "printf '/x/python\\tcpython\\t3.13.5\\tcpython-313t-nowhere\\tTrue\\t/x\\n' >&3\n";
  const InterpreterChoice choice = choose_interpreter(python("own"));
  EXPECT_FALSE(choice.interpreter);
  EXPECT_NE(choice.error.find("free-threaded, and this dlspec was not built for it"), std::string::npos);
  Interpreter interpreter;
  interpreter.abi = "cpython-313t-nowhere";
  EXPECT_EQ(find_resources().extension(interpreter).filename(), "_native.abi3.so");
  interpreter.free_threaded = true;
  EXPECT_EQ(find_resources().extension(interpreter).filename(), "_native.cpython-313t-nowhere.so");
}

}  // namespace
}  // namespace dlspec::conformance
