#include <dlspec/vocabulary/verdict.h>

#include <dlspec/vocabulary/by_name.h>

namespace dlspec {

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "pass";
    case Verdict::fail: return "fail";
    case Verdict::warn: return "warn";
    case Verdict::info: return "info";
    case Verdict::unsupported: return "unsupported";
    case Verdict::not_applicable: return "not-applicable";
    case Verdict::blocked: return "blocked";
    case Verdict::crash: return "crash";
    case Verdict::timeout: return "timeout";
    case Verdict::skipped: return "skipped";
    case Verdict::xfail: return "xfail";
    case Verdict::xpass: return "xpass";
  }
  return "unknown";
}

std::optional<Verdict> parse_verdict(std::string_view name) { return by_name(all_verdicts, verdict_name, name); }

}  // namespace dlspec
