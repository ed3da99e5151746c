// Options of dlspec run and dlspec matrix.
#include <charconv>
#include <optional>
#include <string_view>

#include <dlspec/conformance/core/shell.h>
#include <dlspec/vocabulary/device.h>

#include "subcommands.h"

namespace dlspec::command {

namespace {

using conformance::Role;

// Parses "cpu", "cuda" or "cuda:1". Returns the error text, or "".
std::string read_device(const std::string& text, std::optional<abi::Device>& device) {
  constexpr std::string_view prefix = "cuda";
  device.reset();
  if (text == "cpu") return "";
  abi::Device found{DeviceType::kDLCUDA, 0};
  const char* const end = text.data() + text.size();
  bool is_right = text == prefix;
  if (text.starts_with("cuda:")) {
    const auto number = std::from_chars(text.data() + prefix.size() + 1, end, found.device_id);
    is_right = number.ec == std::errc() && number.ptr == end && found.device_id >= 0;
  }
  if (!is_right) return "'" + text + "' is no device: write cpu, cuda, or cuda:N for one of several GPUs";
  device = found;
  return "";
}

void add_device(CLI::App& run, RunOptions& options) {
  const auto set_device = [&options](const std::string& text) {
    const std::string complaint = read_device(text, options.device);
    if (!complaint.empty()) throw CLI::ValidationError("--device", complaint);
  };
  run.add_option_function<std::string>("--device", set_device, "Where the arrays lie: cpu, or cuda, cuda:N for a GPU")
      ->type_name("DEVICE");
}

void add_seed(CLI::App& app, RunOptions& options) {
  app.add_option("--seed", options.seed, "Seed of the arrays' contents (0)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{INT64_MAX}))
      ->type_name("N");
}

void add_selection(CLI::App& run, RunOptions& options) {
  add_choice<std::vector<Role>>(run, "--role", options.roles,
                                {{"producer", {Role::producer}},
                                 {"consumer", {Role::consumer}},
                                 {"bridge", {Role::bridge}},
                                 {"both", {Role::producer, Role::consumer}}},
                                "ROLE", "The role to judge; default: every role of the subject");
  add_globs(run, "--rules", options.rules,
            "Only rules that match, as in 'tensor.*'; '!GLOB' leaves out; may be repeated");
  add_globs(run, "--case", options.cases,
            "Only cases that match, as in 'producer/float32/*'; '!GLOB' leaves out; may be repeated");
  add_choice<Level>(run, "--level", options.level,
                    {{"must", Level::must},
                     {"implied", Level::implied},
                     {"should", Level::should},
                     {"may", Level::may},
                     {"convention", Level::convention}},
                    "LEVEL", "Only rules that bind as much as this level, or more");
  add_shard(run, options, "One of N parts of the plan");
  add_device(run, options);
  add_seed(run, options);
}

void add_tools(CLI::App& run, RunOptions& options) {
  const auto set_wrapper = [&options](const std::string& text) {
    const auto words = conformance::split_words(text);
    if (!words) throw CLI::ValidationError("--wrapper", "'" + text + "' leaves a quote open");
    if (words->empty()) throw CLI::ValidationError("--wrapper", "names no command; write for instance 'valgrind -q'");
    options.wrapper = text;
  };
  CLI::Option* const wrapper = run.add_option_function<std::string>(
                                      "--wrapper", set_wrapper, "Put before the worker's command, as in 'valgrind -q'")
                                   ->type_name("CMD");
  run.add_flag("--in-process", options.in_process, "The one selected case in this process, for a debugger")
      ->excludes(wrapper);
}

void add_running(CLI::App& run, RunOptions& options) {
  add_workers(run, options, "Seconds for one case (10)");
  run.add_option("--budget", options.budget, "Seconds for one subject, imports not counted (120)")
      ->check(number_between(0.001, 1e9))
      ->type_name("S");
  add_environments(run, options);
}

}  // namespace

void add_run(CLI::App& app, RunOptions& options) {
  CLI::App& run = add_command(app, "run");
  run.add_option("SUBJECT", options.subjects, "What to judge")->type_name("");
  add_selection(run, options);
  add_running(run, options);
  add_tools(run, options);
  CLI::Option* const smoke =
      run.add_flag("--smoke", options.smoke, "Ordinary exchanges only: is the adapter at fault, or the library?");
  run.add_flag("--thorough", options.thorough, "Three circumstances at once, not two: some ten times as many cases")
      ->excludes(smoke);
  run.add_flag("--strict", options.strict, "Warnings count as failures");
  run.add_option("--baseline", options.baseline, baseline_help)->check(not_empty("file"))->type_name("FILE|shipped");
  add_reports(run, options.reports);
  run.add_option("--emit-reproducer", options.reproducers,
                 "Write a script or C program of its own for each rule that failed")
      ->check(not_empty("folder"))
      ->type_name("DIR");
  add_volume(run, options.verbose, options.quiet);
  add_color(run, options.color);
}

void add_matrix(CLI::App& app, MatrixOptions& options) {
  CLI::App& matrix = add_command(app, "matrix");
  matrix.add_option("SUBJECT", options.run.subjects, "Who exchanges")->required()->type_name("");
  add_globs(matrix, "--case", options.run.cases,
            "Only cases that match, as in 'exchange/float32/*'; '!GLOB' leaves out; may be repeated");
  add_seed(matrix, options.run);
  add_running(matrix, options.run);
  matrix.add_flag("--strict", options.run.strict, "Warnings count as failures");
  add_reports(matrix, options.run.reports);
  add_volume(matrix, options.run.verbose, options.run.quiet);
  add_color(matrix, options.run.color);
}

}  // namespace dlspec::command
