// Options that several subcommands share.
#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include <dlspec/conformance/report/formats.h>

#include "subcommands.h"

namespace dlspec::command {

namespace {

struct CommandText {
  std::string_view name;
  const char* about;
  const char* examples;
};

constexpr CommandText command_texts[] = {
#define DLSPEC_COMMAND(name, about, examples) {name, about, examples},
#include "commands.def"
#undef DLSPEC_COMMAND
};

// Parses "2/5". Returns the error text, or "".
std::string read_shard(const std::string& text, conformance::Shard& shard) {
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.index);
  if (first.ec == std::errc() && first.ptr != end && *first.ptr == '/') {
    const auto second = std::from_chars(first.ptr + 1, end, shard.count);
    if (second.ec == std::errc() && second.ptr == end && shard.index >= 1 && shard.index <= shard.count) return "";
  }
  return "'" + text + "' is no shard: write I/N with 1 <= I <= N, as in 2/5";
}

}  // namespace

void add_shard(CLI::App& app, RunOptions& options, const char* help) {
  const auto set_shard = [&options](const std::string& text) {
    const std::string complaint = read_shard(text, options.shard);
    if (!complaint.empty()) throw CLI::ValidationError("--shard", complaint);
    options.sharded = true;
  };
  app.add_option_function<std::string>("--shard", set_shard, help)->type_name("I/N");
}

CLI::App& add_command(CLI::App& parent, std::string_view name) {
  const auto* const row = std::ranges::find(command_texts, name, &CommandText::name);
  CLI::App& added = *parent.add_subcommand(std::string(name), row->about);
  added.footer(row->examples);
  return added;
}

CLI::Validator number_between(double least, double most) {
  const auto check = [=](const std::string& text) -> std::string {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size() && value >= least && value <= most) return "";
    return fmt::format("{} is not in range: a number from {} to {} is wanted", text, least, most);
  };
  return {check, fmt::format("NUMBER in [{} - {}]", least, most), "number"};
}

CLI::Validator not_empty(const char* what) {
  const auto check = [what](const std::string& text) {
    return text.empty() ? std::string("the empty text names no ") + what : std::string();
  };
  return {check, "", "named"};
}

void add_color(CLI::App& app, Color& color) {
  add_choice<Color>(app, "--color", color,
                    {{"auto", Color::automatic}, {"always", Color::always}, {"never", Color::never}}, "WHEN",
                    "Colours: auto means on a terminal");
}

void add_volume(CLI::App& app, bool& verbose, bool& quiet) {
  CLI::Option* const silent = app.add_flag("--quiet", quiet, "Print errors only");
  app.add_flag("-v,--verbose", verbose, "Print every case, observation and reason")->excludes(silent);
}

void add_globs(CLI::App& app, const std::string& option, std::string& globs, const char* what) {
  const auto add = [&globs, option](const std::vector<std::string>& given) {
    globs.clear();
    for (const std::string& glob : given) {
      if (glob.empty() || glob == "!" || glob.find(' ') != std::string::npos)
        throw CLI::ValidationError(option, "'" + glob + "' is no pattern of ids");
      globs += (globs.empty() ? "" : " ") + glob;
    }
  };
  app.add_option_function<std::vector<std::string>>(option, add, what)
      ->type_name("GLOB")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

void add_jobs(CLI::App& app, unsigned& jobs) {
  app.add_option("--jobs", jobs, "Workers at a time (one for each processor, at most 4)")
      ->check(CLI::Range(1U, 1024U))
      ->type_name("N");
}

void add_python(CLI::App& app, std::string& python, const char* help) {
  app.add_option("--python", python, help)->check(not_empty("interpreter"))->type_name("PATH");
}

void add_workers(CLI::App& app, RunOptions& options, const char* timeout_help) {
  add_python(app, options.python, "The interpreter for Python subjects (of the active environment)");
  add_jobs(app, options.jobs);
  app.add_option("--timeout", options.timeout, timeout_help)->check(number_between(least_timeout, 1e6))->type_name("S");
}

void add_environments(CLI::App& app, RunOptions& options) {
  app.add_option("--memory", options.memory, "MiB of memory that a worker may hold (4096)")
      ->check(CLI::Range(least_memory, std::uint64_t{1} << 24))
      ->type_name("MIB");
  app.add_flag("--offline", options.offline, "Only environments that are in the cache");
  app.add_flag("--refresh", options.refresh, "Look up @latest in the package index even if it was looked up today");
  app.add_flag("--yes", options.yes, "No question before a large download");
}

void add_reports(CLI::App& app, conformance::Reports& reports) {
  for (const conformance::ReportFormat& format : conformance::formats()) {
    app.add_option("--" + std::string(format.name), reports[format.name], format.what)
        ->check(not_empty("file"))
        ->type_name("FILE");
  }
}

}  // namespace dlspec::command
