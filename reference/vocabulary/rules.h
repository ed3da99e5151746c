// The rule catalogue: typed access to rules.def, THE table from which code, reports, docs and tests
// are made. Rule ids are public and permanent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/verdict.h>

namespace dlspec {

// How binding a rule is. `implied`: not written, but another rule, or memory safety, does not hold without it.
enum class Level : std::uint8_t { must, implied, should, may, convention };

// Whom the rule binds.
enum class Side : std::uint8_t { producer, consumer, both };

// What a check of the rule needs: the bytes of the struct, a running subject, CPython, a GPU, memory protection or a
// sanitizer, or a human reader.
enum class Check : std::uint8_t { struct_bytes, dynamic, python, gpu, sanitizer, review };

// Whether this version of dlspec checks the rule. `never`: no program can, for the reason that the row gives.
enum class Coverage : std::uint8_t { checked, not_yet, never };

// Which tensors and libraries a rule holds for. Versions are decided by the tensor itself.
struct Interval {
  enum class Scope : std::uint8_t {
    any,         // every struct of every release
    dlpack,      // structs of the releases first..last; with `unversioned` also structs without a version
    legacy,      // structs without a version only
    array_api,   // libraries that show the edition `first.major` (a year) or a later one
    python_spec  // everything that goes through Python capsules
  };
  Scope scope = Scope::any;
  abi::Version first{0, 0};
  abi::Version last{0xFFFFFFFF, 0xFFFFFFFF};
  bool unversioned = true;
};

namespace interval {
// Builders that rules.def is written with.
inline constexpr Interval any{};
inline constexpr Interval legacy{.scope = Interval::Scope::legacy};
inline constexpr Interval python_spec{.scope = Interval::Scope::python_spec};
// From a release on. A rule from before 1.0 covers structs without a version too (libraries still exchange them); a
// rule from 1.0 on does not.
constexpr Interval from(std::uint32_t major, std::uint32_t minor) {
  return {Interval::Scope::dlpack, {major, minor}, {0xFFFFFFFF, 0xFFFFFFFF}, major == 0};
}
// First and last release, both included, and structs without a version.
constexpr Interval between(abi::Version first, abi::Version last) {
  return {Interval::Scope::dlpack, first, last, true};
}
// From an edition of the array API standard on, named by its year.
constexpr Interval array_api(std::uint32_t year) {
  return {Interval::Scope::array_api, {year, 0}, {0xFFFFFFFF, 0xFFFFFFFF}, true};
}
// Whether a rule covers a struct; `version` is NULL for structs without one. A versioned struct counts as 1.0 or later,
// whatever its version says, because no release below 1.0 has such a struct. Scopes that are about libraries
// (array_api, python_spec) cover every struct.
[[nodiscard]] bool covers(const Interval& interval, const abi::Version* version);
}  // namespace interval

enum class RuleId : std::uint16_t {
#define DLSPEC_RULE(name, ...) name,
#include <dlspec/vocabulary/rules.def>
#undef DLSPEC_RULE
};

struct Rule {
  RuleId rule;
  const char* id;     // "tensor.strides-not-null"
  const char* title;  // a few words for headings
  Level level;
  const char* implied_by;  // for Level::implied: the rule that it follows from, or "memory-safety"; else ""
  Side side;
  Interval interval;
  const char* since;  // first dlspec version with the rule
  const char* needs;  // ids, separated by spaces, of rules that must hold before this one can be judged
  Check check;
  Coverage coverage;
  Verdict violated;         // the status of a violation, unless the check gives another
  const char* source;       // upstream document and place
  const char* requirement;  // one sentence
  const char* reason;       // why it is not checked, or ""
};

// All rules, in the order of RuleId: version, abi, device, dtype, tensor, managed, flags, capsule,
// python, stream, exchange, bridge.
[[nodiscard]] std::span<const Rule> rules();

[[nodiscard]] const Rule& rule(RuleId id);

// Whether `rule` can be judged only where `precondition` holds: the needs of `rule` name it, directly or transitively.
[[nodiscard]] bool depends_on(const Rule& rule, const Rule& precondition);

// NULL when there is no such rule.
[[nodiscard]] const Rule* find_rule(std::string_view id);

// The part before the dot: "tensor".
[[nodiscard]] std::string_view rule_group(const Rule& rule);

// "MUST", "MUST (implied by tensor.element-address)", "SHOULD", "MAY", "convention".
[[nodiscard]] const char* level_name(Level level);
[[nodiscard]] const char* side_name(Side side);
[[nodiscard]] const char* check_name(Check check);

// Shell-like match of a rule id or case: `*`, `?` and `{a,b}` (not nested), where `*` crosses dots and slashes.
[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace dlspec
