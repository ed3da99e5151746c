#include <dlspec/conformance/report/formats.h>

#include <dlspec/conformance/core/text.h>

namespace dlspec::conformance {

std::span<const ReportFormat> formats() {
  static constexpr ReportFormat table[] = {
      {"json", "Write the result document", write_document},
      {"junit", "Write JUnit XML", junit_report},
      {"html", "Write a page for a browser", html_report},
      {"markdown", "Write Markdown", markdown_report},
      {"sarif", "Write SARIF 2.1.0", sarif_report},
      {"badge", "Write a picture (SVG) that says whether anything failed", badge},
  };
  return table;
}

std::string escape_markup(std::string_view text) {
  std::string escaped;
  for (const char character : clean_text(text)) {
    switch (character) {
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '&': escaped += "&amp;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      default: escaped += character;
    }
  }
  return escaped;
}

}  // namespace dlspec::conformance
