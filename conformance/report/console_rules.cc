// Findings folded by rule: blocks of at most six lines, made smaller where there are many.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/report/conditions.h>
#include <dlspec/conformance/report/console_parts.h>
#include <dlspec/conformance/report/wrap.h>

namespace dlspec::conformance {
namespace {

constexpr std::size_t label_width = 12;  // "  observed  "

const char* short_level(Level level) {
  switch (level) {
    case Level::must: return "MUST";
    case Level::implied: return "implied MUST";
    case Level::should: return "SHOULD";
    case Level::may: return "MAY";
    case Level::convention: return "convention";
  }
  return "";
}

// What the block shows of its records: the most frequent observation of the worst status.
struct Shown {
  const Record* record = nullptr;
  std::size_t others = 0;  // other observations
};

Shown shown_of(const FoldedRule& folded) {
  std::map<std::string_view, std::size_t> counts, worst;
  for (const Record* record : folded.deviating) {
    ++counts[record->observed];
    if (record->status == folded.worst) ++worst[record->observed];
  }
  Shown shown{folded.deviating.front(), counts.size() - 1};
  for (const Record* record : folded.deviating) {
    if (record->status == folded.worst && worst[record->observed] > worst[shown.record->observed])
      shown.record = record;
  }
  return shown;
}

// "3 crash, 20 fail", where not all have one status.
std::string status_counts(const FoldedRule& folded) {
  std::map<Verdict, std::size_t> counts;
  for (const Record* record : folded.deviating) ++counts[record->status];
  if (counts.size() == 1) return "";
  std::string text;
  for (const auto& [status, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, verdict_name(status));
  return " (" + text + ")";
}

class Block {
 public:
  Block(const FoldedRule& folded, const ConsoleOptions& options)
      : folded_(folded), options_(options), paint_(options), shown_(shown_of(folded)) {
    constexpr std::size_t least_width = 20;
    condition_ = shared_conditions(folded.deviating, folded.judged);
    condition_.insert(std::min(condition_.find(':'), condition_.size()), status_counts(folded));
    width_ = std::max(least_width, options.width > label_width ? options.width - label_width : 0);
  }

  // "FAIL  tensor.element-address (12 cases)  the element at (0,1) is 3.5", on one line.
  [[nodiscard]] std::string line() const {
    const std::string cases = fmt::format(" ({}, {})", short_level(row().level), cases_text());
    const std::size_t used = status().size() + 2 + std::string_view(row().id).size() + cases.size() + 2;
    return head_start() + cases + rest(on_one_line(shown_.record->observed), used) + "\n";
  }

  // With what was observed and when.
  [[nodiscard]] std::string short_block() const { return head() + observed(1) + when(1); }

  // Six lines: what does not fit is cut.
  [[nodiscard]] std::string whole_block() const {
    constexpr std::size_t lines = 6;
    const std::vector<std::string> command = command_lines();
    std::size_t free = lines - std::min<std::size_t>(lines, 3 + command.size());  // head, observed and when have a line
    const auto take = [&free](bool wanted) {
      const bool taken = wanted && free > 0;
      free -= taken ? 1 : 0;
      return std::size_t{taken ? 1U : 0U};
    };
    const std::string milder = mildness(*shown_.record);
    const std::size_t for_milder = take(!milder.empty());
    const std::size_t for_allowed = take(!shown_.record->allowed.empty());
    const std::size_t for_when = 1 + take(lines_of(condition_, width_).size() > 1);
    const std::size_t for_observed = 1 + take(lines_of(observation(), width_).size() > 1);
    const std::size_t for_source = take(true);
    return head() + observed(for_observed) + field("allowed", shown_.record->allowed, for_allowed) +
           field("milder", milder, for_milder) + field("source", row().source, for_source) + when(for_when) +
           labelled_lines("repeat", command);
  }

 private:
  [[nodiscard]] const Rule& row() const { return rule(folded_.rule); }
  [[nodiscard]] std::string status() const { return upper(verdict_name(folded_.worst)); }
  [[nodiscard]] std::string cases_text() const {
    return folded_.deviating.size() == 1 ? "1 case" : fmt::format("{} cases", folded_.deviating.size());
  }
  [[nodiscard]] std::string head_start() const {
    return paint_.status(folded_.worst, status()) + "  " + paint_.rule_link(folded_.rule, row().id);
  }

  // Two blanks and the text, cut to what is left of the line; nothing where too little is left.
  [[nodiscard]] std::string rest(const std::string& text, std::size_t used) const {
    constexpr std::size_t least = 12;
    return used + least > options_.width ? "" : "  " + cut(text, options_.width - used);
  }

  [[nodiscard]] std::string head() const {
    const std::string level = std::string("  ") + short_level(row().level);
    const std::size_t used = status().size() + 2 + std::string_view(row().id).size() + level.size() + 2;
    return head_start() + level + (options_.whole_titles ? std::string("  ") + row().title : rest(row().title, used)) +
           "\n";
  }

  [[nodiscard]] std::string others_text() const {
    if (shown_.others == 0) return "";
    return fmt::format("; and {} other {}", shown_.others, shown_.others == 1 ? "observation" : "observations");
  }
  [[nodiscard]] std::string observation() const { return on_one_line(shown_.record->observed) + others_text(); }

  // What is cut off is never that there are other observations.
  [[nodiscard]] std::string observed(std::size_t lines) const {
    const std::string others = others_text();
    if (lines_of(observation(), width_).size() <= lines) return field("observed", observation(), lines);
    const std::size_t room = lines * width_ - (lines - 1) * width_ / 4;
    return field("observed", cut(on_one_line(shown_.record->observed), room - std::min(room, others.size())) + others,
                 lines);
  }
  [[nodiscard]] std::string when(std::size_t lines) const { return field("when", condition_, lines); }

  [[nodiscard]] std::string field(const char* name, const std::string& text, std::size_t lines) const {
    return labelled_lines(name, lines_of(on_one_line(text), width_, lines));
  }
  [[nodiscard]] std::string labelled_lines(const char* name, const std::vector<std::string>& lines) const {
    std::string text;
    for (const std::string& line : lines) {
      text += "  " + paint_.faint(fmt::format("{:<10}", text.empty() ? name : "")) + line + "\n";
    }
    return text;
  }

  // On a terminal a command that is too long is broken: a line that the terminal breaks would be one more than was
  // counted.
  [[nodiscard]] std::vector<std::string> command_lines() const {
    std::string command = clean_text(shown_.record->reproduce);
    std::replace(command.begin(), command.end(), '\n', ' ');
    return options_.break_commands ? lines_of_command(command, width_) : std::vector<std::string>{command};
  }

  const FoldedRule& folded_;
  const ConsoleOptions& options_;
  Paint paint_;
  Shown shown_;
  std::string condition_;  // how many cases, with which statuses; then what they have in common
  std::size_t width_;
};

std::size_t line_count(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// A block of several lines stands apart from its neighbours; one-line blocks follow each other.
std::string joined(const std::vector<std::string>& blocks) {
  std::string text;
  bool was_line = false;
  for (const std::string& block : blocks) {
    const bool is_line = line_count(block) == 1;
    if (!is_line || !was_line) text += '\n';
    text += block;
    was_line = is_line;
  }
  return text;
}

}  // namespace

std::string rule_blocks(const std::vector<FoldedRule>& rules, const ConsoleOptions& options, std::size_t lines) {
  std::vector<Block> blocks;
  std::vector<std::string> texts;
  for (const FoldedRule& folded : rules) {
    blocks.emplace_back(folded, options);
    texts.push_back(blocks.back().line());
  }
  // The worst first of all, and then as much of each as fits.
  if (!texts.empty()) texts.front() = blocks.front().whole_block();
  for (const auto larger : {&Block::short_block, &Block::whole_block}) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::string smaller = i == 0 ? blocks[i].whole_block() : (blocks[i].*larger)();
      std::swap(texts[i], smaller);
      if (line_count(joined(texts)) <= lines) continue;
      std::swap(texts[i], smaller);
      break;  // what is worse is never shown shorter than what is less bad
    }
  }
  return joined(texts);
}

}  // namespace dlspec::conformance
