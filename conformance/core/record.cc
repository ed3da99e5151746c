#include <dlspec/conformance/core/record.h>

#include <dlspec/conformance/core/shell.h>

namespace dlspec::conformance {

std::string reproduce_command(const std::string& subject, const std::string& case_id, RuleId id) {
  return "dlspec run " + shell_quoted(subject) + " --case " + shell_quoted(case_id) + " --rules " + rule(id).id;
}

}  // namespace dlspec::conformance
