// Messages that a worker writes just before it dies (oracle/fault_report.h) and at its exit.
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
  std::optional<RuleId> culprit;  // the rule that such a death violates, where it is certain
};

// A worker writes {"exit":{"pid":7,"deleter":"entered"}} before it calls a deleter after the end of its interpreter,
// and "returned" after the call.
enum class ExitMark : std::uint8_t { entered, returned };

// nullopt when the line is another message.
[[nodiscard]] std::optional<ExitMark> parse_exit_mark(std::string_view line);
[[nodiscard]] std::optional<Fault> parse_fault(std::string_view line);

}  // namespace dlspec::conformance
