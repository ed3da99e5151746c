// The variants of sequences: those of every run, and the batches of `dlspec fuzz`.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

#include <dlspec/conformance/worker/native/native_sequence.h>
#include <dlspec/conformance/worker/native/native_variants.h>
#include <dlspec/conformance/worker/native/novelty.h>
#include <dlspec/conformance/worker/protocol/sequence_page.h>

namespace dlspec::conformance {
namespace {

// A shared page that names the step under way: what is left of a worker that dies.
class Journal {
 public:
  explicit Journal(const std::string& path) {
    const int descriptor = path.empty() ? -1 : open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return;
    void* const mapped = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (mapped == MAP_FAILED) return;
    page_ = static_cast<Page*>(mapped);
    name_functions_at_death(page_->functions);
  }
  ~Journal() {
    if (page_ == nullptr) return;
    name_functions_at_death(nowhere);
    munmap(page_, sizeof(Page));
  }
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void write(std::size_t index, std::size_t step) {
    if (page_ == nullptr) return;
    page_->index = static_cast<std::int64_t>(index);
    page_->step = static_cast<std::int64_t>(step);
  }

 private:
  static inline std::array<char, 64> nowhere;
  using Page = SequencePage;
  Page* page_ = nullptr;
};

std::string steps_text(const std::string& text, std::size_t step) {
  const Sequence sequence = parse_sequence(text).value_or(Sequence{});
  const auto count = static_cast<std::ptrdiff_t>(std::min(step + 1, sequence.size()));
  return sequence_text({sequence.begin(), sequence.begin() + count});
}

void answer_rules(const NativeCase& asked, const SequenceReport& report, const std::set<RuleId>& exercised,
                  NativeAnswer& answer) {
  if (report.finding) {
    const SequenceReport::Finding& finding = *report.finding;
    answer.violated(finding.rule,
                    finding.observed + " (steps: " + steps_text(asked.sequences[finding.index], finding.step) + ")",
                    finding.allowed);
    const bool elsewhere = !answer.asks(finding.rule);
    return answer.rest_blocked(std::string("by ") + rule(finding.rule).id +
                               (elsewhere ? ", which other cases decide" : ""));
  }
  for (const RuleId rule : exercised) answer.pass(rule);
  if (exercised.empty()) return answer.rest_unsupported("the library refuses what the sequences need");
  answer.rest_not_applicable();
}

}  // namespace

void sequence_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  Journal journal(asked.journal);
  SequenceReport report;
  std::set<RuleId> exercised;
  for (std::size_t index = 0; index < asked.sequences.size() && !report.finding; ++index) {
    const Sequence sequence = parse_sequence(asked.sequences[index]).value_or(Sequence{});
    NativeSequenceResult result = carry_out(plugin, sequence, [&](std::size_t step) { journal.write(index, step); });
    report.steps += sequence.size();
    report.refused += result.refused;
    exercised.merge(result.exercised);
    if (!asked.journal.empty()) Novelties::instance().note(index, result.observations, report);
    if (!result.finding) continue;
    report.finding = std::move(result.finding);
    report.finding->index = index;
  }
  answer_rules(asked, report, exercised, answer);
  answer.report(std::move(report));
}

}  // namespace dlspec::conformance
