// From the tables to the cases of one run: what is asked of a subject, in which order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

// A row of layouts.def: the array's shape and how its elements lie.
struct LayoutRow {
  const char* name;
  std::vector<std::int64_t> shape;
  std::optional<std::vector<std::int64_t>> strides;  // elements; none: the library's default
  std::int64_t offset = 0;                           // elements before element (0, ..., 0)
  bool read_only = false;
  std::vector<RuleId> consumer_rules;  // what this layout tries, beyond the variant's own rules, in an ordinary import
};
[[nodiscard]] std::span<const LayoutRow> layouts();
// NULL when there is no such layout.
[[nodiscard]] const LayoutRow* find_layout(std::string_view name);

// Which subjects a variant is for.
enum class Kinds : std::uint8_t { python, native, both };

// A row of variants.def: one stimulus, the orders that it is given with, the rules that it decides.
struct Variant {
  Role role = Role::producer;
  const char* name = "";
  Kinds kinds = Kinds::both;
  bool first = false;               // the ordinary exchange, the whole of a smoke test
  bool plain = true;                // an ordinary use; otherwise it is a case that may well kill the subject
  RuleId primary{};                 // always one of `rules`
  std::vector<RuleId> rules;        // in rule order
  bool layout_rules = false;        // the layout's consumer_rules are decided too
  std::vector<const char*> dtypes;  // names; each is paired with each of `layouts`
  std::vector<const char*> layouts;
};
// Variants whose pairs of dtype and layout are no full product stand in several rows of one name.
[[nodiscard]] std::span<const Variant> variants();

// What the user selected. The defaults select everything.
struct Selection {
  SubjectKind kind = SubjectKind::python;
  std::vector<Role> roles{Role::producer, Role::consumer, Role::bridge};
  std::string rules = "*";          // glob over rule ids; a case keeps the rules that match
  std::string cases = "*";          // glob over case ids
  Level level = Level::convention;  // this level and the more binding ones
  bool smoke = false;               // only ordinary exchanges
  std::uint64_t seed = 0;           // of the contents
  std::uint32_t shard = 1;          // 1..shards
  std::uint32_t shards = 1;
};

// True where the subject is asked through C alone: rules of the groups capsule, python and stream
// need an interpreter and are not planned there. dlspec's own producer and consumer are asked so.
[[nodiscard]] bool is_native(SubjectKind kind);

// The cases of this selection: plain ones first, otherwise in table order; the same every time. Empty
// when nothing is selected (wrong usage: the caller says so; an empty *shard* of a selection that is
// not empty is fine, see plan_is_empty). A case whose primary rule was not selected has its first
// remaining rule as primary, so that a death is never lost.
[[nodiscard]] std::vector<Case> make_plan(const Selection& selection);

// True when the selection names no case in any shard.
[[nodiscard]] bool plan_is_empty(const Selection& selection);

// The shard of a case, 1..shards: FNV-1a (64 bits) of the id, modulo `shards`, plus 1. Part of the
// contract: machines of different age may share one plan.
[[nodiscard]] std::uint32_t shard_of(std::string_view case_id, std::uint32_t shards);

// Every rule that can be read off a struct's bytes (finding.def), in rule order.
[[nodiscard]] std::span<const RuleId> struct_rules();

// What a case id says was ordered, without contents; nothing when the id is not role/dtype/layout/variant
// or names an unknown layout.
[[nodiscard]] std::optional<Order> order_of(std::string_view case_id);

// The ordered array on one line, as in reports: "float32 (3,4):(-4,-1)+11 @cpu ro". Offset in elements.
[[nodiscard]] std::string order_text(const Order& order);

}  // namespace dlspec::conformance
