// Output formats of a result document. Each depends on the document alone: equal documents give equal bytes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {

// GitHub-flavoured Markdown, for a pull request or a wiki.
[[nodiscard]] std::string markdown_report(const Document& document);
// One self-contained page without scripts, with a light and a dark theme and keyboard navigation.
[[nodiscard]] std::string html_report(const Document& document);
// One test case per record; schemas/junit.xsd defines the format.
[[nodiscard]] std::string junit_report(const Document& document);
// SARIF 2.1.0: one result per finding, with its cases. Status `fail` and worse become errors, `warn` warnings, `info`
// notes.
[[nodiscard]] std::string sarif_report(const Document& document);
// An SVG badge that shows whether anything failed.
[[nodiscard]] std::string badge(const Document& document);

struct ReportFormat {
  const char* name;  // name of the option without dashes, as in --junit
  const char* what;  // for the help text
  std::string (*render)(const Document& document);
};
// All formats; the first is the JSON document itself.
[[nodiscard]] std::span<const ReportFormat> formats();

// `text`, sanitised by clean_text and with < > & " ' escaped, for element content or a quoted attribute in XML and
// HTML.
[[nodiscard]] std::string escape_markup(std::string_view text);

}  // namespace dlspec::conformance
