// What a worker says of its own death, just before it (oracle/fault_report.h writes it).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

struct Fault {
  std::int64_t pid = 0;
  std::string text;               // "it read 1 byte beyond the data"
  std::optional<RuleId> culprit;  // the rule that such a death breaks, where that is known
};

// What a worker says while it calls a deleter after the end of its interpreter:
// {"exit":{"pid":7,"deleter":"entered"}}, and "returned" afterwards.
enum class ExitMark : std::uint8_t { entered, returned };

// Nothing when the line is something else.
[[nodiscard]] std::optional<ExitMark> parse_exit_mark(std::string_view line);
[[nodiscard]] std::optional<Fault> parse_fault(std::string_view line);

}  // namespace dlspec::conformance
