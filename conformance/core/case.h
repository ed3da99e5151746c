// The unit of work: one stimulus given to one subject, and the rules that its answer decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

// What a case tests. `bridge`: tensor descriptors that are made from DLPack tensors, converted back and used for
// copies. `exchange`: an array exported by one subject and imported by another.
enum class Role : std::uint8_t { producer, consumer, bridge, exchange };
[[nodiscard]] const char* role_name(Role role);
[[nodiscard]] std::optional<Role> parse_role(std::string_view name);

// The kinds of subjects: dlspec's own C plug-in, a Python library behind its adapter, another C plug-in.
enum class SubjectKind : std::uint8_t { builtin, python, plugin };
[[nodiscard]] const char* kind_name(SubjectKind kind);
[[nodiscard]] std::optional<SubjectKind> parse_kind(std::string_view name);

// The array that a producer has to make, that a consumer imports, or that a descriptor describes.
struct Order {
  std::string dtype;                                 // dtype_name
  std::vector<std::int64_t> shape;                   // extents
  std::optional<std::vector<std::int64_t>> strides;  // elements; none: the library's default
  std::int64_t offset = 0;                           // elements before element (0, ..., 0)
  bool read_only = false;
  abi::Device device{1, 0};
  std::string bytes;  // contents in C order, native byte order, sub-byte packed
};

struct Case {
  std::string id;  // role/dtype/layout/variant, stable across releases
  Role role = Role::producer;
  std::string dtype;
  std::string layout;
  std::string variant;
  Order order;
  RuleId primary{};           // one of `rules`: the rule under test; a crash or timeout is recorded under it
  std::vector<RuleId> rules;  // every rule that this case decides, `primary` included, in rule order
  std::string control;        // "good" or "bad": a control case, run on dlspec's own library; see control_cases.h
  bool drawn = false;         // its layout is: no case beside it has such an array
  bool only_witness = false;  // nothing was found of its role: what it leaves to other cases, it reports itself
  bool alone = false;         // it is the first case of its worker: what it shows without its history is looked at, too
  bool plain = true;          // plain cases run before those with an unusual stimulus
  std::vector<std::string> sequences;  // of a variant that carries out sequences: their texts (plan/sequence.h)
  std::string journal;  // path of a shared page into which the worker writes the step under way; empty: none
};

// Whether the case offers a struct that no producer may make ("hostile=NAME"): a death by it is information.
[[nodiscard]] bool is_hostile(std::string_view case_id);

}  // namespace dlspec::conformance
