#include <dlspec/conformance/baseline/baseline.h>

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/core/file.h>
#include <dlspec/conformance/core/text.h>

namespace dlspec::conformance {
namespace {

constexpr const char* blanks = " \t\r";

bool is_date(std::string_view text) {
  const auto number = [&](std::size_t begin, std::size_t count) {
    int value = 0;
    for (const char digit : text.substr(begin, count)) value = value * 10 + (digit - '0');
    return value;
  };
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i != 4 && i != 7 && (text[i] < '0' || text[i] > '9')) return false;
  }
  return number(5, 2) >= 1 && number(5, 2) <= 12 && number(8, 2) >= 1 && number(8, 2) <= 31;
}

// "fail, warn, crash and timeout"
std::string deviation_names() {
  std::vector<std::string_view> names;
  for (const Verdict status : all_verdicts) {
    if (is_deviation(status)) names.push_back(verdict_name(status));
  }
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

// Splits one line into words. Texts in double quotes are JSON strings.
class LineSplitter {
 public:
  explicit LineSplitter(std::string_view line) : rest_(line) { skip(); }

  [[nodiscard]] bool empty() const { return rest_.empty(); }
  [[nodiscard]] bool at_text() const { return rest_.starts_with('"'); }
  [[nodiscard]] std::string_view rest() const { return rest_; }

  std::string word() {
    const std::string word(rest_.substr(0, rest_.find_first_of(blanks)));
    rest_.remove_prefix(word.size());
    skip();
    return word;
  }

  // Nothing when the next word is no text in double quotes.
  std::optional<std::string> text() {
    if (!at_text()) return std::nullopt;
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2 : 1;
    if (end >= rest_.size()) return std::nullopt;
    const auto json = nlohmann::json::parse(rest_.substr(0, end + 1), nullptr, false);
    if (!json.is_string()) return std::nullopt;
    rest_.remove_prefix(end + 1);
    skip();
    return json.get<std::string>();
  }

 private:
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size())); }
  std::string_view rest_;
};

class BaselineParser {
 public:
  explicit BaselineParser(std::string file) { baseline_.file = std::move(file); }

  ReadBaseline read(std::string_view text) {
    while (!text.empty() && error_.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      while (line.ends_with('\r')) line.remove_suffix(1);
      ++number_;
      take_line(line);
    }
    if (error_.empty() && !has_format_) fail("the first line must be `format " + std::string(baseline_format) + "`");
    if (error_.empty() && baseline_.made_by.empty()) {
      fail("there is no line `dlspec VERSION`; write the version that the deviations were found with");
    }
    if (!error_.empty()) return {std::nullopt, clean_text(error_)};
    baseline_.tail = std::move(comments_);
    return {std::move(baseline_), ""};
  }

 private:
  void fail(const std::string& what) {
    error_ = fmt::format("{}:{}: {}", baseline_.file, std::max<std::size_t>(number_, 1), what);
  }

  void take_line(std::string_view line) {
    LineSplitter words(line);
    if (words.empty()) return;
    if (words.rest().starts_with('#')) {
      comments_.emplace_back(words.rest());
      return;
    }
    const std::string first = words.word();
    if (first == "format") return take_format(words.word());
    if (!has_format_) return fail("the first line must be `format " + std::string(baseline_format) + "`");
    if (first == "dlspec") return take_maker(words.word());
    if (first == "library") return take_library(std::string(words.rest()));
    take_deviation(first, words);
  }

  void take_format(const std::string& format) {
    if (format != baseline_format) {
      return fail(
          fmt::format("the format '{}' is not {}; make the file anew with this dlspec's `dlspec baseline update`",
                      format, baseline_format));
    }
    has_format_ = true;
    baseline_.head = std::move(comments_);
    comments_.clear();
  }

  void take_maker(const std::string& version) {
    if (version.empty()) return fail("`dlspec` is followed by a version, as in `dlspec 0.1.0`");
    baseline_.made_by = version;
  }

  void take_library(std::string name) {
    name.erase(name.find_last_not_of(blanks) + 1);
    if (name.empty()) return fail("`library` is followed by a name, as in `library NumPy`");
    library_ = name;
    auto& all = baseline_.libraries;
    if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
  }

