// dlspec report: merges result documents and prints them.
#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/judging/accepted.h>
#include <dlspec/conformance/judging/outputs.h>
#include <dlspec/conformance/report/console.h>
#include <dlspec/conformance/report/merge.h>
#include <dlspec/conformance/verdict/status.h>

#include "program.h"
#include "terminal.h"

namespace dlspec::command {

namespace {

using namespace dlspec::conformance;

ReadDocument read_all(const std::vector<std::string>& files) {
  std::vector<NamedDocument> inputs;
  for (const std::string& file : files) {
    ReadDocument read = read_document(file);
    if (!read.document) return read;
    inputs.push_back({file, std::move(*read.document)});
  }
  return merge_documents(inputs);
}

}  // namespace

int report(const ReportOptions& options) {
  const Accepted accepted = read_accepted(options.baseline, find_resources());
  for (const std::string& problem : {accepted.error, check_writable(options.reports)}) {
    if (problem.empty()) continue;
    complain(problem);
    return exit_unjudged;
  }
  ReadDocument merged = read_all(options.files);
  if (!merged.document) return fail_with(exit_unjudged, merged.error);
  const std::vector<std::string> misfits = apply_accepted(accepted, *merged.document);
  std::vector<std::string> faults;
  const bool shown =
      options.quiet || print(console_report(*merged.document, console_options(options.color, options.verbose)));
  if (!shown) faults.emplace_back("standard output cannot be written");
  for (std::string& wrong : write_reports(*merged.document, options.reports)) faults.push_back(std::move(wrong));
  const Conclusion conclusion = conclude({merged.document->results, faults, {}, options.strict, misfits});
  for (const std::string& reason : conclusion.reasons) complain(reason);
  return conclusion.status;
}

}  // namespace dlspec::command
