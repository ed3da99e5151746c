// A stimulus in other circumstances: the function of an ordinary variant, carried out with an array of another kind, on
// another thread, or after something else has happened.
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/worker/native/native_path.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

// The plainest array that may be written as this one may.
NativeCase plainest(const NativeCase& asked) {
  NativeCase plain = asked;
  plain.layout.dtype = {kDLFloat, 32, 1};
  plain.layout.shape = {3, 4};
  plain.layout.strides.reset();
  plain.layout.byte_offset = 0;
  plain.offset = 0;
  plain.legacy = false;
  float elements[12];
  for (int i = 0; i < 12; ++i) elements[i] = 0.5F + static_cast<float>(i);
  plain.bytes.resize(sizeof elements);
  std::memcpy(plain.bytes.data(), elements, sizeof elements);
  return plain;
}

std::set<RuleId> violated_rules(const NativeAnswer& answer) {
  std::set<RuleId> rules;
  for (const auto& [rule, outcome] : answer.outcomes()) {
    if (outcome.kind == Outcome::Kind::violated && answer.asks(rule)) rules.insert(rule);
  }
  return rules;
}

}  // namespace

void answer_stimulus(NativeCaseFunction* stimulus, PathHistory* history, const DlspecPlugin& plugin,
                     const NativeCase& asked, const PathLevels& levels, NativeAnswer& answer) {
  const auto plainly = [&] {
    const NativeCase plain = plainest(asked);
    NativeAnswer other(plain);
    stimulus(plugin, plain, other);
    return violated_rules(other);
  };
  // A library may never be the same again after a refusal: then the ordinary case is tried before it.
  const std::set<RuleId> before = levels.has("before") ? plainly() : std::set<RuleId>();
  const std::shared_ptr<void> kept = history(plugin, asked, levels);
  NativeCase surrounded = asked;
  surrounded.legacy = levels.is("struct", "legacy");
  if (levels.is("struct", "1.0")) surrounded.minor = 0;
  if (levels.is("struct", "1.99")) surrounded.minor = 99;
  const auto act = [&] { stimulus(plugin, surrounded, answer); };
  levels.is("thread", "other") ? std::thread(act).join() : act();
  const std::set<RuleId> violated = violated_rules(answer);
  if (violated.empty()) return;
  const std::set<RuleId> ordinary = levels.has("before") ? before : plainly();
  for (const RuleId rule : violated) {
    if (ordinary.contains(rule)) {
      answer.set(rule,
                 {Outcome::Kind::blocked, "by what this stimulus shows of the plainest array", {}, {}, nullptr, rule});
      continue;
    }
    Outcome said = answer.outcomes().at(rule);
    said.observed = levels.text() + ": " + said.observed;
    answer.set(rule, std::move(said));
  }
}

}  // namespace dlspec::conformance
