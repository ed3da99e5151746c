// The options of a run, as plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/document.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

// Paths of the report files by format name (formats()); an empty path writes no file.
using Reports = std::map<std::string, std::string>;

struct JudgingOptions {
  std::vector<std::string> subjects;
  std::vector<Role> roles{Role::producer, Role::consumer, Role::bridge};
  std::string rules = "*";
  std::string cases = "*";
  Level level = Level::convention;
  std::optional<abi::Device> device;  // of --device; none: the host
  bool smoke = false;                 // smoke test: ordinary exchanges only, and the side at fault
  bool thorough = false;              // rare combinations of circumstances, too
  bool strict = false;
  std::string python;       // as given; empty: python3 on PATH
  std::string wrapper;      // prefix of the worker's command, such as valgrind; empty: none
  bool in_process = false;  // run the one selected case in this process
  unsigned jobs = 0;        // workers at a time; 0: one per processor, at most 4
  Shard shard;
  bool sharded = false;
  std::uint64_t seed = 0;
  double timeout = 10;          // seconds per case
  double budget = 120;          // seconds per subject, imports not counted
  std::uint64_t memory = 4096;  // resident MiB per worker
  bool offline = false;
  bool refresh = false;
  std::string baseline;  // path, `shipped`, or empty
  Reports reports;
  std::string reproducers;  // folder for the scripts of --emit-reproducer, or empty
};

// The running dlspec.
struct Invocation {
  std::string invoked_as;  // argv[0], for printed commands that can be pasted
  std::string version;     // of dlspec
  std::string commit;
  std::uint32_t tested_rules = 0;  // number of rules with a faulty subject and a twin in the zoo
};

}  // namespace dlspec::conformance