  void take_deviation(const std::string& rule, LineSplitter& words) {
    AcceptedDeviation line;
    line.rule = rule;
    line.library = library_;
    line.number = number_;
    if (library_.empty()) return fail("no library is named yet; write `library NAME` above");
    if (rule.find('.') == std::string::npos) {
      return fail(fmt::format("'{}' is no rule; a line is: RULE CASES STATUS \"OBSERVED\" because \"REASON\"", rule));
    }
    line.cases = words.word();
    if (line.cases.find('/') == std::string::npos && line.cases.find('*') == std::string::npos) {
      return fail(
          fmt::format("behind the rule stands a glob over cases, as producer/float32/*/plain, not '{}'", line.cases));
    }
    const std::string status = words.word();
    const auto verdict = parse_verdict(status);
    if (!verdict || !is_deviation(*verdict)) {
      return fail(fmt::format("'{}' is no status that can be accepted; there are {}", status, deviation_names()));
    }
    line.status = *verdict;
    if (words.at_text()) {
      line.observed = words.text();
      if (!line.observed) return fail("what was observed is no text in double quotes; inside, a quote is written \\\"");
    } else if (words.word() != "any") {
      return fail("behind the status stands what was observed, in double quotes, or the word any");
    }
    take_additions(line, words);
    line.comments = std::move(comments_);
    comments_.clear();
    if (error_.empty()) baseline_.lines.push_back(std::move(line));
  }

  void take_additions(AcceptedDeviation& line, LineSplitter& words) {
    while (!words.empty() && error_.empty()) {
      const std::string name = words.word();
      if (name == "because") {
        const auto reason = words.text();
        if (!reason) return fail("behind `because` stands a text in double quotes; inside, a quote is written \\\"");
        line.reason = *reason;
      } else if (name == "versions") {
        const auto bounds = parse_bounds(words.rest().substr(0, words.rest().find_first_of(blanks)));
        if (!bounds) return fail("behind `versions` stand conditions without blanks, as in >=2.1,<2.6");
        words.word();
        line.versions = *bounds;
      } else if (name == "expires") {
        line.expires = words.word();
        if (!is_date(line.expires)) return fail("behind `expires` stands a day, as in 2027-06-30");
      } else {
        return fail(
            fmt::format("'{}' is not understood; at a line's end there are versions, expires and because", name));
      }
    }
  }

  Baseline baseline_;
  std::string library_;
  std::vector<std::string> comments_;
  std::size_t number_ = 0;
  bool has_format_ = false;
  std::string error_;
};

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string line_text(const AcceptedDeviation& line) {
  std::string text;
  for (const std::string& comment : line.comments) text += comment + "\n";
  text += fmt::format("{} {} {} {}", line.rule, line.cases, verdict_name(line.status),
                      line.observed ? quoted(*line.observed) : "any");
  if (!line.versions.conditions.empty()) text += " versions " + line.versions.text();
  if (!line.expires.empty()) text += " expires " + line.expires;
  if (!line.reason.empty()) text += " because " + quoted(line.reason);
  return text + "\n";
}

}  // namespace

bool is_deviation(Verdict status) {
  return status == Verdict::fail || status == Verdict::warn || status == Verdict::crash || status == Verdict::timeout;
}

ReadBaseline parse_baseline(std::string_view text, const std::string& file) { return BaselineParser(file).read(text); }

ReadBaseline read_baseline(const std::string& path) {
  const FileContents file = read_file(path);
  if (!file.error.empty()) return {std::nullopt, path + ": the baseline cannot be read: " + file.error};
  return parse_baseline(file.text, path);
}

std::string write_baseline(const Baseline& baseline) {
  std::string text;
  for (const std::string& comment : baseline.head) text += comment + "\n";
  text += fmt::format("format {}\ndlspec {}\n", baseline_format, baseline.made_by);
  for (const std::string& library : baseline.libraries) {
    text += fmt::format("\nlibrary {}\n", library);
    for (const AcceptedDeviation& line : baseline.lines) {
      if (line.library == library) text += line_text(line);
    }
  }
  for (const std::string& comment : baseline.tail) text += comment + "\n";
  return text;
}

}  // namespace dlspec::conformance
