#include <dlspec/conformance/plan/sequence.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#define DLSPEC_BRACED(...) {__VA_ARGS__}

namespace dlspec::conformance {
namespace {

std::vector<StepRow> make_rows() {
#define DLSPEC_STEP(kind, word, makes, acts_on, first, second, third)                                   \
  StepRow{StepKind::kind,                                                                               \
          word,                                                                                         \
          HolderKind::makes,                                                                            \
          HolderKind::acts_on,                                                                          \
          {std::vector<const char*> DLSPEC_BRACED first, std::vector<const char*> DLSPEC_BRACED second, \
           std::vector<const char*> DLSPEC_BRACED third}},
  return {
#include <dlspec/conformance/plan/sequence.def>
  };
#undef DLSPEC_STEP
}

std::string holder_text(const Holder& holder) {
  return (holder.kind == HolderKind::array ? "a" : "e") + std::to_string(holder.number);
}

std::optional<Holder> parse_holder(std::string_view word) {
  if (word.size() < 2 || (word[0] != 'a' && word[0] != 'e')) return std::nullopt;
  Holder holder{word[0] == 'a' ? HolderKind::array : HolderKind::export_, 0};
  const auto read = std::from_chars(word.data() + 1, word.data() + word.size(), holder.number);
  return read.ec == std::errc() && read.ptr == word.data() + word.size() ? std::optional(holder) : std::nullopt;
}

bool fits(const Holder& holder, HolderKind wanted) { return wanted == HolderKind::either || holder.kind == wanted; }

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::optional<Step> parse_step(std::string_view text) {
  const std::vector<std::string_view> words = words_of(text);
  const auto rows = step_rows();
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const StepRow& each) { return !words.empty() && words.front() == each.word; });
  if (row == rows.end()) return std::nullopt;
  Step step;
  step.kind = row->kind;
  std::size_t next = 1;
  for (const auto& [wanted, holder] : {std::pair{row->makes, &step.made}, std::pair{row->acts_on, &step.on}}) {
    if (wanted == HolderKind::none) continue;
    const auto read = next < words.size() ? parse_holder(words[next++]) : std::nullopt;
    if (!read || !fits(*read, wanted)) return std::nullopt;
    *holder = *read;
  }
  for (std::size_t slot = 0; slot < most_options && !row->options[slot].empty(); ++slot) {
    if (next >= words.size()) return std::nullopt;
    const auto& known = row->options[slot];
    const auto word = std::find(known.begin(), known.end(), words[next++]);
    if (word == known.end()) return std::nullopt;
    step.options[slot] = static_cast<std::uint8_t>(word - known.begin());
  }
  return next == words.size() ? std::optional(step) : std::nullopt;
}

}  // namespace

std::span<const StepRow> step_rows() {
  static const std::vector<StepRow> rows = make_rows();
  return rows;
}

const StepRow& row_of(StepKind kind) { return step_rows()[static_cast<std::size_t>(kind)]; }

std::string_view Step::option(std::size_t slot) const {
  const auto& words = row_of(kind).options[slot];
  return words.empty() ? std::string_view() : words[options[slot]];
}

std::string step_text(const Step& step) {
  const StepRow& row = row_of(step.kind);
  std::string text = row.word;
  if (row.makes != HolderKind::none) text += ' ' + holder_text(step.made);
  if (row.acts_on != HolderKind::none) text += ' ' + holder_text(step.on);
  for (std::size_t slot = 0; slot < most_options && !row.options[slot].empty(); ++slot) {
    text += ' ';
    text += step.option(slot);
  }
  return text;
}

std::string sequence_text(const Sequence& sequence) {
  std::string text;
  for (const Step& step : sequence) text += (text.empty() ? "" : "; ") + step_text(step);
  return text;
}

std::optional<Sequence> parse_sequence(std::string_view text) {
  Sequence sequence;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const auto step = parse_step(text.substr(0, end));
    if (!step) return std::nullopt;
    sequence.push_back(*step);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return sequence;
}

}  // namespace dlspec::conformance
