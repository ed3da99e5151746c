// `dlspec fuzz` as a library: random sequences of exports, imports and releases of one subject, until told to stop.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/judging/choice.h>
#include <dlspec/conformance/judging/listener.h>
#include <dlspec/conformance/judging/options.h>
#include <dlspec/conformance/judging/runs.h>
#include <dlspec/conformance/plan/sequence.h>

namespace dlspec::conformance {

struct FuzzSettings {
  double minutes = 0;    // 0: until interrupted
  bool first = false;    // stop at the first finding
  std::string sequence;  // carry out this one only; empty: generate
};

// A rule that a sequence breaks, after it was repeated, shrunk and compared with dlspec's own library.
struct FuzzFinding {
  Sequence sequence;
  RuleId rule{};
  Role role = Role::producer;
  Verdict status = Verdict::fail;
  std::string observed;
  std::string allowed;
};

struct FuzzResult {
  std::vector<FuzzFinding> findings;  // in the order in which they were found
  std::vector<std::string> faults;    // what prevented judgement, a sentence each
  std::vector<std::string> notes;     // what was seen and not repeated
  std::optional<Ready> ready;
  std::uint64_t sequences = 0;
  std::uint64_t steps = 0;
  std::uint64_t refused = 0;     // steps
  std::uint64_t again = 0;       // sequences that showed what a finding shows
  std::size_t observations = 0;  // steps in their circumstances, with what the library did
  std::size_t covered = 0;       // places in the library's code, each with how often it was reached
  std::uint64_t places = 0;      // in the library's code whose coverage is counted; 0: it was not compiled for that
  std::size_t corpus = 0;        // sequences
  double seconds = 0;
};

// An error sentence when the settings are wrong: a sequence that is none. Else "".
[[nodiscard]] std::string fuzz_error(const FuzzSettings& settings);

// Ends at an interrupt, too, with what was found so far.
[[nodiscard]] FuzzResult fuzz(const SubjectRun& run, const JudgingOptions& options, const FuzzSettings& settings,
                              const Listener& listener);

// The findings as records of a result document, so that they are reported like those of a run.
[[nodiscard]] Document fuzz_document(const SubjectRun& run, const FuzzResult& result, const JudgingOptions& options,
                                     const Invocation& invocation);

// "1,234,567 steps in 56,789 sequences (23,456 steps/s), ..."
[[nodiscard]] std::string fuzz_summary(const std::string& subject, const FuzzResult& result);

}  // namespace dlspec::conformance
