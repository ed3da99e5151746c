// The command line as plain data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <dlspec/conformance/plan/case.h>
#include <dlspec/conformance/report/document.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::command {

enum class Color : std::uint8_t { automatic, always, never };

// Files that are asked for, by the name of their format (conformance::formats()); those without a path are not written.
using Reports = std::map<std::string, std::string>;

struct RunOptions {
  std::vector<std::string> subjects;
  std::vector<conformance::Role> roles{conformance::Role::producer, conformance::Role::consumer,
                                       conformance::Role::bridge};
  std::string rules = "*";
  std::string cases = "*";
  Level level = Level::convention;
  bool smoke = false;  // ordinary exchanges only, and who is at fault
  bool strict = false;
  std::string python;       // as given; empty: python3 on PATH
  std::string wrapper;      // a command put before the worker's; empty: none
  bool in_process = false;  // the one selected case in this process
  unsigned jobs = 0;        // 0: as many as there are processors, at most 4
  conformance::Shard shard;
  bool sharded = false;
  std::uint64_t seed = 0;
  double timeout = 10;          // seconds for a case
  double budget = 120;          // seconds for a subject
  std::uint64_t memory = 4096;  // MiB that a worker may hold
  bool offline = false;
  bool refresh = false;
  bool yes = false;
  std::string baseline;  // path, `shipped`, or empty
  Reports reports;
  std::string reproducers;  // folder for scripts that show what failed, or empty
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
  Reports reports;
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
