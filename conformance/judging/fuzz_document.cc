#include <algorithm>

#include <fmt/format.h>

#include <dlspec/conformance/core/shell.h>
#include <dlspec/conformance/judging/fuzz.h>
#include <dlspec/conformance/judging/run_document.h>

namespace dlspec::conformance {

namespace {

// role/dtype/layout/variant of the first array of the sequence.
std::string case_of(const FuzzFinding& finding) {
  const auto make = std::find_if(finding.sequence.begin(), finding.sequence.end(),
                                 [](const Step& step) { return step.kind == StepKind::make; });
  const Step step = make != finding.sequence.end() ? *make : Step{StepKind::make, {}, {}, {}};
  return fmt::format("{}/{}/{}{}", role_name(finding.role), step.option(1), step.option(0), fuzzed_case);
}

// What the whole exploration showed without a finding: that the rules of sequences were exercised.
Record clean_record(const std::string& subject) {
  Record record;
  record.subject = subject;
  record.rule = RuleId::managed_exports_independent;
  record.case_id = "producer/float32/c" + std::string(fuzzed_case);
  record.status = Verdict::pass;
  return record;
}

std::string with_thousands(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, ",");
  return digits;
}

}  // namespace

Document fuzz_document(const SubjectRun& run, const FuzzResult& result, const JudgingOptions& options,
                       const Invocation& invocation) {
  Document document = empty_document(options, invocation);
  if (options.sharded) document.shard = options.shard;
  const std::string& subject = run.chosen->subject.text;
  document.subjects.push_back(subject_info(run.chosen->subject, run.launch.requirement, result.ready));
  document.seconds[subject] = {run.launch.environment.count(), 0, result.seconds};
  for (const FuzzFinding& finding : result.findings) {
    Record record;
    record.subject = subject;
    record.role = finding.role;
    record.rule = finding.rule;
    record.case_id = case_of(finding);
    record.status = finding.status;
    record.observed = finding.observed;
    record.allowed = finding.allowed;
    record.reproduce =
        "dlspec fuzz " + shell_quoted(subject) + " --sequence " + shell_quoted(sequence_text(finding.sequence));
    adapt_command(record, options, invocation);
    document.results.push_back(std::move(record));
  }
  const bool exercised = result.steps > result.refused;
  if (result.findings.empty() && exercised) document.results.push_back(clean_record(subject));
  return document;
}

std::string fuzz_summary(const std::string& subject, const FuzzResult& result) {
  const double rate = result.seconds > 0 ? static_cast<double>(result.steps) / result.seconds : 0;
  const std::string coverage =
      result.places == 0
          ? ""
          : fmt::format(", {} of coverage ({} places)", with_thousands(result.covered), with_thousands(result.places));
  return fmt::format("{}: {} sequences, {} steps ({}/s), {} % refused, {} observations{}, {} finding{}{}", subject,
                     with_thousands(result.sequences), with_thousands(result.steps),
                     with_thousands(static_cast<std::uint64_t>(rate)),
                     result.steps > 0 ? 100 * result.refused / result.steps : 0, with_thousands(result.observations),
                     coverage, result.findings.size(), result.findings.size() == 1 ? "" : "s",
                     result.again == 0 ? "" : fmt::format(" (seen {} times more)", with_thousands(result.again)));
}

}  // namespace dlspec::conformance
