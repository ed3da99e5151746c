#include <dlspec/conformance/report/circumstances.h>

#include <algorithm>
#include <utility>

#include <dlspec/conformance/plan/paths.h>
#include <dlspec/conformance/plan/plan.h>

namespace dlspec::conformance {
namespace {

constexpr std::string_view path_prefix = "path:";
constexpr std::string_view exchange = "exchange";

// Removes the text up to the first `mark` from `rest` and returns it; all of it where there is none.
std::string take_until(std::string_view& rest, char mark) {
  const std::size_t end = std::min(rest.find(mark), rest.size());
  std::string taken(rest.substr(0, end));
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return taken;
}

using Levels = std::map<std::string, std::string>;

void add_level(Levels& levels, std::string_view level) {
  const std::size_t mark = level.find('=');
  levels.emplace(level.substr(0, mark), level.substr(mark + 1));
}

// Ordinary variants whose name is a level of a path, too: the faults that they show have one condition.
Levels levels_of_variant(Role role, std::string_view variant) {
  constexpr std::string_view requests[] = {"copy=true",       "copy=false",      "copy=none",      "max_version=none",
                                           "max_version=0.8", "max_version=1.0", "max_version=2.0"};
  if (variant == "copied" && role == Role::producer) return {{"copy", "true"}};
  if (variant == "byte_offset=far") return {{"place", "byte_offset"}};
  if (variant == "byte_offset=legacy") return {{"place", "byte_offset"}, {"struct", "legacy"}};
  Levels levels;
  if (role == Role::producer && std::find(std::begin(requests), std::end(requests), variant) != std::end(requests))
    add_level(levels, variant);
  return levels;
}

bool is_exchange(std::string_view variant) {
  constexpr std::string_view names[] = {"versioned", "legacy", "plain", "max_version=1.3"};
  return std::find(std::begin(names), std::end(names), variant) != std::end(names);
}

bool is_legacy(const Circumstances& all, std::string_view variant) {
  if (variant.starts_with(path_prefix)) {
    for (const char* level : {"absent", "none", "0.0", "0.8"}) {
      if (all.has("max_version", level)) return true;
    }
    return all.has("struct", "legacy");
  }
  constexpr std::string_view names[] = {"plain", "max_version=none", "max_version=0.8"};
  return variant.find("legacy") != std::string_view::npos ||
         std::find(std::begin(names), std::end(names), variant) != std::end(names);
}

}  // namespace

bool Circumstances::has(const std::string& factor, std::string_view level) const {
  const auto found = levels.find(factor);
  return found != levels.end() && found->second == level;
}

std::optional<Circumstances> circumstances_of(std::string_view case_id) {
  std::optional<Order> order = order_of(case_id);
  if (!order) return std::nullopt;
  Circumstances all;
  all.order = *std::move(order);
  all.role = parse_role(take_until(case_id, '/')).value_or(Role::producer);
  all.dtype = take_until(case_id, '/');
  all.layout = take_until(case_id, '/');
  const std::string_view variant = case_id;
  if (variant.starts_with(path_prefix)) {
    for (const std::string_view level : path_levels(variant)) add_level(all.levels, level);
    const auto stimulus = all.levels.find("stimulus");
    all.tried = stimulus != all.levels.end() ? stimulus->second : exchange;
    if (stimulus != all.levels.end()) all.levels.erase(stimulus);
  } else {
    all.tried = is_exchange(variant) ? exchange : variant;
    all.levels = levels_of_variant(all.role, variant);
  }
  all.legacy = is_legacy(all, variant);
  return all;
}

}  // namespace dlspec::conformance
