// A case as the native worker carries it out, and what it answers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/core/record.h>
#include <dlspec/plugin.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/layout.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

// The part of a case that the native worker needs.
struct NativeCase {
  explicit NativeCase(const Case& work);

  std::string variant;
  Layout layout;  // of the order; byte_offset from its offset in elements; strides none: the library's default
  std::int64_t offset = 0;  // elements
  bool read_only = false;
  std::vector<std::uint8_t> bytes;  // contents in C order
  std::vector<RuleId> rules;
};

// An answer in the making. Rules that the case does not ask may be set: they are left out at the end.
// What nobody set is reported as not judged.
class NativeAnswer {
 public:
  explicit NativeAnswer(const NativeCase& asked) : asked_(asked) {}

  void set(RuleId rule, Outcome outcome) { outcomes_.insert_or_assign(rule, std::move(outcome)); }
  void pass(RuleId rule) { set(rule, {Outcome::Kind::pass, {}, {}, {}}); }
  void broken(RuleId rule, std::string observed, std::string allowed) {
    set(rule, {Outcome::Kind::broken, std::move(observed), std::move(allowed), {}});
  }
  void blocked(RuleId rule, std::string by) { set(rule, {Outcome::Kind::blocked, std::move(by), {}, {}}); }
  // pass or broken.
  void decide(RuleId rule, bool holds, const std::string& observed, const std::string& allowed) {
    holds ? pass(rule) : broken(rule, observed, allowed);
  }
  // Every rule of the case that has no outcome yet gets this one.
  void rest(const Outcome& outcome) {
    for (const RuleId rule : asked_.rules) outcomes_.try_emplace(rule, outcome);
  }
  void rest_unsupported(const std::string& reason) { rest({Outcome::Kind::unsupported, reason, {}, {}}); }

  [[nodiscard]] bool asks(RuleId rule) const;
  [[nodiscard]] const std::map<RuleId, Outcome>& outcomes() const { return outcomes_; }

 private:
  const NativeCase& asked_;
  std::map<RuleId, Outcome> outcomes_;
};

// The roles. Every variant of the plan that is for native subjects has its place there; an
// unknown one leaves its rules unset.
void answer_producer_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer);
void answer_consumer_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer);
void answer_bridge_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer);

// Where two contents differ first, in words that two equal runs share; "" when they are equal.
[[nodiscard]] std::string difference(const std::vector<std::uint8_t>& got, const std::vector<std::uint8_t>& wanted);

}  // namespace dlspec::conformance
