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

// How binding a rule is. `implied`: written nowhere, but another rule or memory safety collapses
// without it.
enum class Level : std::uint8_t { must, implied, should, may, convention };

// Whom the rule binds.
enum class Side : std::uint8_t { producer, consumer, both };

// What it takes to check the rule: the struct's bytes, a live subject, CPython, a GPU, memory
// protection or a sanitizer, or a reader.
enum class Check : std::uint8_t { struct_bytes, dynamic, python, gpu, sanitizer, review };

// Whether this dlspec checks it. `never` carries the reason why a machine cannot.
enum class Coverage : std::uint8_t { checked, not_yet, never };

// Which tensors and libraries a rule holds for. Versions are decided by the tensor itself.
struct Interval {
  enum class Scope : std::uint8_t {
    any,         // every struct of every release
    dlpack,      // structs of the releases first..last; structs without a version take part if `unversioned`
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
// From a release on. Structs without a version take part before 1.0 (they are spoken to this day),
// never from 1.0 on.
constexpr Interval from(std::uint32_t major, std::uint32_t minor) {
  return {Interval::Scope::dlpack, {major, minor}, {0xFFFFFFFF, 0xFFFFFFFF}, major == 0};
}
// First and last release, both included; structs without a version take part.
constexpr Interval between(abi::Version first, abi::Version last) {
  return {Interval::Scope::dlpack, first, last, true};
}
// From an edition of the array API standard on, named by its year.
constexpr Interval array_api(std::uint32_t year) {
  return {Interval::Scope::array_api, {year, 0}, {0xFFFFFFFF, 0xFFFFFFFF}, true};
}
// Whether a struct takes part in a rule; `version` is NULL for structs without one. A versioned struct is
// of 1.0 or later, whatever its version says: no release below 1.0 has such a struct.
// Scopes that are about libraries (array_api, python_spec) say yes to every struct.
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
  Verdict broken;           // the status of a breach, before exceptions that a check states itself
  const char* source;       // upstream document and place
  const char* requirement;  // one sentence
  const char* reason;       // why it is not checked, or ""
};

// All rules, in the order of RuleId: version, abi, device, dtype, tensor, managed, flags, capsule,
// python, stream, exchange, bridge.
[[nodiscard]] std::span<const Rule> rules();

[[nodiscard]] const Rule& rule(RuleId id);

// Whether `rule` can only be judged where `precondition` holds: named in its needs, or in theirs.
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
