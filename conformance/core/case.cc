#include <dlspec/conformance/core/case.h>

#include <array>

#include <dlspec/vocabulary/by_name.h>

namespace dlspec::conformance {

const char* role_name(Role role) {
  switch (role) {
    case Role::producer: return "producer";
    case Role::consumer: return "consumer";
    case Role::bridge: return "bridge";
    case Role::exchange: return "exchange";
  }
  return "unknown";
}

std::optional<Role> parse_role(std::string_view name) {
  return by_name(std::array{Role::producer, Role::consumer, Role::bridge, Role::exchange}, role_name, name);
}

const char* kind_name(SubjectKind kind) {
  switch (kind) {
    case SubjectKind::builtin: return "builtin";
    case SubjectKind::python: return "python";
    case SubjectKind::plugin: return "plugin";
  }
  return "unknown";
}

std::optional<SubjectKind> parse_kind(std::string_view name) {
  return by_name(std::array{SubjectKind::builtin, SubjectKind::python, SubjectKind::plugin}, kind_name, name);
}

bool is_hostile(std::string_view case_id) { return case_id.find("hostile=") != std::string_view::npos; }

}  // namespace dlspec::conformance
