// Sequences that showed something that none before them showed: the numbers of SequenceReport::Novelty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/plan/sequence.h>
#include <dlspec/conformance/plan/sequence_generator.h>

namespace dlspec::conformance {

class SequenceCorpus {
 public:
  static constexpr std::size_t most = 4000;  // sequences that are kept for their observations, and for their coverage

  // After the sequence was carried out without a finding. Keeps it when it was the first to show something.
  bool add(const Sequence& sequence, const SequenceReport::Novelty& novelty);
  // The sequence was carried out and showed nothing new.
  void carried_out(const Sequence& sequence) {
    if (!untried_.empty()) untried_.erase(sequence_text(sequence));
  }
  [[nodiscard]] const std::vector<Sequence>& sequences() const { return sequences_; }
  [[nodiscard]] std::size_t observations() const { return observations_.size(); }
  [[nodiscard]] std::size_t covered() const { return covered_.size(); }

  // One to vary: every second time one that was kept for its coverage, where there are any; of the latest rather than
  // of the first. There must be one.
  [[nodiscard]] const Sequence& choose(SequenceRandom& random) const;

  // The sequences of a file, whose novelty is not known yet, the shortest first. Lines that are no possible sequence
  // are left out; a missing file is an empty one.
  [[nodiscard]] std::vector<Sequence> read(const std::filesystem::path& file);
  // Those of the file that were not carried out are kept in it. "" or a sentence.
  [[nodiscard]] std::string write(const std::filesystem::path& file) const;

 private:
  std::vector<Sequence> sequences_;
  std::vector<std::size_t> covering_;  // the numbers of those that were kept for their coverage
  std::unordered_set<std::uint64_t> observations_;
  std::unordered_set<std::uint64_t> covered_;
  std::set<std::string> untried_;
};

// The file of a subject in dlspec's cache folder.
[[nodiscard]] std::filesystem::path corpus_file(const std::string& subject);

}  // namespace dlspec::conformance
