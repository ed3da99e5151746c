// From what the workers answered to the document and the exit status.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <dlspec/conformance/report/document.h>
#include <dlspec/conformance/subject/launch.h>
#include <dlspec/conformance/worker/supervisor/schedule.h>

#include "chosen.h"
#include "options.h"

namespace dlspec::command {

// A document that says by what, where and when it was made, and holds no results yet.
[[nodiscard]] conformance::Document empty_document(const RunOptions& options);

// What a worker said of its subject when it was ready; nothing known when it never was.
[[nodiscard]] conformance::SubjectInfo subject_info(const conformance::Subject& subject, const std::string& requirement,
                                                    const std::optional<conformance::Ready>& ready);

// The command of a record as it can be pasted here: how dlspec was found, and the options that matter.
void adapt_command(conformance::Record& record, const RunOptions& options, const std::string& invoked_as);

// One subject of the run, with what became of it.
struct Outcome {
  const Chosen* chosen = nullptr;
  conformance::Launch launch;
  conformance::TaskResult result;  // empty when it could not be launched
};

// The records of a subject that was never asked: all planned ones, blocked for the launch's reason; skipped where the
// machine lacks what the subject needs.
[[nodiscard]] conformance::TaskResult not_launched(const Chosen& chosen, const conformance::Launch& launch);

// A subject that was not named and did not start counts for nothing: its records become `skipped`.
void skip(Outcome& outcome);

// `invoked_as`: how the command was started, for the commands that repeat a failure.
[[nodiscard]] conformance::Document make_document(const std::vector<Outcome>& outcomes, const RunOptions& options,
                                                  const std::string& invoked_as);

}  // namespace dlspec::command
