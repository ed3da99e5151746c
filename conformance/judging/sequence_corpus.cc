#include <dlspec/conformance/judging/sequence_corpus.h>

#include <algorithm>
#include <cctype>
#include <fstream>

#include <dlspec/conformance/core/file.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/plan/sequence_model.h>
#include <dlspec/conformance/subject/cache.h>

namespace dlspec::conformance {

bool SequenceCorpus::add(const Sequence& sequence) {
  SequenceModel model;
  bool is_new = false;
  for (const Step& step : sequence) {
    is_new = situations_.insert(model.situation(step)).second || is_new;
    model.apply(step);
  }
  if (is_new && sequences_.size() < most) sequences_.push_back(sequence);
  return is_new;
}

void SequenceCorpus::read(const std::filesystem::path& file) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const auto sequence = parse_sequence(line);
    if (sequence && possible_steps(*sequence) == *sequence) add(*sequence);
  }
}

std::string SequenceCorpus::write(const std::filesystem::path& file) const {
  if (std::string wrong = prepare_folder(file.parent_path()); !wrong.empty()) return wrong;
  std::string text;
  for (const Sequence& sequence : sequences_) text += sequence_text(sequence) + "\n";
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
