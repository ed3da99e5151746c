#include <dlspec/vocabulary/rules.h>

#include <algorithm>
#include <string>
#include <unordered_map>

namespace dlspec {
namespace {

constexpr Rule table[] = {
#define DLSPEC_RULE(name, id, title, level, implied_by, side, applies, since, needs, check, coverage, violated, \
                    source, requirement, reason)                                                                \
  {RuleId::name, id,          title, Level::level, implied_by,         Side::side,                              \
   applies,      since,       needs, Check::check, Coverage::coverage, Verdict::violated,                       \
   source,       requirement, reason},
#include <dlspec/vocabulary/rules.def>
#undef DLSPEC_RULE
};

// Without alternatives.
bool plain_glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // last `*` seen, to which a mismatch returns
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

std::span<const Rule> rules() { return table; }

const Rule& rule(RuleId id) { return table[static_cast<std::size_t>(id)]; }

// Looked up for each precondition of each rule that a struct is judged by: a walk over the table took 4 % of a run on
// NumPy.
const Rule* find_rule(std::string_view id) {
  static const std::unordered_map<std::string_view, const Rule*> rows = [] {
    std::unordered_map<std::string_view, const Rule*> by_id;
    for (const Rule& row : table) by_id.emplace(row.id, &row);
    return by_id;
  }();
  const auto found = rows.find(id);
  return found == rows.end() ? nullptr : found->second;
}

bool depends_on(const Rule& rule, const Rule& precondition) {
  std::string_view needs = rule.needs;
  while (!needs.empty()) {
    const std::size_t end = std::min(needs.find(' '), needs.size());
    const Rule* const needed = find_rule(needs.substr(0, end));
    needs.remove_prefix(std::min(end + 1, needs.size()));
    if (needed == nullptr) continue;
    if (needed == &precondition || depends_on(*needed, precondition)) return true;
  }
  return false;
}

bool interval::covers(const Interval& interval, const abi::Version* version) {
  switch (interval.scope) {
    case Interval::Scope::array_api:
    case Interval::Scope::python_spec: return true;
    case Interval::Scope::legacy: return version == nullptr;
    case Interval::Scope::any:
    case Interval::Scope::dlpack: break;
  }
  if (version == nullptr) return interval.unversioned;
  return (interval.first <= abi::Version{1, 0} || *version >= interval.first) && *version <= interval.last;
}

std::string_view rule_group(const Rule& rule) {
  const std::string_view id = rule.id;
  return id.substr(0, id.find('.'));
}

const char* level_name(Level level) {
  switch (level) {
    case Level::must: return "must";
    case Level::implied: return "implied";
    case Level::should: return "should";
    case Level::may: return "may";
    case Level::convention: return "convention";
  }
  return "unknown";
}

const char* side_name(Side side) {
  switch (side) {
    case Side::producer: return "producer";
    case Side::consumer: return "consumer";
    case Side::both: return "both";
  }
  return "unknown";
}

const char* check_name(Check check) {
  switch (check) {
    case Check::struct_bytes: return "static";
    case Check::dynamic: return "dynamic";
    case Check::python: return "python";
    case Check::gpu: return "gpu";
    case Check::sanitizer: return "sanitizer";
    case Check::review: return "review";
  }
  return "unknown";
}

bool glob_match(std::string_view pattern, std::string_view text) {
  const std::size_t open = pattern.find('{');
  const std::size_t close = pattern.find('}', open);
  if (close == std::string_view::npos) return plain_glob_match(pattern, text);
  // What stands before the alternatives has to fit some beginning of the text; one without `*` fits one at most.
  const std::string_view head = pattern.substr(0, open);
  for (std::size_t length = 0; length <= text.size(); ++length) {
    if (!plain_glob_match(head, text.substr(0, length))) continue;
    for (std::size_t begin = open + 1; begin <= close;) {
      const std::size_t end = std::min(pattern.find(',', begin), close);
      const std::string rest = std::string(pattern.substr(begin, end - begin)) + std::string(pattern.substr(close + 1));
      if (glob_match(rest, text.substr(length))) return true;
      begin = end + 1;
    }
  }
  return false;
}

}  // namespace dlspec
