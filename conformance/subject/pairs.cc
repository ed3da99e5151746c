#include <dlspec/conformance/subject/pairs.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <dlspec/conformance/worker/supervisor/interrupt.h>

namespace dlspec::conformance {

namespace {

bool is_fetched(const Subject& subject) { return !subject.version.empty(); }
// A library of the interpreter itself, which no fetched environment has.
bool is_preinstalled(const Subject& subject) { return subject.adapter && subject.version.empty(); }

// Finds an environment for each set of subjects, and keeps it.
class PairEnvironments {
 public:
  PairEnvironments(const std::vector<Subject>& subjects, const Interpreter& interpreter,
                   const EnvironmentOptions& options)
      : subjects_(subjects), interpreter_(interpreter), options_(options) {
    std::set<std::string> libraries;
    bool twice = false;
    for (std::size_t i = 0; i < subjects_.size(); ++i) {
      wanted_.push_back(resolve(subjects_[i]));
      if (!is_fetched(subjects_[i]) || !wanted_[i].error.empty()) continue;
      twice = twice || !libraries.insert(subjects_[i].adapter->name).second;
      all_.push_back(i);
    }
    std::sort(all_.begin(), all_.end(), [&](std::size_t a, std::size_t b) { return requirement(a) < requirement(b); });
    if (!twice && all_.size() > 1) share();
  }

  [[nodiscard]] std::string requirement(std::size_t i) const {
    if (!is_fetched(subjects_[i]) || !wanted_[i].error.empty()) return "";
    return subjects_[i].adapter->distribution + "==" + wanted_[i].version;
  }

  // The environment of these two; its `python` is empty where it is the interpreter itself.
  Environment environment_of(std::size_t a, std::size_t b) {
    std::vector<std::size_t> fetched;
    for (const std::size_t i : {a, b}) {
      if (!is_fetched(subjects_[i])) continue;
      if (!wanted_[i].error.empty()) return failed(wanted_[i].error);
      if (fetched.empty() || requirement(fetched[0]) != requirement(i)) fetched.push_back(i);
    }
    if (fetched.empty()) return {};
    for (const std::size_t i : {a, b}) {
      if (is_preinstalled(subjects_[i])) return failed(why_apart(subjects_[i], subjects_[fetched[0]]));
    }
    if (fetched.size() == 2 && subjects_[a].adapter->name == subjects_[b].adapter->name) {
      return failed("one process has one version of " + subjects_[a].adapter->display);
    }
    if (fetched.size() == 2 && requirement(fetched[1]) < requirement(fetched[0])) std::swap(fetched[0], fetched[1]);
    return shared_ ? *shared_ : provide(fetched);
  }

 private:
  static Environment failed(std::string why) {
    Environment environment;
    environment.error = std::move(why);
    return environment;
  }
  static std::string why_apart(const Subject& preinstalled, const Subject& fetched) {
    return preinstalled.text + " is the interpreter's own and " + fetched.text +
           " is fetched into an environment; name a version of both, or of neither";
  }

  ResolvedVersion resolve(const Subject& subject) const {
    if (!is_fetched(subject) || interrupt_signal() != 0) return {};
    return resolve_version(*subject.adapter, subject.version, interpreter_, options_);
  }

  // One environment for all. A failure that is no conflict (no network, say) would come back with every pair.
  void share() {
    const Environment all = provide(all_);
    if (all.error.empty() || !(all.conflict || options_.offline)) shared_ = all;
  }

  Environment provide(const std::vector<std::size_t>& members) {
    const auto known = made_.find(members);
    if (known != made_.end()) return known->second;
    std::vector<Wanted> wanted;
    for (const std::size_t i : members) wanted.push_back({&*subjects_[i].adapter, wanted_[i].version});
    return made_[members] = provide_environment(wanted, interpreter_, options_);
  }

  const std::vector<Subject>& subjects_;
  const Interpreter& interpreter_;
  const EnvironmentOptions& options_;
  std::vector<ResolvedVersion> wanted_;  // of every subject; empty where nothing is fetched
  std::vector<std::size_t> all_;         // those that are fetched and were resolved
  std::optional<Environment> shared_;
  std::map<std::vector<std::size_t>, Environment> made_;
};

Launch launch_pair(const Subject& producer, const Subject& consumer, const Environment& shared_environment,
                   const Interpreter& interpreter, const Resources& resources, std::uint64_t seed) {
  Launch launch;
  launch.start.kind = SubjectKind::python;
  launch.start.exchange = true;
  launch.start.path = producer.path;
  launch.start.consumer = consumer.path;
  launch.start.native = resources.extension(interpreter).string();
  launch.start.seed = seed;
  for (const Subject* subject : {&producer, &consumer}) {
    if (launch.error.empty()) launch.error = missing_file(*subject);
  }
  if (launch.error.empty()) launch.error = shared_environment.error;
  const bool own = shared_environment.python.empty();
  launch.command.environment = own ? inherited_environment() : inherited_environment({"PYTHONPATH", "PYTHONHOME"});
  launch.command.arguments = {own ? interpreter.command : shared_environment.python,
                              resources.exchange_script().string()};
  return launch;
}

}  // namespace

PairLaunches launch_pairs(const std::vector<Subject>& subjects, const InterpreterChoice& choice,
                          const Resources& resources, const EnvironmentOptions& environments, std::uint64_t seed) {
  PairLaunches launches;
  std::optional<PairEnvironments> environments_of_pairs;
  if (choice.interpreter) environments_of_pairs.emplace(subjects, *choice.interpreter, environments);
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    launches.requirements.push_back(environments_of_pairs ? environments_of_pairs->requirement(i) : "");
    for (std::size_t j = 0; j < subjects.size(); ++j) {
      PairLaunch pair{i, j, {}};
      if (environments_of_pairs) {
        pair.launch = launch_pair(subjects[i], subjects[j], environments_of_pairs->environment_of(i, j),
                                  *choice.interpreter, resources, seed);
      } else {
        pair.launch.error = choice.error;
      }
      launches.pairs.push_back(std::move(pair));
    }
  }
  return launches;
}

}  // namespace dlspec::conformance
