#include <dlspec/conformance/judging/sequence_corpus.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include <dlspec/conformance/core/file.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/plan/sequence_model.h>
#include <dlspec/conformance/subject/cache.h>

namespace dlspec::conformance {

bool SequenceCorpus::add(const Sequence& sequence, const SequenceReport::Novelty& novelty) {
  const std::size_t observed = observations_.size();
  const std::size_t covered = covered_.size();
  observations_.insert(novelty.observations.begin(), novelty.observations.end());
  covered_.insert(novelty.covered.begin(), novelty.covered.end());
  carried_out(sequence);
  const bool covers = covered_.size() > covered;
  if (!covers && observations_.size() == observed) return false;
  if (covers && covering_.size() < most) {
    covering_.push_back(sequences_.size());
    sequences_.push_back(sequence);
  } else if (sequences_.size() - covering_.size() < most) {
    sequences_.push_back(sequence);
  }
  return true;
}

const Sequence& SequenceCorpus::choose(SequenceRandom& random) const {
  const auto late = [&random](std::size_t count) { return std::max(random.below(count), random.below(count)); };
  if (!covering_.empty() && random.below(2) == 0) return sequences_[covering_[late(covering_.size())]];
  return sequences_[late(sequences_.size())];
}

std::vector<Sequence> SequenceCorpus::read(const std::filesystem::path& file) {
  std::vector<Sequence> found;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    auto sequence = parse_sequence(line);
    if (!sequence || possible_steps(*sequence) != *sequence || !untried_.insert(sequence_text(*sequence)).second)
      continue;
    found.push_back(*std::move(sequence));
  }
  std::ranges::stable_sort(found, {}, &Sequence::size);
  return found;
}

std::string SequenceCorpus::write(const std::filesystem::path& file) const {
  if (std::string wrong = prepare_folder(file.parent_path()); !wrong.empty()) return wrong;
  std::string text;
  for (const Sequence& sequence : sequences_) text += sequence_text(sequence) + "\n";
  for (const std::string& sequence : untried_) text += sequence + "\n";
  return write_file(file.string(), text);
}

std::filesystem::path corpus_file(const std::string& subject) {
  std::string name = std::filesystem::path(subject).filename().string();
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char each) { return std::isalnum(each) == 0 && each != '.' && each != '='; }, '_');
  return cache_folder() / "sequences" / (name + "-" + std::to_string(shard_of(subject, 1U << 24)) + ".txt");
}

}  // namespace dlspec::conformance
