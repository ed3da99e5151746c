// A path as the native worker carries it out: its levels, and the simplest path on which a deviation shows.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <dlspec/conformance/worker/native/native_case.h>
#include <dlspec/conformance/worker/native/native_variants.h>
#include <dlspec/plugin.h>

namespace dlspec::conformance {

// The levels of plan/paths.def that a case combines; every other factor has its default.
class PathLevels {
 public:
  // `variant`: "path:before=refusal+thread=other", or "path:ordinary".
  explicit PathLevels(std::string_view variant);

  [[nodiscard]] bool is(std::string_view factor, std::string_view level) const;
  [[nodiscard]] bool has(std::string_view factor) const { return levels_.find(factor) != levels_.end(); }
  [[nodiscard]] std::string level(std::string_view factor) const;  // "" for the default
  [[nodiscard]] std::string text() const;                          // "with before=refusal and thread=other"
  // Each level alone, and none of them.
  [[nodiscard]] std::map<std::string, PathLevels> alone() const;
  [[nodiscard]] PathLevels without(std::string_view factor) const;

 private:
  std::map<std::string, std::string, std::less<>> levels_;
};

// One exchange on a path.
using PathExchange = void(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels,
                          NativeAnswer& answer);

// Carries the path out. A deviation that shows on an ordinary exchange of the same array is left to the case of that
// exchange; any other says with which levels it shows.
void answer_path(PathExchange* exchange, const DlspecPlugin& plugin, const NativeCase& asked, std::string_view variant,
                 NativeAnswer& answer);

PathExchange producer_path, consumer_path;

// What happened before, by the level of "before"; what is given is kept alive while the stimulus is tried.
using PathHistory = std::shared_ptr<void>(const DlspecPlugin& plugin, const NativeCase& asked,
                                          const PathLevels& levels);
PathHistory producer_history, consumer_history;

// Carries out another variant, `stimulus`, after the history of the path, and on its thread. A deviation that it shows
// of the plainest array, too, is left to its own case.
void answer_stimulus(NativeCaseFunction* stimulus, PathHistory* history, const DlspecPlugin& plugin,
                     const NativeCase& asked, const PathLevels& levels, NativeAnswer& answer);

}  // namespace dlspec::conformance
