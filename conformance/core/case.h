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

// What a case asks about; `bridge`: tensor descriptors, made from DLPack tensors, turned into them, and copied by;
// `exchange`: producer and consumer, an array of one subject handed to another one.
enum class Role : std::uint8_t { producer, consumer, bridge, exchange };
[[nodiscard]] const char* role_name(Role role);
[[nodiscard]] std::optional<Role> parse_role(std::string_view name);

// Who can be asked: a Python library through its adapter, or a C plug-in (dlspec's own included).
enum class SubjectKind : std::uint8_t { builtin, python, plugin };
[[nodiscard]] const char* kind_name(SubjectKind kind);
[[nodiscard]] std::optional<SubjectKind> parse_kind(std::string_view name);

// The array that a producer is asked to make, that a consumer is offered, or that a descriptor describes.
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
  RuleId primary{};           // one of `rules`: the one that the stimulus tries; a death is recorded there
  std::vector<RuleId> rules;  // everything that this case decides, primary included, in rule order
  std::string known;          // "good" or "bad": asked of dlspec's own library in place of the subject; see known.h
  bool plain = true;          // plain cases run before those with an unusual stimulus
};

}  // namespace dlspec::conformance
