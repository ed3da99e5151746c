#include "sequence_bytes.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <dlspec/conformance/plan/sequence_model.h>

namespace dlspec::fuzz {
namespace {

using namespace conformance;

// Zeros after the last byte.
class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  [[nodiscard]] bool is_at_end() const { return bytes_.empty(); }
  std::size_t below(std::size_t limit) {
    if (bytes_.empty()) return 0;
    const std::size_t value = bytes_.front() % limit;
    bytes_ = bytes_.subspan(1);
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

// What has been done so far, and the steps of which the next one is chosen.
class Progress {
 public:
  explicit Progress(const SequenceForm& form) : form_(form) {
    for (const StepRow& row : step_rows()) {
      if (is_wanted(form.profile, row.kind)) rows_.push_back(&row);
    }
  }

  [[nodiscard]] const std::vector<const StepRow*>& rows() const { return rows_; }

  [[nodiscard]] std::vector<std::uint8_t> options(const StepRow& row, std::size_t slot) const {
    std::vector<std::uint8_t> numbers;
    for (std::size_t i = 0; i < row.options[slot].size(); ++i) {
      const bool fits = form_.threads || std::string_view(row.options[slot][i]) != "thread";
      if (fits) numbers.push_back(static_cast<std::uint8_t>(i));
    }
    return numbers;
  }

  // What the step can act on.
  [[nodiscard]] std::vector<Holder> holders(const StepRow& row, Step step) const {
    std::vector<Holder> found;
    const auto offer = [&](HolderKind kind, int number) {
      step.on = {kind, static_cast<std::uint16_t>(number)};
      if (model_.allows(step) && fits_profile(form_.profile, model_, step)) found.push_back(step.on);
    };
    if (row.acts_on == HolderKind::none) {
      if (model_.allows(step) && fits_profile(form_.profile, model_, step)) found.emplace_back();
      return found;
    }
    if (row.acts_on != HolderKind::export_) {
      for (const auto& [number, array] : model_.arrays()) offer(HolderKind::array, number);
    }
    if (row.acts_on != HolderKind::array) {
      for (const auto& [number, exported] : model_.exports()) offer(HolderKind::export_, number);
    }
    return found;
  }

  [[nodiscard]] Holder made_by(const StepRow& row) const {
    if (row.makes == HolderKind::none) return {};
    return {row.makes, static_cast<std::uint16_t>(row.makes == HolderKind::array ? arrays_ : exports_)};
  }

  void add(const Step& step) {
    model_.apply(step);
    arrays_ += step.made.kind == HolderKind::array ? 1 : 0;
    exports_ += step.made.kind == HolderKind::export_ ? 1 : 0;
  }

 private:
  const SequenceForm& form_;
  std::vector<const StepRow*> rows_;
  SequenceModel model_;
  int arrays_ = 0;
  int exports_ = 0;
};

// The number of an element; nothing when it is not there.
std::optional<std::uint8_t> place_of(const auto& all, const auto& one) {
  const auto found = std::find(all.begin(), all.end(), one);
  if (found == all.end()) return std::nullopt;
  return static_cast<std::uint8_t>(found - all.begin());
}

}  // namespace

// Each step takes one byte for its kind, one for each option, and one for what it acts on.
Sequence decode_sequence(std::span<const std::uint8_t> bytes, const SequenceForm& form) {
  Bytes left(bytes);
  Progress progress(form);
  Sequence sequence;
  while (!left.is_at_end() && sequence.size() < longest_sequence) {
    const StepRow& row = *progress.rows()[left.below(progress.rows().size())];
    Step step;
    step.kind = row.kind;
    for (std::size_t slot = 0; slot < most_options && !row.options[slot].empty(); ++slot) {
      const std::vector<std::uint8_t> options = progress.options(row, slot);
      step.options[slot] = options[left.below(options.size())];
    }
    step.made = progress.made_by(row);
    const std::size_t holder = row.acts_on == HolderKind::none ? 0 : left.below(256);
    const std::vector<Holder> holders = progress.holders(row, step);
    if (holders.empty()) continue;
    step.on = holders[holder % holders.size()];
    progress.add(step);
    sequence.push_back(step);
  }
  return sequence;
}

std::vector<std::uint8_t> encode_sequence(const Sequence& sequence, const SequenceForm& form) {
  std::vector<std::uint8_t> bytes;
  Progress progress(form);
  for (const Step& step : sequence) {
    const StepRow& row = row_of(step.kind);
    Step made = step;
    made.made = progress.made_by(row);
    const auto kind = place_of(progress.rows(), &row);
    const auto holder = place_of(progress.holders(row, made), step.on);
    if (!kind || !holder) continue;
    bytes.push_back(*kind);
    for (std::size_t slot = 0; slot < most_options && !row.options[slot].empty(); ++slot)
      bytes.push_back(place_of(progress.options(row, slot), step.options[slot]).value_or(0));
    if (row.acts_on != HolderKind::none) bytes.push_back(*holder);
    progress.add(made);
  }
  return bytes;
}

}  // namespace dlspec::fuzz
