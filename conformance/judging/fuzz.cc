#include <dlspec/conformance/judging/fuzz.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>

#include <dlspec/conformance/judging/sequence_attempts.h>
#include <dlspec/conformance/judging/sequence_corpus.h>
#include <dlspec/conformance/judging/sequence_finding.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/plan/sequence_generator.h>
#include <dlspec/conformance/plan/sequence_model.h>
#include <dlspec/conformance/worker/supervisor/interrupt.h>

namespace dlspec::conformance {

namespace {

constexpr std::size_t least_batch = 4;
constexpr std::size_t most_batch = 256;               // sequences of one message
constexpr std::chrono::milliseconds batch_time(150);  // the size of a batch aims at this
constexpr std::size_t most_findings_per_rule = 10;
constexpr int most_followed = 3;  // times that what did not become a finding is followed
constexpr auto save_interval = std::chrono::seconds(30);

// What the threads share.
struct Shared {
  const SubjectRun& run;
  const FuzzSettings& settings;
  const Listener& listener;
  std::uint64_t seed;
  Shard shard;
  WorkerLimits limits{};
  Clock::time_point began = Clock::now();
  std::filesystem::path file;

  std::mutex mutex{};  // guards the rest
  FuzzResult result{};
  SequenceCorpus corpus{};
  std::vector<Sequence> from_file{};  // of the corpus of earlier runs, not carried out yet; the last one is the next
  std::set<std::string> known{};      // keys of findings, as they were first shown and as they are told
  std::map<std::string, int> followed{};  // how often each key was
  std::uint64_t next_batch = 0;
  bool stop = false;
  Clock::time_point saved = Clock::now();

  void count(FuzzResult& to) const {
    to.observations = corpus.observations();
    to.covered = corpus.covered();
    to.corpus = corpus.sequences().size();
  }
  [[nodiscard]] bool is_over() {
    if (interrupt_signal() != 0) return true;
    const std::chrono::duration<double> spent = Clock::now() - began;
    const std::lock_guard lock(mutex);
    return stop || (settings.minutes > 0 && spent.count() > settings.minutes * 60);
  }
};

class FuzzThread {
 public:
  FuzzThread(Shared& shared, const SequenceProfile& profile)
      : shared_(shared), profile_(profile), attempts_(shared.run.launch, shared.limits) {}

  void run() {
    while (!shared_.is_over()) {
      const std::vector<Sequence> batch = next_batch();
      const auto began = Clock::now();
      carry_out(batch);
      adapt(Clock::now() - began, batch.size());
      show();
    }
  }

 private:
  std::vector<Sequence> next_batch() {
    const std::lock_guard lock(shared_.mutex);
    const std::uint64_t number = shared_.next_batch++ * shared_.shard.count + shared_.shard.index - 1;
    SequenceRandom random(shared_.seed * 0x9e3779b97f4a7c15 + number);
    std::vector<Sequence> batch;
    while (batch.size() < size_ && !shared_.from_file.empty()) {
      batch.push_back(std::move(shared_.from_file.back()));
      shared_.from_file.pop_back();
    }
    while (batch.size() < size_) {
      const bool vary = !shared_.corpus.sequences().empty() && random.below(4) != 0;
      batch.push_back(vary ? vary_sequence(shared_.corpus.choose(random), profile_, random)
                           : generate_sequence(profile_, random, 8 + random.below(32)));
    }
    return batch;
  }

  // All sequences of the batch; after a finding the rest is carried out by a new worker.
  void carry_out(const std::vector<Sequence>& batch) {
    std::vector<std::string> texts;
    for (const Sequence& each : batch) texts.push_back(sequence_text(each));
    std::size_t done = 0;
    while (done < batch.size() && !shared_.is_over()) {
      const BatchEnd end = attempts_.carry_out({texts.begin() + static_cast<std::ptrdiff_t>(done), texts.end()});
      const bool clean = end.kind == BatchEnd::Kind::clean;
      const std::size_t count = clean ? batch.size() - done : std::min(end.finding.index, batch.size() - done - 1);
      note(std::span(batch).subspan(done, count), end);
      if (clean || end.kind == BatchEnd::Kind::fault || end.kind == BatchEnd::Kind::interrupted) return;
      follow(batch, done, done + count, end);
      done += count + 1;
    }
  }

