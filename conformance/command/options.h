// The command line as plain data.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <dlspec/conformance/judging/options.h>

namespace dlspec::command {

enum class Color : std::uint8_t { automatic, always, never };

// What judging is asked to do, and how it is told.
struct RunOptions : conformance::JudgingOptions {
  bool yes = false;  // no question before a large download
  bool quiet = false;
  Color color = Color::automatic;
};

// dlspec matrix: what a run is given, without what exchanges have no use for.
struct MatrixOptions {
  RunOptions run;
};

struct InspectOptions {
  std::string expression;
  std::string setup;
  std::vector<std::string> paths;
  std::string python;
  double timeout = 120;
  Color color = Color::automatic;
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
  unsigned jobs = 0;  // as for a run
  bool quiet = false;
};

struct ReportOptions {
  std::vector<std::string> files;
  std::string baseline;
  conformance::Reports reports;
  bool strict = false;
  bool quiet = false;
  Color color = Color::automatic;
};

// dlspec baseline update
struct BaselineOptions {
  std::string file;
  std::vector<std::string> results;
  bool quiet = false;
};

// Nothing more is to be done: a help text or the version for standard output (status 0), or wrong
// usage for standard error (status 2).
struct Finished {
  int status = 0;
  std::string text;
};

using Options = std::variant<RunOptions, MatrixOptions, InspectOptions, RulesOptions, SelftestOptions, BaselineOptions,
                             ReportOptions, Finished>;

// The arguments behind the program's name.
[[nodiscard]] Options parse_options(const std::vector<std::string>& arguments);

}  // namespace dlspec::command
