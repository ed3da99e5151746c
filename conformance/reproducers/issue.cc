#include <dlspec/conformance/reproducers/issue.h>

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include <dlspec/conformance/core/globs.h>
#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/reproducers/pieces.h>

namespace dlspec::conformance {
namespace {

enum class Harm : std::uint8_t {
#define DLSPEC_HARM(harm, words) harm,
#include "harms.def"
};

constexpr const char* harm_words[] = {
#define DLSPEC_HARM(harm, words) words,
#include "harms.def"
};

struct HarmOf {
  const char* pattern;
  Harm harm;
};
constexpr HarmOf harms[] = {
#define DLSPEC_HARM_OF(pattern, harm) {pattern, Harm::harm},
#include "harms.def"
};

struct Tracker {
  const char *package, *repository, *title, *describe, *reproduce, *expected, *versions, *remark;
};
constexpr Tracker trackers[] = {
#define DLSPEC_TRACKER(package, repository, title, describe, reproduce, expected, versions, remark) \
  {package, repository, title, describe, reproduce, expected, versions, remark},
#include "trackers.def"
#undef DLSPEC_TRACKER
};

const Tracker& tracker_of(std::string_view package) {
  const auto* const last = std::end(trackers) - 1;  // for all others
  return *std::find_if(std::begin(trackers), last, [&](const Tracker& each) { return package == each.package; });
}

std::string one_line(std::string_view text, std::size_t longest) {
  std::string line = clean_text(text, longest);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

std::string ended(const std::string& text) { return text.empty() || text.ends_with('.') ? text : text + "."; }

// A sentence: it begins with a capital letter and has an end.
std::string sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return ended(text);
}

// The remark of a tracker is for who files, and no part of what is filed.
std::string remark_of(const Tracker& tracker) {
  std::string text;
  if (*tracker.repository != '\0')
    text += fmt::format("<!-- For https://github.com/{}/issues. -->\n", tracker.repository);
  if (*tracker.remark != '\0') text += fmt::format("<!-- {} -->\n", tracker.remark);
  return text;
}

std::string happens(const Issue& issue) {
  const Record& record = *issue.record;
  std::string text = fmt::format("With {}, {}: {}", issue.library,
                                 record.role == Role::consumer ? "an import by DLPack" : "an export by DLPack",
                                 ended(clean_text(record.observed)));
  if (!issue.condition.empty()) text += "\n\nSeen in " + ended(clean_text(issue.condition));
  return text;
}

// The form with the values in the places of {name}; values are not looked through again.
std::string filled(std::string_view form, const std::map<std::string, std::string, std::less<>>& values) {
  std::string text;
  while (!form.empty()) {
    const std::size_t begin = std::min(form.find('{'), form.size()), end = form.find('}', begin);
    const auto value =
        end == std::string_view::npos ? values.end() : values.find(form.substr(begin + 1, end - begin - 1));
    text += form.substr(0, begin);
    form.remove_prefix(begin);
    if (form.empty()) break;
    const std::size_t taken = value == values.end() ? 1 : end - begin + 1;
    text += value == values.end() ? "{" : value->second;
    form.remove_prefix(taken);
  }
  return text;
}

Harm harm(RuleId id, Verdict status) {
  const auto* const found = std::find_if(std::begin(harms), std::end(harms),
                                         [&](const HarmOf& each) { return matches_globs(each.pattern, rule(id).id); });
  return is_death(status) ? std::min(found->harm, Harm::memory) : found->harm;
}

}  // namespace

const char* harm_of(RuleId rule, Verdict status) { return harm_words[harm_rank(rule, status)]; }

std::size_t harm_rank(RuleId rule, Verdict status) { return static_cast<std::size_t>(harm(rule, status)); }

std::string issue_text(std::string_view form, const Issue& issue) {
  const Record& record = *issue.record;
  const Rule& row = rule(record.rule);
  const Tracker& tracker = tracker_of(issue.package);
  constexpr std::size_t longest_title = 90;
  const char* act = record.role == Role::consumer ? "import" : "export";
  const bool has_heading = *tracker.expected != '\0';
  std::string releases = issue.library;
  for (const std::string* each : {&issue.interpreter, &issue.machine}) {
    if (!each->empty()) releases += ", " + *each;
  }
  return filled(
      form, {{"remark", remark_of(tracker)},
             {"title", fmt::format("{}DLPack {}: {}", tracker.title, act, one_line(record.observed, longest_title))},
             {"describe", tracker.describe},
             {"happens", happens(issue)},
             {"severity", harm_of(record.rule, record.status)},
             {"expected", has_heading ? fmt::format("### {}\n", tracker.expected) : "**Expected:**"},
             {"allowed", sentence(clean_text(record.allowed))},
             {"requirement", row.requirement},
             {"source", row.source},
             {"reproduce", tracker.reproduce},
             {"language", issue.language},
             {"script", issue.script},
             {"run", issue.run},
             {"versions", tracker.versions},
             {"releases", releases},
             {"rule", row.id},
             {"page", issue.page}});
}

}  // namespace dlspec::conformance
