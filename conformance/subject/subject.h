// Parses a subject as the command line names it. Starts nothing and opens no file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/subject/adapter.h>

namespace dlspec::conformance {

struct Subject {
  std::string text;  // as given
  SubjectKind kind = SubjectKind::builtin;
  std::string path;                // of the adapter or the plug-in; empty for builtin
  std::optional<Adapter> adapter;  // of a shipped one
  std::string version;             // "1.26.4", or "latest"; empty: what the interpreter imports
};

// A subject, or a sentence that says which texts name one.
struct ParsedSubject {
  std::optional<Subject> subject;
  std::string error;
};

// builtin | NAME | NAME==VERSION | NAME@latest | path to a .py | path to a .so. NAME is any that Adapters::find knows.
[[nodiscard]] ParsedSubject parse_subject(std::string_view text, const Adapters& adapters);

// Changes of one letter (insert, delete, replace) from one text to the other.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace dlspec::conformance
