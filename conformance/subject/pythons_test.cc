// Which CPython a release gets: interpreters that are shell scripts, on PATH and in a folder as pyenv has it.
#include <dlspec/conformance/subject/pythons.h>

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dlspec::conformance {
namespace {

namespace fs = std::filesystem;

class PythonsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) / ("dlspec-pythons-" + std::to_string(getpid()));
    fs::remove_all(root_);
    path_ = std::getenv("PATH");
    setenv("PATH", ((root_ / "bin").string() + ":/bin:/usr/bin/nowhere").c_str(), 1);
    setenv("PYENV_ROOT", (root_ / "pyenv").c_str(), 1);
    setenv("UV_PYTHON_INSTALL_DIR", (root_ / "uv").c_str(), 1);
    write(root_ / "bin/python3.10", "3.10.4");
    write(root_ / "bin/python3.12", "");  // a shim that finds nothing
    write(root_ / "pyenv/versions/3.9.2/bin/python3", "3.9.2");
    write(root_ / "pyenv/versions/3.9.18/bin/python3", "3.9.18");
    write(root_ / "uv/cpython-3.13.1-linux/bin/python3", "3.13.1");
    adapter_.distribution = "fake";
    chosen_ = {"/usr/bin/python3", "/usr/bin/python3", "cpython", "3.11.2", "cpython-311", "/usr"};
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    unsetenv("PYENV_ROOT");
    unsetenv("UV_PYTHON_INSTALL_DIR");
    fs::remove_all(root_);
  }

  static void write(const fs::path& file, const std::string& version) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\n"
                        << (version.empty() ? "exit 127"
                                            : "printf '" + file.string() + "\\tcpython\\t" + version +
                                                  "\\tabi\\tFalse\\t/p\\n' >&3")
                        << "\n";
    fs::permissions(file, fs::perms::owner_all);
  }
  std::string version_for(const std::string& bounds) {
    adapter_.python = bounds;
    const InterpreterChoice choice = fitting_interpreter(adapter_, "1.0", chosen_);
    return choice.interpreter ? choice.interpreter->version : choice.error;
  }

  fs::path root_;
  std::string path_;
  Adapter adapter_;
  Interpreter chosen_;
};

TEST_F(PythonsTest, TheChosenOneIsKeptWhereItFits) {
  EXPECT_EQ(version_for(""), "3.11.2");
  EXPECT_EQ(version_for(">=3.9"), "3.11.2");
}

TEST_F(PythonsTest, ElseTheNewestThatFitsIsTaken) {
  EXPECT_EQ(version_for("<3.11"), "3.10.4");
  EXPECT_EQ(version_for("<3.10"), "3.9.18");
  EXPECT_EQ(version_for(">=3.12"), "3.13.1") << "the shim of 3.12 is none";
}

TEST_F(PythonsTest, WhatNobodyHasIsSaid) {
  EXPECT_EQ(version_for("<3.9"), "fake 1.0 needs CPython <3.9, and this machine has none; python3 is 3.11.2");
}

TEST_F(PythonsTest, ANamedOneIsNotReplaced) {
  chosen_.named = true;
  EXPECT_EQ(version_for(">=3.11"), "3.11.2");
  EXPECT_EQ(version_for("<3.11"), "fake 1.0 needs CPython <3.11, and --python names 3.11.2");
}

}  // namespace
}  // namespace dlspec::conformance
