#include <dlspec/vocabulary/finding.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include <dlspec/vocabulary/dtype.h>

namespace dlspec {
namespace {

constexpr FindingRow table[] = {
#define DLSPEC_FINDING(rule, variant, verdict, when, observed, allowed) \
  {RuleId::rule, variant, Verdict::verdict, when, observed, allowed},
#include <dlspec/vocabulary/finding.def>
#undef DLSPEC_FINDING
};

std::string hexadecimal(std::int64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string placeholder(std::string_view name, const Finding& finding) {
  if (name == "axis") return std::to_string(finding.axis);
  if (name == "value") return std::to_string(finding.value);
  if (name == "other") return std::to_string(finding.other);
  if (name == "unsigned") return std::to_string(static_cast<std::uint64_t>(finding.value));
  if (name == "hex") return hexadecimal(finding.value);
  if (name == "dtype") return dtype_name(unpack_dtype(finding.value));
  if (name == "other_dtype") return dtype_name(unpack_dtype(finding.other));
  return "{" + std::string(name) + "}";
}

std::string fill(std::string_view format, const Finding& finding) {
  std::string text;
  while (!format.empty()) {
    const std::size_t open = format.find('{');
    text += format.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = format.find('}', open);
    text += placeholder(format.substr(open + 1, close - open - 1), finding);
    format.remove_prefix(close + 1);
  }
  return text;
}

}  // namespace

std::span<const FindingRow> finding_table() { return table; }

const FindingRow& finding_row(const Finding& finding) {
  const auto* row = std::find_if(std::begin(table), std::end(table), [&](const FindingRow& candidate) {
    return candidate.rule == finding.rule && candidate.variant == finding.variant;
  });
  static constexpr FindingRow unlisted{RuleId{}, 0, Verdict::fail, "", "an unlisted finding", ""};
  return row != std::end(table) ? *row : unlisted;
}

Verdict verdict_of(const Finding& finding) { return finding_row(finding).verdict; }
std::string observed_text(const Finding& finding) { return fill(finding_row(finding).observed, finding); }
std::string allowed_text(const Finding& finding) { return fill(finding_row(finding).allowed, finding); }

std::int64_t pack_dtype(abi::DataType dtype) {
  return std::int64_t{dtype.code} << 24 | std::int64_t{dtype.bits} << 16 | std::int64_t{dtype.lanes};
}

abi::DataType unpack_dtype(std::int64_t packed) {
  return {static_cast<std::uint8_t>(packed >> 24 & 0xFF), static_cast<std::uint8_t>(packed >> 16 & 0xFF),
          static_cast<std::uint16_t>(packed & 0xFFFF)};
}

const Finding* Findings::find(RuleId rule) const {
  const Finding* found = std::find_if(begin(), end(), [&](const Finding& finding) { return finding.rule == rule; });
  return found != end() ? found : nullptr;
}

void Findings::add(const Finding& finding) {
  Finding* const position =
      std::find_if(storage_, storage_ + size_, [&](const Finding& present) { return present.rule >= finding.rule; });
  if (position != storage_ + size_ && position->rule == finding.rule) return;
  if (size_ == capacity) return;
  std::copy_backward(position, storage_ + size_, storage_ + size_ + 1);
  *position = finding;
  ++size_;
}

bool operator==(const Findings& a, const Findings& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

}  // namespace dlspec
