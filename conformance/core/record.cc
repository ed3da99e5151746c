#include <dlspec/conformance/core/record.h>

#include <dlspec/conformance/core/shell.h>

namespace dlspec::conformance {

std::string reproduce_command(const std::string& subject, const std::string& case_id, RuleId id) {
  return "dlspec run " + shell_quoted(subject) + " --case " + shell_quoted(case_id) + " --rules " + rule(id).id;
}

std::string reproduce_command(const std::string& subject, const std::vector<std::string>& before,
                              const std::string& case_id) {
  return "dlspec run " + shell_quoted(subject) + case_options(before, case_id);
}

std::string case_options(const std::vector<std::string>& before, const std::string& case_id) {
  std::string options;
  for (const std::string& id : before) options += " --case " + shell_quoted(id);
  return options + " --case " + shell_quoted(case_id);
}

}  // namespace dlspec::conformance
