// Renderings of a result document for other tools. Each is made from the document alone: the same document gives the
// same bytes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

// For a pull request or a wiki: GitHub's dialect.
[[nodiscard]] std::string markdown_report(const Document& document);
// One page without scripts and outside files, for light and dark screens and for a keyboard.
[[nodiscard]] std::string html_report(const Document& document);
// A test case for each record; schemas/junit.xsd says what is written.
[[nodiscard]] std::string junit_report(const Document& document);
// SARIF 2.1.0: a result for each finding with its cases. Status `fail` and worse are errors, `warn` warnings, `info`
// notes.
[[nodiscard]] std::string sarif_report(const Document& document);
// A small picture (SVG) that says whether anything failed.
[[nodiscard]] std::string badge(const Document& document);

struct Format {
  const char* name;  // of the option, as in --junit
  const char* what;  // for the help text
  std::string (*render)(const Document& document);
};
// Every format that a document can be written in, the document itself first.
[[nodiscard]] std::span<const Format> formats();

// `text` for a place between tags or in a quoted attribute of XML and HTML: clean text, with < > & " ' written out.
[[nodiscard]] std::string escape_markup(std::string_view text);

}  // namespace dlspec::conformance
