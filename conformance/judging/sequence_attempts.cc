#include <dlspec/conformance/judging/sequence_attempts.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/plan/sequence.h>
#include <dlspec/conformance/worker/protocol/sequence_page.h>

namespace dlspec::conformance {

namespace {

// The case that carries a batch; its id is that of the fixed sequences of every run.
Case batch_case(const std::vector<std::string>& sequences, const std::string& journal, bool control) {
  Case work;
  work.id = "producer/float32/c/sequence=1";
  work.role = Role::producer;
  work.dtype = "float32";
  work.layout = "c";
  work.variant = "sequence=1";
  work.order = sequence_order("c", "float32");
  work.primary = RuleId::managed_exports_independent;
  work.rules = {work.primary};
  work.sequences = sequences;
  work.journal = journal;
  if (control) work.control = "good";
  return work;
}

// The rule that a death is reported under, by the step that was under way.
RuleId rule_of_death(const Step& step) {
  switch (step.kind) {
    case StepKind::release:
      return step.option(0) == "here" ? RuleId::managed_exports_independent : RuleId::managed_deleter_any_thread;
    case StepKind::drop:
      return step.on.kind == HolderKind::array ? RuleId::managed_borrow : RuleId::managed_exports_independent;
    case StepKind::import_: return RuleId::tensor_element_address;
    case StepKind::mutate:
    case StepKind::write: return RuleId::managed_borrow;
    default: return RuleId::managed_exports_independent;
  }
}

}  // namespace

SequenceJournal::SequenceJournal() {
  std::string name = (std::filesystem::temp_directory_path() / "dlspec-journal-XXXXXX").string();
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) return;
  path_ = name;
  close(descriptor);
  clear();
}

SequenceJournal::~SequenceJournal() {
  if (!path_.empty()) unlink(path_.c_str());
}

void SequenceJournal::clear() const {
  const int descriptor = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  const SequencePage page{};
  [[maybe_unused]] const ssize_t written = pwrite(descriptor, &page, sizeof page, 0);
  close(descriptor);
}

SequenceJournal::Place SequenceJournal::read() const {
  SequencePage page{};
  const int descriptor = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  const ssize_t count = pread(descriptor, &page, sizeof page, 0);
  close(descriptor);
  if (count != static_cast<ssize_t>(sizeof page) || page.index < 0 || page.step < 0) return {};
  page.functions.back() = '\0';
  return {static_cast<std::size_t>(page.index), static_cast<std::size_t>(page.step), page.functions.data()};
}

bool BatchEnd::is_like(const BatchEnd& other) const {
  if (kind != other.kind) return false;
  if (kind == Kind::death) return death == other.death;
  return kind != Kind::finding || (finding.rule == other.finding.rule && finding.role == other.finding.role);
}

std::string SequenceAttempts::start() {
  if (worker_) return "";
  std::string error;
  worker_ = Worker::spawn(launch_.command, limits_, error);
  if (!worker_) return "the worker cannot be started: " + error;
  auto reply = worker_->start(launch_.start);
  if (auto* ready = std::get_if<Ready>(&reply)) {
    if (!ready_) ready_ = std::move(*ready);
    return "";
  }
  worker_.reset();
  if (const auto* failed = std::get_if<Failed>(&reply)) return failed->message;
  return "the worker did not get ready: " + std::get<Death>(reply).text;
}

BatchEnd SequenceAttempts::death(const std::vector<std::string>& sequences, const Death& death) const {
  BatchEnd end;
  if (death.kind == Death::Kind::interrupted) {
    end.kind = BatchEnd::Kind::interrupted;
    return end;
  }
  end.kind = BatchEnd::Kind::death;
  end.death = death.kind;
  const SequenceJournal::Place place = journal_.read();
  end.finding.index = std::min(place.index, sequences.size() - 1);
  end.finding.step = place.step;
  end.finding.observed = death.text;
  end.functions = place.functions;
  end.finding.allowed = "no death";
  const Sequence steps = parse_sequence(sequences[end.finding.index]).value_or(Sequence{});
  end.finding.rule = death.culprit               ? *death.culprit
                     : place.step < steps.size() ? rule_of_death(steps[place.step])
                                                 : RuleId::managed_exports_independent;
  return end;
}

BatchEnd SequenceAttempts::carry_out(const std::vector<std::string>& sequences, bool control) {
  BatchEnd end;
  if (const std::string why = start(); !why.empty()) {
    end.kind = BatchEnd::Kind::fault;
    end.fault = why;
    return end;
  }
  journal_.clear();
  auto reply = worker_->ask(batch_case(sequences, journal_.path(), control));
  if (const auto* died = std::get_if<Death>(&reply)) {
    worker_.reset();
    return death(sequences, *died);
  }
  const Answer& answer = std::get<Answer>(reply);
  if (answer.kind != Answer::Kind::answered || !answer.sequence) {
    end.kind = BatchEnd::Kind::fault;
    end.fault = answer.text.empty() ? "the worker does not know sequences" : answer.text;
    worker_.reset();
    return end;
  }
  end.report = *answer.sequence;
  if (!end.report.finding) return end;
  end.kind = BatchEnd::Kind::finding;
  end.finding = *end.report.finding;
  worker_.reset();  // what breaks a rule may have damaged the process
  return end;
}

}  // namespace dlspec::conformance
