// Sequences that reached a situation of the model that none before them reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_set>
#include <vector>

#include <dlspec/conformance/plan/sequence.h>

namespace dlspec::conformance {

class SequenceCorpus {
 public:
  static constexpr std::size_t most = 4000;  // sequences

  // Keeps the sequence when it reaches a new situation.
  bool add(const Sequence& sequence);
  [[nodiscard]] const std::vector<Sequence>& sequences() const { return sequences_; }
  [[nodiscard]] std::size_t situations() const { return situations_.size(); }

  // Lines that are no possible sequence are left out; a missing file is an empty one.
  void read(const std::filesystem::path& file);
  // "" or a sentence.
  [[nodiscard]] std::string write(const std::filesystem::path& file) const;

 private:
  std::vector<Sequence> sequences_;
  std::unordered_set<std::uint64_t> situations_;
};

// The file of a subject in dlspec's cache folder.
[[nodiscard]] std::filesystem::path corpus_file(const std::string& subject);

}  // namespace dlspec::conformance
