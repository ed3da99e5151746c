// A case as the native worker carries it out, and what it answers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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
  abi::Device device;               // that the array lies on
  std::vector<std::uint8_t> bytes;  // contents in C order
  std::vector<RuleId> rules;
  bool legacy = false;      // a path asks for the older struct, where what is tried leaves the choice
  std::uint32_t minor = 3;  // the same of the minor version of a versioned struct
  bool drawn;               // no other case has an array of this layout
  bool alone;               // the first case of this worker
  std::vector<std::string> sequences;
  std::string journal;  // path of a shared page, or empty
};

// The array as the plug-in is asked for it. Refers to the case.
[[nodiscard]] DlspecSpec spec_of(const NativeCase& asked, abi::Device device);

// A wrong value, which fails whatever the level of the rule.
[[nodiscard]] inline Outcome wrong(std::string observed, std::string allowed) {
  return {Outcome::Kind::violated, std::move(observed), std::move(allowed), Verdict::fail};
}

// Orders of another array, the first that can be made counts: of other extents, compact, of another dtype, and
// read-only where this one is not.
[[nodiscard]] std::vector<NativeCase> neighbours_of(const NativeCase& asked);

// Orders of arrays that differ from this one in one respect each, compact and of few elements: another code of the same
// width, several lanes, the widest elements, none, and another element without axes.
[[nodiscard]] std::vector<NativeCase> crowd_of(const NativeCase& asked);

// The order of a compact array of the same elements on other axes, with words for it.
struct Lookalike {
  NativeCase order;
  const char* words;
};
[[nodiscard]] std::vector<Lookalike> lookalikes_of(const NativeCase& asked);

// Ranks at which short lists end that libraries keep inside their arrays, and one on each side of those.
inline constexpr int tried_ranks[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 33};

// The order of a vector of so many elements behind axes of length 1; of a scalar for rank 0.
[[nodiscard]] NativeCase vector_of_rank(const NativeCase& asked, int rank, std::int64_t extent);

// The order of an array of more than 1 MiB in the same layout, whose strides are not 0: its first and its last axis are
// longer.
[[nodiscard]] NativeCase large_of(const NativeCase& asked);

// The outcomes of one case while it is carried out. Rules that the case does not ask may be set: they are left out at
// the end. A rule without an outcome is reported as not judged.
class NativeAnswer {
 public:
  explicit NativeAnswer(const NativeCase& asked) : asked_(asked) {}

  void set(RuleId rule, Outcome outcome) { outcomes_.insert_or_assign(rule, std::move(outcome)); }
  void pass(RuleId rule) { set(rule, {Outcome::Kind::pass, {}, {}, {}}); }
  void violated(RuleId rule, std::string observed, std::string allowed) {
    set(rule, {Outcome::Kind::violated, std::move(observed), std::move(allowed), {}});
  }
  void blocked(RuleId rule, std::string by) { set(rule, {Outcome::Kind::blocked, std::move(by), {}, {}}); }
  void not_applicable(RuleId rule) { set(rule, {Outcome::Kind::not_applicable, {}, {}, {}}); }
  // pass or violated.
  void decide(RuleId rule, bool holds, const std::string& observed, const std::string& allowed) {
    holds ? pass(rule) : violated(rule, observed, allowed);
  }
  // Withdraws what is not violated.
  void keep_violated() {
    std::erase_if(outcomes_, [](const auto& entry) { return entry.second.kind != Outcome::Kind::violated; });
  }
  // Every rule of the case that has no outcome yet gets this one.
  void rest(const Outcome& outcome) {
    for (const RuleId rule : asked_.rules) outcomes_.try_emplace(rule, outcome);
  }
  void rest_pass() { rest({}); }
  void rest_violated(std::string observed, std::string allowed) {
    rest({Outcome::Kind::violated, std::move(observed), std::move(allowed), {}});
  }
  void rest_blocked(std::string by) { rest({Outcome::Kind::blocked, std::move(by), {}, {}}); }
  void rest_unsupported(std::string reason) { rest({Outcome::Kind::unsupported, std::move(reason), {}, {}}); }
  void rest_not_applicable() { rest({Outcome::Kind::not_applicable, {}, {}, {}}); }

  void report(SequenceReport report) { report_ = std::move(report); }
  [[nodiscard]] const std::optional<SequenceReport>& report() const { return report_; }

  [[nodiscard]] bool asks(RuleId rule) const;
  [[nodiscard]] bool is_violated(RuleId rule) const {
    const auto found = outcomes_.find(rule);
    return found != outcomes_.end() && found->second.kind == Outcome::Kind::violated;
  }
  [[nodiscard]] const std::map<RuleId, Outcome>& outcomes() const { return outcomes_; }

 private:
  const NativeCase& asked_;
  std::map<RuleId, Outcome> outcomes_;
  std::optional<SequenceReport> report_;
};

// Where two contents differ first, in words that two equal runs share; "" when they are equal.
[[nodiscard]] std::string difference(const std::vector<std::uint8_t>& got, const std::vector<std::uint8_t>& wanted);

}  // namespace dlspec::conformance
