// A baseline: the file of accepted deviations, which people read and review beside the library's sources.
//
//   format dlspec-baseline/1
//   dlspec 0.1.0
//
//   library NumPy
//   # words about the next line
//   RULE CASES STATUS "OBSERVED" versions >=2.1,<2.6 expires 2027-06-30 because "REASON"
//
// CASES is a glob over case ids, OBSERVED the text of the result document (`any`: every text). versions, expires and
// because are optional.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/conformance/core/version.h>
#include <dlspec/vocabulary/verdict.h>

namespace dlspec::conformance {

inline constexpr const char* baseline_format = "dlspec-baseline/1";

// One line: a known deviation of a library.
struct AcceptedDeviation {
  std::string library;                  // name, as in the result document
  std::string rule;                     // an id, which this dlspec may not know
  std::string cases;                    // glob
  Verdict status = Verdict::fail;       // see is_deviation
  std::optional<std::string> observed;  // none: every observation
  VersionBounds versions;               // of the library
  std::string expires;                  // the last day that it is accepted, as 2027-06-30; or empty
  std::string reason;
  std::vector<std::string> comments;  // the lines above it, each with its #
  std::size_t number = 0;             // of the line in its file; 0: not in a file yet
};

struct Baseline {
  std::string file;                    // as given
  std::string made_by;                 // version of the dlspec whose results it accepts
  std::vector<std::string> head;       // comments above the format
  std::vector<std::string> libraries;  // in the file's order, those without a line too
  std::vector<AcceptedDeviation> lines;
  std::vector<std::string> tail;  // comments after the last line
};

// Statuses that a baseline can accept: fail, warn, crash, timeout.
[[nodiscard]] bool is_deviation(Verdict status);

// A baseline, or a sentence with file, line, what is wrong and what to do.
struct ReadBaseline {
  std::optional<Baseline> baseline;
  std::string error;
};
// Any bytes are answered.
[[nodiscard]] ReadBaseline parse_baseline(std::string_view text, const std::string& file);
[[nodiscard]] ReadBaseline read_baseline(const std::string& path);

// The text that is read back as the same baseline.
[[nodiscard]] std::string write_baseline(const Baseline& baseline);

}  // namespace dlspec::conformance