  void note(std::span<const Sequence> clean, const BatchEnd& end) {
    const std::lock_guard lock(shared_.mutex);
    FuzzResult& result = shared_.result;
    result.sequences += clean.size();
    result.steps += end.report.steps;
    result.refused += end.report.refused;
    for (const Sequence& each : clean) shared_.corpus.carried_out(each);
    for (const SequenceReport::Novelty& each : end.report.novelties) {
      if (each.index < clean.size()) shared_.corpus.add(clean[each.index], each);
    }
    result.places = std::max(result.places, end.report.places);
    if (!result.ready && attempts_.ready()) result.ready = attempts_.ready();
    if (end.kind == BatchEnd::Kind::fault && !shared_.stop) {
      result.faults.push_back(end.fault);
      shared_.stop = true;
    }
    if (Clock::now() - shared_.saved > save_interval) {
      shared_.saved = Clock::now();
      (void)shared_.corpus.write(shared_.file);
    }
  }

  // Whether what was shown needs no following: a finding shows it, or it was followed in vain, or its rule has enough.
  [[nodiscard]] bool is_known(const std::string& key, RuleId rule) {
    const std::lock_guard lock(shared_.mutex);
    if (shared_.known.contains(key)) {
      ++shared_.result.again;
      return true;
    }
    if (++shared_.followed[key] > most_followed) return true;
    return static_cast<std::size_t>(std::count_if(shared_.result.findings.begin(), shared_.result.findings.end(),
                                                  [&](const FuzzFinding& finding) { return finding.rule == rule; })) >=
           most_findings_per_rule;
  }

  void follow(const std::vector<Sequence>& batch, std::size_t first, std::size_t index, const BatchEnd& end) {
    ++shared_following_;
    const std::string key = fault_key(end, batch[index]);
    if (is_known(key, end.finding.rule)) return;
    const std::span<const Sequence> before(batch.data() + first, index - first);
    FollowedFinding followed = follow_finding(attempts_, before, batch[index], end);
    const std::lock_guard lock(shared_.mutex);
    FuzzResult& result = shared_.result;
    if (!followed.fault.empty()) {
      if (std::find(result.faults.begin(), result.faults.end(), followed.fault) == result.faults.end())
        result.faults.push_back(followed.fault);
      return;
    }
    if (!followed.finding) {
      if (!followed.note.empty()) result.notes.push_back(followed.note);
      return;
    }
    shared_.known.insert(key);
    if (followed.key != key && !shared_.known.insert(followed.key).second) {
      ++result.again;
      return;
    }
    result.findings.push_back(*std::move(followed.finding));
    shared_.stop = shared_.stop || shared_.settings.first;
  }

  void adapt(Clock::duration spent, std::size_t count) {
    if (shared_following_ > 0) {
      shared_following_ = 0;
      return;
    }
    if (spent < batch_time / 2) size_ = std::min(2 * count, most_batch);
    if (spent > batch_time * 2) size_ = std::max(count / 2, least_batch);
  }

  void show() {
    const std::lock_guard lock(shared_.mutex);
    FuzzResult now = shared_.result;
    now.seconds = std::chrono::duration<double>(Clock::now() - shared_.began).count();
    shared_.count(now);
    shared_.listener.progress(fuzz_summary(shared_.run.chosen->subject.text, now));
  }

