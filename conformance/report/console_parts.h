// Shared by the parts of the terminal report. Internal to report/.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/conformance/report/console.h>
#include <dlspec/conformance/report/folded.h>

namespace dlspec::conformance {

inline constexpr std::size_t longest_shown = 600;  // bytes of an observed text; the document has the rest

// ANSI colour, or plain text.
class Paint {
 public:
  explicit Paint(bool color) : color_(color) {}
  [[nodiscard]] std::string status(Verdict status, std::string_view text) const;
  [[nodiscard]] std::string strong(std::string_view text) const { return wrap("1", text); }
  [[nodiscard]] std::string faint(std::string_view text) const { return wrap("2", text); }

 private:
  [[nodiscard]] std::string wrap(const char* code, std::string_view text) const;
  bool color_;
};

// A finding in the fixed order: rule, who, tensor, observed, allowed, source, command, further cases.
[[nodiscard]] std::string finding_block(const FoldedFinding& block, const std::string& who,
                                        const ConsoleOptions& options, const Paint& paint);

}  // namespace dlspec::conformance
