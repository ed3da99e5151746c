// The result document: all results of a run. Every report is rendered from it.
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

inline constexpr const char* document_schema = "dlspec-result/2";  // as it is written
inline constexpr const char* unfolded_schema = "dlspec-result/1";  // is still read: every record is whole

// Rules of one role of a subject: those that bind it, and those of them that were exercised. A rule binds the role if a
// whole run asks it of this kind of subject, unless every record says that it is not applicable; it is exercised if one
// record judges it.
struct RoleFigures {
  Role role = Role::producer;
  std::uint32_t binding = 0;
  std::uint32_t exercised = 0;
  friend bool operator==(const RoleFigures&, const RoleFigures&) = default;
};

struct SubjectInfo {
  std::string subject;  // the text given on the command line, unique in a document
  std::string name;     // "NumPy"; empty when it did not load
  std::string version;
  SubjectKind kind = SubjectKind::python;
  std::vector<Role> roles;                // roles that it implements
  std::string requirement;                // "numpy==1.26.4", or empty
  std::string loaded_from;                // path, or empty
  std::string interpreter;                // "CPython 3.11.2", or empty
  std::string build;                      // which build of the version was loaded, or empty
  std::vector<RoleFigures> figures = {};  // of the roles that were asked
  // What its import of an array whose type publishes an exchange table calls of that table, in order.
  std::vector<std::string> table_calls = {};
};

struct Shard {
  std::uint32_t index = 1;  // 1..count
  std::uint32_t count = 1;
  friend bool operator==(const Shard&, const Shard&) = default;
};

// Time that a subject took, in seconds. Parallel workers count as the slowest of them.
struct Seconds {
  double environment = 0;  // creating its environment
  double importing = 0;    // loading the library in its workers
  double judging = 0;      // everything else
  friend bool operator==(const Seconds&, const Seconds&) = default;
};

struct Document {
  std::string version;  // of dlspec
  std::string commit;
  std::uint64_t seed = 0;
  std::map<std::string, std::string> host;  // "system", "machine", "time"; may differ between identical runs
  std::map<std::string, Seconds> seconds;   // by subject; may differ between identical runs
  std::optional<Shard> shard;               // set by --shard
  std::vector<SubjectInfo> subjects;        // in the order of the command line
  std::vector<Record> results;              // in the order of subjects, then of the plan
  std::uint32_t tested = 0;  // number of rules that the self-test covers with a faulty subject and a twin
};

// Number of rules in the table, rules that dlspec checks, rules that the self-test covers; and the rules exercised in
// this document.
struct RuleFigures {
  std::uint32_t specified = 0;
  std::uint32_t checked = 0;
  std::uint32_t tested = 0;
  std::vector<std::string> exercised_ids;  // in rule order
};
[[nodiscard]] RuleFigures rule_figures(const Document& document);

// Number of records per status, indexed by Verdict.
using Summary = std::array<std::uint64_t, std::size(all_verdicts)>;
[[nodiscard]] Summary summarize(std::span<const Record> records);
[[nodiscard]] Summary summarize(std::span<const Record> records, std::string_view subject);

// The document as JSON, folded (folding.h), one whole record per line. Deterministic: equal documents give equal bytes.
// The output is valid UTF-8 whatever bytes its texts hold.
[[nodiscard]] std::string write_document(const Document& document);

// A document, or an error sentence that names the file, the place and the reason.
struct ReadDocument {
  std::optional<Document> document;
  std::string error;
};
// Accepts any bytes. `file` is the name used in the error.
[[nodiscard]] ReadDocument parse_document(std::string_view text, const std::string& file);
[[nodiscard]] ReadDocument read_document(const std::string& path);

// A document and the file that it was read from, for messages.
struct NamedDocument {
  std::string file;
  Document document;
};

}  // namespace dlspec::conformance
