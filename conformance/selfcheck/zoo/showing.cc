#include <dlspec/conformance/selfcheck/zoo/showing.h>

#include <algorithm>
#include <set>
#include <tuple>

#include <dlspec/conformance/core/globs.h>
#include <dlspec/conformance/selfcheck/zoo/exhibits.h>
#include <dlspec/conformance/subject/launch.h>
#include <dlspec/conformance/worker/protocol/asked_device.h>

namespace dlspec::conformance {
namespace {

bool is_finding(Verdict status, bool refusals) {
  if (status == Verdict::unsupported) return refusals;
  return status == Verdict::fail || status == Verdict::warn || status == Verdict::info || status == Verdict::crash ||
         status == Verdict::timeout;
}

std::vector<RuleId> masked_of(std::string_view name) {
  std::vector<RuleId> masked;
  for (const ExhibitMask& mask : exhibit_masks()) {
    if (mask.name == name) masked.push_back(mask.rule);
  }
  return masked;
}

// Subjects on a GPU are asked what --device adds, over the model of a driver.
bool is_on_device(const std::string& name) { return name.starts_with("cuda_") || name.starts_with("plugin:gpu"); }

Task python_task(const std::string& name, Role role, const Interpreter& interpreter, const Resources& resources) {
  Task task;
  task.subject = name;
  task.command.arguments = {interpreter.command, resources.worker_script().string()};
  task.command.environment = inherited_environment();
  task.command.environment.push_back("DLSPEC_EXHIBIT=" + name);
  task.command.environment.push_back("DLSPEC_NATIVE=" + resources.extension().string());
  if (is_on_device(name)) task.command.environment.push_back(asked_device_setting(0));
  task.start = {SubjectKind::python, resources.zoo_adapter().string(), resources.extension().string(), 0};
  task.cases = sample_plan(SubjectKind::python, role, is_on_device(name));
  return task;
}

Task plugin_task(const std::string& name, Role role, const Resources& resources) {
  Task task;
  task.subject = name;
  task.command.arguments = {resources.executable.string(), native_worker_argument};
  task.command.environment = inherited_environment();
  task.command.environment.push_back("DLSPEC_EXHIBIT=" + name);
  task.start = {SubjectKind::plugin, resources.zoo_plugin().string(), "", 0};
  task.cases = sample_plan(SubjectKind::plugin, role, is_on_device(name));
  if (is_on_device(name)) {
    task.command.environment.push_back(asked_device_setting(0));
    task.command.environment.push_back("DLSPEC_CUDA_DRIVER=" + resources.cuda_model().string());
  }
  return task;
}

Task task_of(const std::string& name, Role role, const Interpreter& interpreter, const Resources& resources) {
  return name.starts_with("plugin:") ? plugin_task(name, role, resources)
                                     : python_task(name, role, interpreter, resources);
}

}  // namespace

bool Shown::is_too_much(RuleId id) const {
  const std::vector<RuleId>& masked = showing->masked;
  return id != showing->declared && std::find(masked.begin(), masked.end(), id) == masked.end();
}

std::vector<RuleId> Shown::unused_masks() const {
  std::vector<RuleId> unused;
  for (const RuleId id : showing->masked) {
    if (!found.contains(id)) unused.push_back(id);
  }
  return unused;
}

bool Shown::is_right() const {
  if (!faults.empty() || !unused_masks().empty()) return false;
  if (showing->declared && !found.contains(*showing->declared)) return false;
  return std::none_of(found.begin(), found.end(), [&](const auto& entry) { return is_too_much(entry.first); });
}

std::vector<Showing> exhibit_showings(std::string_view rules, const Interpreter& interpreter,
                                      const Resources& resources) {
  std::vector<Showing> showings;
  std::set<std::pair<std::string, Role>> twins;
  for (const ExhibitRow& row : exhibits()) {
    if (!matches_globs(rules, rule(row.rule).id)) continue;
    showings.push_back({row.name, row.rule, masked_of(row.name), task_of(row.name, row.role, interpreter, resources)});
    if (!twins.emplace(row.twin, row.role).second) continue;
    showings.push_back({row.twin, std::nullopt, {}, task_of(row.twin, row.role, interpreter, resources)});
  }
  return showings;
}

std::vector<Shown> show(std::span<const Showing> showings, const ScheduleOptions& options) {
  std::vector<Task> tasks;
  for (const Showing& showing : showings) tasks.push_back(showing.task);
  std::vector<TaskResult> results = run_tasks(tasks, options);
  std::vector<Shown> all;
  for (std::size_t i = 0; i < results.size(); ++i) {
    Shown shown;
    shown.showing = &showings[i];
    shown.faults = std::move(results[i].faults);
    for (Record& record : results[i].records) {
      if (!is_finding(record.status, showings[i].refusals)) continue;
      const auto [entry, is_new] = shown.found.try_emplace(record.rule);
      if (is_new)
        entry->second.first = std::move(record);
      else
        ++entry->second.cases;
    }
    all.push_back(std::move(shown));
  }
  return all;
}

}  // namespace dlspec::conformance
