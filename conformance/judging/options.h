// What a run is asked to do, as plain data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/document.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

// Files that are asked for, by the name of their format (formats()); those without a path are not written.
using Reports = std::map<std::string, std::string>;

struct JudgingOptions {
  std::vector<std::string> subjects;
  std::vector<Role> roles{Role::producer, Role::consumer, Role::bridge};
  std::string rules = "*";
  std::string cases = "*";
  Level level = Level::convention;
  bool smoke = false;  // ordinary exchanges only, and who is at fault
  bool strict = false;
  std::string python;       // as given; empty: python3 on PATH
  std::string wrapper;      // a command put before the worker's; empty: none
  bool in_process = false;  // the one selected case in this process
  unsigned jobs = 0;        // 0: as many as there are processors, at most 4
  Shard shard;
  bool sharded = false;
  std::uint64_t seed = 0;
  double timeout = 10;          // seconds for a case
  double budget = 120;          // seconds for a subject
  std::uint64_t memory = 4096;  // MiB that a worker may hold
  bool offline = false;
  bool refresh = false;
  std::string baseline;  // path, `shipped`, or empty
  Reports reports;
  std::string reproducers;  // folder for scripts that show what failed, or empty
};

// Which dlspec runs, and how it was started.
struct Invocation {
  std::string invoked_as;  // argv[0], so that what is printed can be pasted
  std::string version;     // of dlspec
  std::string commit;
  std::uint32_t tested_rules = 0;  // rules whose faulty subject and twin stand in the zoo
};

}  // namespace dlspec::conformance
