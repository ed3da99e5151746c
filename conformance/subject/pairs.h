// Launches for pairs of subjects that exchange arrays: both run in one interpreter.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <dlspec/conformance/subject/launch.h>

namespace dlspec::conformance {

struct PairLaunch {
  std::size_t producer = 0;  // places in the list of subjects
  std::size_t consumer = 0;
  Launch launch;  // its error: why the two cannot run together
};

struct PairLaunches {
  std::vector<PairLaunch> pairs;          // every subject with every one, itself included, by producer
  std::vector<std::string> requirements;  // of each subject: "numpy==2.4.6", or empty
};

// For builtin and Python subjects. Those that name a version share one fetched environment where the resolver finds
// one; else each pair has its own. An adapter's file runs in its partner's environment, a library of the interpreter
// only there.
[[nodiscard]] PairLaunches launch_pairs(const std::vector<Subject>& subjects, const InterpreterChoice& interpreter,
                                        const Resources& resources, const EnvironmentOptions& environments,
                                        std::uint64_t seed);

}  // namespace dlspec::conformance
