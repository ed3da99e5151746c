// The result document: everything that a run found, from which all reports are made.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/record.h>

namespace dlspec::conformance {

inline constexpr const char* document_schema = "dlspec-result/1";

struct SubjectInfo {
  std::string subject;  // the text given on the command line, unique in a document
  std::string name;     // "NumPy"; empty when it never loaded
  std::string version;
  SubjectKind kind = SubjectKind::python;
  std::vector<Role> roles;  // roles that it has
  std::string requirement;  // "numpy==1.26.4", or empty
  std::string loaded_from;  // path, or empty
  std::string interpreter;  // "CPython 3.11.2", or empty
  std::string build;        // which build of the version was loaded, or empty
};

struct Shard {
  std::uint32_t index = 1;  // 1..count
  std::uint32_t count = 1;
  friend bool operator==(const Shard&, const Shard&) = default;
};

// How long a subject took. Workers side by side count as long as the slowest of them.
struct Seconds {
  double environment = 0;  // until its environment stood
  double importing = 0;    // until its workers had loaded the library
  double judging = 0;      // all else
  friend bool operator==(const Seconds&, const Seconds&) = default;
};

struct Document {
  std::string version;  // of the dlspec that ran
  std::string commit;
  std::uint64_t seed = 0;
  std::map<std::string, std::string> host;  // "system", "machine", "time": what may differ between two equal runs
  std::map<std::string, Seconds> seconds;   // by subject; differs between two equal runs as well
  std::optional<Shard> shard;               // of a run with --shard
  std::vector<SubjectInfo> subjects;        // in the order of the command line
  std::vector<Record> results;              // in the order of subjects, then of the plan
  std::uint32_t tested = 0;                 // rules whose faulty subject and twin passed the self-test
};

// Rules specified, checked and exercised in this document.
struct RuleFigures {
  std::uint32_t specified = 0;
  std::uint32_t checked = 0;
  std::uint32_t tested = 0;
  std::vector<std::string> exercised_ids;  // in rule order
};
[[nodiscard]] RuleFigures rule_figures(const Document& document);

// How many records have each status, by the order of Verdict.
using Summary = std::array<std::uint64_t, std::size(all_verdicts)>;
[[nodiscard]] Summary summarize(std::span<const Record> records);
[[nodiscard]] Summary summarize(std::span<const Record> records, std::string_view subject);

// The document as JSON text, one record a line. The same document gives the same bytes; any bytes in
// its texts give valid UTF-8.
[[nodiscard]] std::string write_document(const Document& document);

// A document or a sentence that says which file is wrong, where and why.
struct ReadDocument {
  std::optional<Document> document;
  std::string error;
};
// Any bytes are answered. `file` is named in the error.
[[nodiscard]] ReadDocument parse_document(std::string_view text, const std::string& file);
[[nodiscard]] ReadDocument read_document(const std::string& path);

// A document and the file that it came from, for messages.
struct NamedDocument {
  std::string file;
  Document document;
};

}  // namespace dlspec::conformance
