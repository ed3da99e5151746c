#include <dlspec/conformance/core/case.h>

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
  for (const Role role : {Role::producer, Role::consumer, Role::bridge, Role::exchange}) {
    if (name == role_name(role)) return role;
  }
  return std::nullopt;
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
  for (const SubjectKind kind : {SubjectKind::builtin, SubjectKind::python, SubjectKind::plugin}) {
    if (name == kind_name(kind)) return kind;
  }
  return std::nullopt;
}

}  // namespace dlspec::conformance