  Shared& shared_;
  SequenceProfile profile_;
  SequenceAttempts attempts_;
  std::size_t size_ = least_batch;
  int shared_following_ = 0;  // findings in the last batch, whose time says nothing of its size
};

bool has_role(const Ready& ready, Role role) {
  return std::find(ready.roles.begin(), ready.roles.end(), role) != ready.roles.end();
}

SequenceProfile profile_of(const Ready& ready, SubjectKind kind) {
  SequenceProfile profile;
  profile.native = is_native(kind);
  profile.exports = has_role(ready, Role::producer);
  profile.imports = has_role(ready, Role::consumer);
  if (profile.native) return profile;
  const auto provides = [&](const char* name) {
    return std::find(ready.provides.begin(), ready.provides.end(), name) != ready.provides.end();
  };
  profile.writes = provides("write") && provides("contents");
  profile.mutations = provides("mutate");
  return profile;
}

void carry_out_one(Shared& shared, SequenceAttempts& attempts) {
  const Sequence sequence = *parse_sequence(shared.settings.sequence);
  const BatchEnd end = attempts.carry_out({sequence_text(sequence)});
  shared.result.sequences = 1;
  shared.result.steps = end.report.steps;
  shared.result.refused = end.report.refused;
  if (end.kind == BatchEnd::Kind::fault) shared.result.faults.push_back(end.fault);
  if (end.kind != BatchEnd::Kind::finding && end.kind != BatchEnd::Kind::death) return;
  FollowedFinding followed = follow_finding(attempts, {}, sequence, end);
  if (!followed.fault.empty()) shared.result.faults.push_back(followed.fault);
  if (!followed.note.empty()) shared.result.notes.push_back(followed.note);
  if (followed.finding) shared.result.findings.push_back(*std::move(followed.finding));
}

void carry_out_many(Shared& shared, const SequenceProfile& profile, unsigned jobs) {
  shared.from_file = shared.corpus.read(shared.file);
  std::ranges::reverse(shared.from_file);
  std::vector<std::thread> threads;
  const auto work = [&] { FuzzThread(shared, profile).run(); };
  for (unsigned i = 1; i < jobs; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (std::string wrong = shared.corpus.write(shared.file); !wrong.empty()) shared.result.notes.push_back(wrong);
}

}  // namespace

std::string fuzz_error(const FuzzSettings& settings) {
  if (settings.sequence.empty()) return "";
  const auto sequence = parse_sequence(settings.sequence);
  if (!sequence)
    return "'" + settings.sequence +
           "' is no sequence; write for instance 'make a0 c float32 library; export e0 a0 copy'";
  const Sequence possible = possible_steps(*sequence);
  if (possible == *sequence) return "";
  const auto wrong = std::mismatch(possible.begin(), possible.end(), sequence->begin());
  return "the step '" + step_text(*wrong.second) + "' is not possible where it stands";
}

FuzzResult fuzz(const SubjectRun& run, const JudgingOptions& options, const FuzzSettings& settings,
                const Listener& listener) {
  Shared shared{.run = run,
                .settings = settings,
                .listener = listener,
                .seed = options.seed,
                .shard = options.shard,
                .file = corpus_file(run.chosen->subject.text)};
  shared.limits.case_deadline = std::chrono::milliseconds(static_cast<std::int64_t>(options.timeout * 1000));
  shared.limits.memory = options.memory << 20;
  {
    SequenceAttempts attempts(run.launch, shared.limits);
    if (std::string why = attempts.start(); !why.empty()) {
      shared.result.faults.push_back(std::move(why));
      return std::move(shared.result);
    }
    shared.result.ready = attempts.ready();
    if (!settings.sequence.empty()) carry_out_one(shared, attempts);
  }
  const SequenceProfile profile = profile_of(*shared.result.ready, run.chosen->subject.kind);
  if (!profile.exports && !profile.imports) {
    shared.result.faults.emplace_back("it neither makes arrays nor imports any");
  } else if (settings.sequence.empty()) {
    carry_out_many(shared, profile, options.jobs > 0 ? options.jobs : default_jobs());
  }
  listener.progress_ends();
  shared.count(shared.result);
  shared.result.seconds = std::chrono::duration<double>(Clock::now() - shared.began).count();
  return std::move(shared.result);
}

}  // namespace dlspec::conformance
