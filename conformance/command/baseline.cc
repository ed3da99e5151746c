// dlspec baseline update: records the known deviations of a library.
#include <filesystem>

#include <fmt/format.h>

#include <dlspec/conformance/baseline/update.h>
#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/core/file.h>
#include <dlspec/conformance/judging/outputs.h>
#include <dlspec/conformance/verdict/status.h>

#include "program.h"
#include "terminal.h"

namespace dlspec::command {

namespace {

using namespace dlspec::conformance;

int give_up(const std::string& sentence) { return fail_with(exit_unjudged, sentence); }

// The baseline in the file; an empty one when the file does not exist.
ReadBaseline read_old(const std::string& file) {
  std::error_code error;
  if (std::filesystem::exists(file, error)) return read_baseline(file);
  Baseline none;
  none.file = file;
  return {std::move(none), ""};
}

std::string count_text(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string summary_text(const UpdatedBaseline& updated, const std::string& file) {
  std::string text = fmt::format("{}: {}, {} new, {} gone", file, count_text(updated.baseline->lines.size(), "line"),
                                 updated.added, updated.dropped);
  if (updated.without_reason > 0) {
    text += fmt::format("; {} without a reason: write it behind the line, as because \"...\"", updated.without_reason);
  }
  return text + "\n";
}

}  // namespace

int baseline(const BaselineOptions& options) {
  const std::string unwritable = check_writable(options.file);
  if (!unwritable.empty()) return give_up(unwritable);
  const ReadBaseline old = read_old(options.file);
  if (!old.baseline) return give_up(old.error);
  std::vector<NamedDocument> documents;
  for (const std::string& file : options.results) {
    ReadDocument read = read_document(file);
    if (!read.document) return give_up(read.error);
    documents.push_back({file, std::move(*read.document)});
  }
  const UpdatedBaseline updated = update_baseline(*old.baseline, documents);
  if (!updated.baseline) return give_up(updated.error);
  const std::string wrong = write_file(options.file, write_baseline(*updated.baseline));
  if (!wrong.empty()) return give_up(wrong);
  if (!options.quiet && !print(summary_text(updated, options.file)))
    return give_up("standard output cannot be written");
  return exit_good;
}

}  // namespace dlspec::command
