// dlspec fuzz: random sequences of exports, imports and releases of one subject.
#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include <dlspec/conformance/judging/fuzz.h>
#include <dlspec/conformance/judging/fuzz_emit.h>
#include <dlspec/conformance/judging/outputs.h>
#include <dlspec/conformance/judging/runs.h>
#include <dlspec/conformance/report/console.h>
#include <dlspec/conformance/reproducers/folder.h>
#include <dlspec/conformance/verdict/status.h>
#include <dlspec/conformance/worker/supervisor/interrupt.h>

#include "program.h"
#include "terminal.h"

namespace dlspec::command {

namespace {

using namespace dlspec::conformance;

// Freed memory gets other contents at once, so that its use shows: glibc's allocator, and Python's by way of it.
constexpr const char* telling_memory[] = {"MALLOC_PERTURB_=165", "GLIBC_TUNABLES=glibc.malloc.tcache_count=0",
                                          "PYTHONMALLOC=malloc"};

// What is loaded before everything else of the worker: what the environment names already, then what counts coverage.
void load_first(Command& command, const std::filesystem::path& library) {
  if (!std::filesystem::exists(library)) return;
  constexpr std::string_view name = "LD_PRELOAD=";
  const auto present = std::find_if(command.environment.begin(), command.environment.end(),
                                    [&](const std::string& each) { return each.starts_with(name); });
  if (present == command.environment.end()) {
    command.environment.push_back(std::string(name) + library.string());
  } else {
    *present += (present->size() > name.size() ? ":" : "") + library.string();
  }
}

void write_all(const SubjectRun& run, const FuzzResult& result, const FuzzOptions& options, const Document& document,
               std::vector<std::string>& faults) {
  const std::string& subject = run.chosen->subject.text;
  if (!options.run.quiet) {
    // Every finding is a sequence of its own, whose steps are the observation.
    std::string text =
        result.findings.empty() ? "" : console_report(document, console_options(options.run.color, true));
    text += fmt::format("{}, seed {}\n", fuzz_summary(subject, result), options.run.seed);
    if (!print(text)) faults.emplace_back("standard output cannot be written");
    for (const std::string& note : result.notes) complain("note: " + note);
  }
  for (std::string& wrong : write_reports(document, options.run.reports)) faults.push_back(std::move(wrong));
  if (options.run.reproducers.empty()) return;
  const Emitted emitted = emit_sequences(result, document, run, options.run, find_resources());
  if (!emitted.error.empty()) faults.push_back(emitted.error);
  if (emitted.error.empty() && !options.run.quiet) print(emitted.summary);
}

int finish(const SubjectRun& run, const FuzzResult& result, const FuzzOptions& options, const Invocation& invocation) {
  const std::string& subject = run.chosen->subject.text;
  std::vector<std::string> faults;
  for (const std::string& fault : result.faults) faults.push_back(fmt::format("{}: {}", subject, fault));
  const Document document = fuzz_document(run, result, options.run, invocation);
  write_all(run, result, options, document, faults);
  std::vector<std::string> named;
  // Stopped before the first step, nothing can have been exercised.
  if (result.steps > 0 || interrupt_signal() == 0) named.push_back(subject);
  if (!result.faults.empty()) named.clear();
  const Conclusion conclusion = conclude({document.results, faults, named, options.run.strict, {}});
  for (const std::string& reason : conclusion.reasons) complain(reason);
  return conclusion.status;
}

}  // namespace

int fuzz(const FuzzOptions& options, const Invocation& invocation) {
  if (const std::string wrong = fuzz_error(options.settings); !wrong.empty()) return fail_with(exit_usage, wrong);
  Progress progress(options.run.quiet);
  const Listener listener = terminal_listener(progress, options.run.quiet, options.run.yes);
  const Resources resources = find_resources();
  const Choice choice = choose(options.run, resources);
  if (!choice.wrong_usage.empty()) return fail_with(exit_usage, choice.wrong_usage);
  const std::string no_folder = options.run.reproducers.empty() ? "" : check_new_folder(options.run.reproducers);
  for (const std::string& problem : {check_writable(options.run.reports), no_folder}) {
    if (!problem.empty()) return fail_with(exit_unjudged, problem);
  }
  std::vector<SubjectRun> runs = launch_all(choice, options.run, resources, listener);
  if (runs.empty()) return fail_with(exit_unjudged, "interrupted; nothing was written");
  SubjectRun& run = runs.front();
  FuzzResult result;
  if (run.launch.error.empty()) {
    for (const char* setting : telling_memory) run.launch.command.environment.emplace_back(setting);
    load_first(run.launch.command, resources.coverage());
    result = conformance::fuzz(run, options.run, options.settings, listener);
  } else {
    result.faults.push_back(run.launch.error);
  }
  return finish(run, result, options, invocation);
}

}  // namespace dlspec::command
