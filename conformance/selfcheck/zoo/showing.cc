#include <dlspec/conformance/selfcheck/zoo/showing.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include <dlspec/conformance/core/globs.h>
#include <dlspec/conformance/selfcheck/zoo/exhibits.h>
#include <dlspec/conformance/subject/launch.h>
#include <dlspec/conformance/worker/protocol/asked_device.h>
#include <dlspec/conformance/worker/supervisor/interrupt.h>

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

Task python_task(const std::string& name, const Interpreter& interpreter, const Resources& resources) {
  Task task;
  task.subject = name;
  task.command.arguments = {interpreter.command, resources.worker_script().string()};
  task.command.environment = inherited_environment();
  task.command.environment.push_back("DLSPEC_EXHIBIT=" + name);
  task.command.environment.push_back("DLSPEC_NATIVE=" + resources.extension(interpreter).string());
  if (is_on_device(name)) task.command.environment.push_back(asked_device_setting(0));
  task.start = {SubjectKind::python, resources.zoo_adapter().string(), resources.extension(interpreter).string(), 0};
  return task;
}

Task plugin_task(const std::string& name, const Resources& resources) {
  Task task;
  task.subject = name;
  task.command.arguments = {resources.executable.string(), native_worker_argument};
  task.command.environment = inherited_environment();
  task.command.environment.push_back("DLSPEC_EXHIBIT=" + name);
  task.start = {SubjectKind::plugin, resources.zoo_plugin().string(), "", 0};
  if (is_on_device(name)) {
    task.command.environment.push_back(asked_device_setting(0));
    task.command.environment.push_back("DLSPEC_CUDA_DRIVER=" + resources.cuda_model().string());
  }
  return task;
}

Showing showing_of(const std::string& name, Role role, const Interpreter& interpreter, const Resources& resources) {
  Showing showing;
  showing.name = name;
  showing.task = name.starts_with("plugin:") ? plugin_task(name, resources) : python_task(name, interpreter, resources);
  showing.sample = {role, is_on_device(name)};
  return showing;
}

// What of its sample a faulty subject is asked; its twin is always asked the whole.
enum class Part : std::uint8_t { narrow, left, whole };

// The samples that subjects share: some six plans for hundreds of subjects.
class Samples {
 public:
  Task with_cases(const Showing& showing, Part part) {
    Task task = showing.task;
    if (!task.cases.empty()) return task;
    const std::vector<Case>& sample = cases_of(task.start.kind, showing.sample);
    const bool is_whole = part == Part::whole || !showing.declared;
    std::copy_if(sample.begin(), sample.end(), std::back_inserter(task.cases), [&](const Case& work) {
      return is_whole || is_asked_first(work, showing.name) == (part == Part::narrow);
    });
    return task;
  }

 private:
  const std::vector<Case>& cases_of(SubjectKind kind, const Sample& sample) {
    const auto [entry, is_new] = plans_.try_emplace({kind, sample.role, sample.has_device});
    if (is_new) entry->second = sample_plan(kind, sample.role, sample.has_device);
    return entry->second;
  }

  std::map<std::tuple<SubjectKind, Role, bool>, std::vector<Case>> plans_;
};

Shown shown_by(const Showing& showing, TaskResult result) {
  Shown shown;
  shown.showing = &showing;
  shown.faults = std::move(result.faults);
  for (Record& record : result.records) {
    if (!is_finding(record.status, showing.refusals)) continue;
    const auto [entry, is_new] = shown.found.try_emplace(record.rule);
    if (is_new)
      entry->second.first = std::move(record);
    else
      ++entry->second.cases;
  }
  return shown;
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

bool Shown::is_too_little() const {
  return !unused_masks().empty() || (showing->declared && !found.contains(*showing->declared));
}

bool Shown::is_right() const {
  if (!faults.empty() || is_too_little()) return false;
  return std::none_of(found.begin(), found.end(), [&](const auto& entry) { return is_too_much(entry.first); });
}

std::vector<Showing> exhibit_showings(std::string_view rules, const Interpreter& interpreter,
                                      const Resources& resources) {
  std::vector<Showing> showings;
  std::set<std::pair<std::string, Role>> twins;
  for (const ExhibitRow& row : exhibits()) {
    if (!matches_globs(rules, rule(row.rule).id)) continue;
    Showing faulty = showing_of(row.name, row.role, interpreter, resources);
    faulty.declared = row.rule;
    faulty.masked = masked_of(row.name);
    showings.push_back(std::move(faulty));
    if (!twins.emplace(row.twin, row.role).second) continue;
    showings.push_back(showing_of(row.twin, row.role, interpreter, resources));
  }
  return showings;
}

namespace {

// In batches: the records of all subjects at once took 2 GB.
std::vector<Shown> show_some(std::span<const Showing* const> showings, const ScheduleOptions& options, Samples& samples,
                             Part part) {
  constexpr std::size_t most = 32;
  std::vector<Shown> all;
  for (std::size_t begin = 0; begin < showings.size() && interrupt_signal() == 0; begin += most) {
    const auto batch = showings.subspan(begin, std::min(most, showings.size() - begin));
    std::vector<Task> tasks;
    for (const Showing* showing : batch) tasks.push_back(samples.with_cases(*showing, part));
    ScheduleOptions of_batch = options;
    if (options.progress) {
      of_batch.progress = [&options, begin](std::size_t task, std::size_t done) {
        options.progress(begin + task, done);
      };
    }
    std::vector<TaskResult> results = run_tasks(tasks, of_batch);
    for (std::size_t i = 0; i < results.size(); ++i) all.push_back(shown_by(*batch[i], std::move(results[i])));
  }
  return all;
}

void add(Shown& shown, Shown more) {
  shown.faults.insert(shown.faults.end(), std::make_move_iterator(more.faults.begin()),
                      std::make_move_iterator(more.faults.end()));
  for (auto& [id, found] : more.found) {
    const auto [entry, is_new] = shown.found.try_emplace(id, std::move(found));
    if (!is_new) entry->second.cases += found.cases;
  }
}

}  // namespace

std::vector<Shown> show(std::span<const Showing> showings, const ScheduleOptions& options, bool thorough) {
  Samples samples;
  std::vector<const Showing*> asked;
  for (const Showing& showing : showings) asked.push_back(&showing);
  std::vector<Shown> all = show_some(asked, options, samples, thorough ? Part::whole : Part::narrow);
  std::vector<const Showing*> again;
  for (const Shown& shown : all) {
    if (shown.is_too_little() && shown.showing->task.cases.empty() && !thorough) again.push_back(shown.showing);
  }
  for (Shown& more : show_some(again, options, samples, Part::left)) {
    const auto is_same = [&](const Shown& each) { return each.showing == more.showing; };
    add(*std::find_if(all.begin(), all.end(), is_same), std::move(more));
  }
  return all;
}

}  // namespace dlspec::conformance
