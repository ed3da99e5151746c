// The statuses of a result record, spelled as in the result document.
#pragma once

#include <optional>
#include <string_view>

namespace dlspec {

enum class Verdict : unsigned char {
  pass,
  fail,
  warn,
  info,
  unsupported,
  not_applicable,
  blocked,
  crash,
  timeout,
  skipped,
  xfail,
  xpass,
};

inline constexpr Verdict all_verdicts[] = {
    Verdict::pass,    Verdict::fail,  Verdict::warn,    Verdict::info,    Verdict::unsupported, Verdict::not_applicable,
    Verdict::blocked, Verdict::crash, Verdict::timeout, Verdict::skipped, Verdict::xfail,       Verdict::xpass,
};

[[nodiscard]] const char* verdict_name(Verdict verdict);
[[nodiscard]] std::optional<Verdict> parse_verdict(std::string_view name);

}  // namespace dlspec
