// The parsed command line, as plain data.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <dlspec/conformance/judging/fuzz.h>
#include <dlspec/conformance/judging/options.h>

namespace dlspec::command {

enum class Color : std::uint8_t { automatic, always, never };

// Options of dlspec run: judging and terminal output.
struct RunOptions : conformance::JudgingOptions {
  bool yes = false;  // no question before a large download
  bool quiet = false;
  bool verbose = false;
  Color color = Color::automatic;
};

// dlspec matrix uses a subset of the options of a run.
struct MatrixOptions {
  RunOptions run;
};

// dlspec fuzz uses a subset of the options of a run.
struct FuzzOptions {
  RunOptions run;
  conformance::FuzzSettings settings;
};

struct InspectOptions {
  std::string expression;
  std::string setup;
  std::vector<std::string> paths;
  std::string python;
  std::vector<std::string> libraries;  // NAME==VERSION or NAME@latest: the expression runs in an environment with them
  bool offline = false;
  bool yes = false;  // no question before a large download
  std::string svg;   // file for the picture of the memory, or empty
  double timeout = 120;
  Color color = Color::automatic;
};

struct InitOptions {
  std::string module;
  std::string file;  // empty: MODULE_adapter.py in the working folder
  std::string python;
};

struct RulesOptions {
  std::string pattern = "*";
  bool coverage = false;
  bool questions = false;
  Color color = Color::automatic;
};

struct SelftestOptions {
  std::string rules = "*";
  std::string python;
  unsigned jobs = 0;  // workers at a time; 0: one per processor, at most 4
  bool thorough = false;
  bool quiet = false;
};

// dlspec header
struct HeaderOptions {
  std::string path;
  std::string compiler;                  // empty: $CC, or the first on PATH
  std::vector<std::string> directories;  // where the header finds what it includes
  bool strict = false;
};

struct ReportOptions {
  std::vector<std::string> files;
  std::string baseline;
  conformance::Reports reports;
  bool strict = false;
  bool quiet = false;
  bool verbose = false;
  Color color = Color::automatic;
};

// dlspec baseline update
struct BaselineOptions {
  std::string file;
  std::vector<std::string> results;
  bool quiet = false;
};

// The command is complete after parsing: a help text or the version for standard output (status 0), or wrong usage for
// standard error (status 2).
struct Finished {
  int status = 0;
  std::string text;
};

using Options = std::variant<RunOptions, MatrixOptions, InspectOptions, RulesOptions, SelftestOptions, FuzzOptions,
                             HeaderOptions, BaselineOptions, ReportOptions, InitOptions, Finished>;

// Parses the arguments after the program name.
[[nodiscard]] Options parse_options(const std::vector<std::string>& arguments);

}  // namespace dlspec::command
