// The protocol with inspect_worker.py, and the text of `dlspec inspect`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dlspec/conformance/report/console.h>
#include <dlspec/conformance/report/picture.h>
#include <dlspec/vocabulary/rules.h>
#include <dlspec/vocabulary/verdict.h>

namespace dlspec::conformance {

struct InspectedRule {
  RuleId rule{};
  Verdict status = Verdict::fail;
  std::string observed;
  std::string allowed;
};

// The fields of an exported struct; nullopt where a field cannot be read.
struct Inspection {
  std::string type;   // Python type of the object
  std::string asked;  // the call that returned the capsule
  std::optional<std::string> name;
  std::optional<std::string> generation;
  bool has_destructor = false;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> version;
  std::optional<std::uint64_t> flags;
  std::optional<bool> null_deleter;
  std::optional<std::pair<std::int64_t, std::int64_t>> device;
  std::optional<std::int64_t> ndim;
  std::optional<std::vector<std::int64_t>> dtype;  // code, bits, lanes
  std::optional<std::vector<std::int64_t>> shape;
  std::optional<std::vector<std::int64_t>> strides;
  std::optional<std::uint64_t> byte_offset;
  std::optional<std::uint64_t> data;
  std::string text;  // the one-line form, or empty
  std::vector<InspectedRule> findings;
};

// The answer, or the reason for its absence.
struct InspectionAnswer {
  std::optional<Inspection> inspection;
  std::string error;         // a sentence
  std::string detail;        // a traceback, or empty
  std::string missing = {};  // the module that is not installed, where that is the reason
};
[[nodiscard]] InspectionAnswer parse_inspection(std::string_view line);
[[nodiscard]] std::string inspection_request(const std::string& native, const std::string& expression,
                                             const std::string& setup, const std::vector<std::string>& paths);

// The annotated struct, the picture of its memory (picture_text, or ""), and the verdict of each violated rule. Ends
// with a line break.
[[nodiscard]] std::string show_inspection(const Inspection& inspection, const std::string& picture,
                                          const ConsoleOptions& options);

// What can be drawn of the tensor; nullopt where its fields cannot be read.
[[nodiscard]] std::optional<Drawn> drawn_of(const Inspection& inspection);

}  // namespace dlspec::conformance
