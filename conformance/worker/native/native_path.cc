#include <dlspec/conformance/worker/native/native_path.h>

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/plan/paths.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

// The answers of an exchange on another path with the same array.
NativeAnswer answers(PathExchange* exchange, const DlspecPlugin& plugin, const NativeCase& asked,
                     const PathLevels& levels) {
  NativeAnswer answer(asked);
  exchange(plugin, asked, levels, answer);
  return answer;
}

std::vector<RuleId> violated_rules(const NativeAnswer& answer) {
  std::vector<RuleId> rules;
  for (const auto& [rule, outcome] : answer.outcomes()) {
    if (outcome.kind == Outcome::Kind::violated && answer.asks(rule)) rules.push_back(rule);
  }
  return rules;
}

// The rule under which an ordinary exchange shows the deviation: each has a case of its own, for both generations.
std::optional<RuleId> shown_ordinarily(PathExchange* exchange, const DlspecPlugin& plugin, const NativeCase& asked,
                                       RuleId rule) {
  for (const char* variant : {"path:ordinary", "path:max_version=absent", "path:struct=legacy"}) {
    const NativeAnswer answer = answers(exchange, plugin, asked, PathLevels(variant));
    if (answer.is_violated(rule)) return rule;
    if (answer.is_violated(RuleId::tensor_element_address)) return RuleId::tensor_element_address;
  }
  return std::nullopt;
}

// What is violated without the history of the path, before that is made; none where it is not looked at. A library may
// never be the same again after a refusal: then ordinary exchanges show later what they do not show in a new worker.
std::optional<std::vector<RuleId>> violated_before(PathExchange* exchange, const DlspecPlugin& plugin,
                                                   const NativeCase& asked, const PathLevels& levels) {
  const PathLevels without = levels.without("before");
  if (!asked.alone || without.text() == levels.text()) return std::nullopt;
  return violated_rules(answers(exchange, plugin, asked, without));
}

}  // namespace

PathLevels::PathLevels(std::string_view variant) {
  for (const std::string_view word : path_levels(variant)) {
    const std::size_t sign = word.find('=');
    if (sign != std::string_view::npos) levels_.emplace(word.substr(0, sign), word.substr(sign + 1));
  }
}

bool PathLevels::is(std::string_view factor, std::string_view level) const {
  const auto found = levels_.find(factor);
  return found != levels_.end() && found->second == level;
}

std::string PathLevels::level(std::string_view factor) const {
  const auto found = levels_.find(factor);
  return found != levels_.end() ? found->second : std::string();
}

std::string PathLevels::text() const {
  std::string words;
  for (const auto& [factor, level] : levels_) {
    words += fmt::format("{}{}={}", words.empty() ? "with " : " and ", factor, level);
  }
  return words.empty() ? "with an ordinary exchange" : words;
}

std::map<std::string, PathLevels> PathLevels::alone() const {
  std::map<std::string, PathLevels> each;
  for (const auto& [factor, level] : levels_) {
    PathLevels one("path:ordinary");
    one.levels_.emplace(factor, level);
    each.emplace(factor, one);
  }
  return each;
}

PathLevels PathLevels::without(std::string_view factor) const {
  PathLevels rest = *this;
  rest.levels_.erase(std::string(factor));
  return rest;
}

void answer_path(PathExchange* exchange, const DlspecPlugin& plugin, const NativeCase& asked, std::string_view variant,
                 NativeAnswer& answer) {
  const PathLevels levels(variant);
  const auto before = violated_before(exchange, plugin, asked, levels);
  exchange(plugin, asked, levels, answer);
  for (const RuleId rule : violated_rules(answer)) {
    const bool needs_history = before && std::find(before->begin(), before->end(), rule) == before->end();
    const auto shown = needs_history ? std::nullopt : shown_ordinarily(exchange, plugin, asked, rule);
    if (shown && !(asked.drawn && *shown == rule)) {
      const char* const by = "by what an ordinary exchange of this array shows";
      answer.set(rule, {Outcome::Kind::blocked, by, {}, {}, nullptr, shown});
      continue;
    }
    std::string circumstance = shown ? PathLevels("path:ordinary").text() : levels.text();
    for (const auto& [factor, one] : levels.alone()) {
      if (shown || needs_history || !answers(exchange, plugin, asked, one).is_violated(rule)) continue;
      circumstance = one.text();
      break;
    }
    Outcome said = answer.outcomes().at(rule);
    said.observed = circumstance + ": " + said.observed;
    answer.set(rule, std::move(said));
  }
}

}  // namespace dlspec::conformance
