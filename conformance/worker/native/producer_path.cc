// Producers: an export on a path of plan/paths.def, judged by everything that holds for any export.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/worker/native/native_path.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/conformance/worker/native/producer_trial.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

using Exports = std::vector<std::unique_ptr<PluginExport>>;

// More exports than a table or a ring of fixed size is likely to hold; fewer of large arrays.
int many(const NativeCase& asked) { return asked.bytes.size() > 1 << 16 ? 8 : 130; }

// Runs `act` on another thread, and waits for it.
template <class Act>
void on_other_thread(Act act) {
  std::thread(act).join();
}

bool is_right(const PluginExport& made, const NativeCase& asked) {
  if (!made.made()) return false;
  NativeAnswer answer(asked);
  judge_export(made.exported(), asked, answer);
  const auto found = answer.outcomes().find(RuleId::tensor_element_address);
  return found != answer.outcomes().end() && found->second.kind == Outcome::Kind::pass;
}

void keep(Exports& kept, std::unique_ptr<PluginExport> made, const NativeCase& asked) {
  if (is_right(*made, asked)) kept.push_back(std::move(made));
}

// What happened before the export; gives the exports that are alive meanwhile, and right.
Exports before(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels) {
  const bool legacy = levels.is("before", "legacy-alive");
  if (levels.is("before", "export-released")) {
    // That of the other generation last: its struct is the first that may be used again.
    const bool versioned_last = levels.is("max_version", "absent");
    for (const bool versioned : {!versioned_last, versioned_last})
      PluginExport(plugin, asked, versioned ? Generation::versioned : Generation::legacy).release();
  }
  Exports kept;
  const int count = levels.is("before", "many-alive")               ? many(asked)
                    : levels.is("before", "export-alive") || legacy ? 1
                                                                    : 0;
  for (int i = 0; i < count; ++i) {
    const Generation generation = legacy ? Generation::legacy : Generation::versioned;
    keep(kept, std::make_unique<PluginExport>(plugin, asked, generation), asked);
  }
  return kept;
}

// An export of another array, as different as the plug-in makes them.
std::unique_ptr<PluginExport> neighbour(const DlspecPlugin& plugin, const NativeCase& asked, Generation generation) {
  std::unique_ptr<PluginExport> made;
  for (const NativeCase& other : neighbours_of(asked)) {
    made = std::make_unique<PluginExport>(plugin, other, generation);
    if (made->made()) break;
  }
  return made;
}

// A deviation of another export than the one that is judged.
struct Deviation {
  RuleId rule;
  Outcome outcome;
};

struct Neighbours {
  Exports exports;
  std::optional<Deviation> deviation;
};

// Exports of other arrays in both structs: those of the crowd, and at last the most different one, whose flags and
// extents are the first that may be left.
Exports other_exports(const DlspecPlugin& plugin, const NativeCase& asked) {
  Exports made;
  for (const Generation generation : {Generation::legacy, Generation::versioned}) {
    for (const NativeCase& other : crowd_of(asked))
      made.push_back(std::make_unique<PluginExport>(plugin, other, generation));
    made.push_back(neighbour(plugin, asked, generation));
  }
  return made;
}

// What is wrong with the export of a lookalike while nothing else was exported since.
std::optional<Deviation> deviation_of(const Lookalike& lookalike, const PluginExport& made) {
  if (!made.made()) return std::nullopt;
  NativeAnswer own(lookalike.order);
  judge_export(made.exported(), lookalike.order, own);
  for (const RuleId rule : {RuleId::tensor_shape_truthful, RuleId::tensor_element_address}) {
    if (!own.is_violated(rule)) continue;
    const Outcome& found = own.outcomes().at(rule);
    return Deviation{rule, wrong(fmt::format("of an array {}: {}", lookalike.words, found.observed), found.allowed)};
  }
  return std::nullopt;
}

// The exports of other arrays that are alive meanwhile. Lookalikes have as many elements as the array that is asked
// for: whichever was the first ever, what is remembered of it is wrong for the others.
Neighbours neighbours_before(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels) {
  Neighbours found;
  if (levels.is("before", "other-alive") || levels.is("before", "other-released")) {
    found.exports = other_exports(plugin, asked);
  }
  if (levels.is("before", "other-released")) found.exports.clear();
  if (!levels.is("before", "other-alive")) return found;
  for (const Lookalike& other : lookalikes_of(asked)) {
    found.exports.push_back(std::make_unique<PluginExport>(plugin, other.order, Generation::versioned));
    if (!found.deviation) found.deviation = deviation_of(other, *found.exports.back());
  }
  return found;
}

// The description of an export, to be compared with what it says later.
struct Described {
  explicit Described(const Exported& exported) {
    const auto& tensor = exported.tensor();
    data = tensor.data;
    byte_offset = tensor.byte_offset;
    dtype = tensor.dtype;
    if (tensor.shape != nullptr) shape.assign(tensor.shape, tensor.shape + tensor.ndim);
    if (tensor.strides != nullptr) strides.assign(tensor.strides, tensor.strides + tensor.ndim);
  }
  bool operator==(const Described&) const = default;
  const void* data;
  std::uint64_t byte_offset;
  abi::DataType dtype;
  std::vector<std::int64_t> shape, strides;
};

// Whether an export has the flag; a legacy one has none.
bool says(const PluginExport& made, std::uint64_t flag) {
  const bool versioned = made.made() && made.exported().generation() == Generation::versioned;
  return versioned && (made.exported().versioned().flags & flag) != 0;
}

// Arrays of their own, which look the same: memory of one of them is that of all.
void judge_copies(const PluginExport& made, const Exports& others, const NativeCase& asked, NativeAnswer& answer) {
  if (asked.bytes.empty() || !says(made, flags::is_copied)) return;
  const bool are_alone = std::ranges::none_of(others, [&](const std::unique_ptr<PluginExport>& other) {
    return says(*other, flags::is_copied) && other->exported().object() != made.exported().object() &&
           first_element(other->exported().tensor()) == first_element(made.exported().tensor());
  });
  answer.decide(RuleId::flags_is_copied_exclusive, are_alone, "two exports with IS_COPIED lead to the same memory",
                "a copy that is the consumer's alone");
}

void judge_meanwhile(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels,
                     const PluginExport& made, NativeAnswer& answer) {
  const Described first(made.exported());
  Exports others;
  if (levels.is("after", "export") || levels.is("after", "export-released")) {
    for (const Generation generation : {Generation::versioned, Generation::legacy}) {
      others.push_back(std::make_unique<PluginExport>(plugin, asked, generation));
    }
  }
  judge_copies(made, others, asked, answer);
  if (levels.is("after", "export-released")) others.clear();
  for (int i = 0; levels.is("after", "many") && i < many(asked); ++i) {
    others.push_back(std::make_unique<PluginExport>(plugin, asked, Generation::versioned));
    others.push_back(neighbour(plugin, asked, Generation::versioned));
  }
  // More than 1 MiB: a library may make room for it.
  if (levels.is("after", "many") && !asked.layout.strides && !asked.layout.shape.empty() && !asked.bytes.empty() &&
      !levels.is("size", "large"))
    others.push_back(std::make_unique<PluginExport>(plugin, large_of(asked), Generation::versioned));
  // After a release that was not that of the newest export, memory may be given out again.
  if (levels.is("after", "other") || levels.is("after", "earlier-released")) {
    for (std::unique_ptr<PluginExport>& other : other_exports(plugin, asked)) others.push_back(std::move(other));
  }
  const bool same = Described(made.exported()) == first;
  answer.decide(RuleId::tensor_metadata_constant, same, "after another export the struct says something else",
                "the description that was exported");
  if (!same) return answer.blocked(RuleId::managed_exports_independent, "by tensor.metadata-constant");
  const std::string problem = elements_problem(made.exported(), asked);
  answer.decide(RuleId::managed_exports_independent, problem.empty(), "after another export: " + problem,
                "the contents that were asked for");
}

std::vector<Described> described(const Exports& exports) {
  std::vector<Described> all;
  for (const auto& each : exports) all.emplace_back(each->exported());
  return all;
}

// Exports that were alive all the time, and what they said at first.
void judge_others(const Exports& kept, const std::vector<Described>& before, const NativeCase& asked,
                  NativeAnswer& answer) {
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::string problem = elements_problem(kept[i]->exported(), asked);
    if (!(Described(kept[i]->exported()) == before[i])) {
      answer.violated(RuleId::tensor_metadata_constant, "after another export an earlier one says something else",
                      "the description that was exported");
    } else if (!problem.empty()) {
      answer.violated(RuleId::managed_exports_independent, "after the release of one export an earlier one: " + problem,
                      "the contents that were asked for");
    }
  }
}

bool is_elements_right(const NativeAnswer& answer) {
  const auto found = answer.outcomes().find(RuleId::tensor_element_address);
  return found != answer.outcomes().end() && found->second.kind == Outcome::Kind::pass;
}

// Exports that are released while the one under judgement lives.
Exports earlier(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels) {
  Exports made;
  if (!levels.is("after", "earlier-released")) return made;
  for (const Generation generation : {Generation::versioned, Generation::legacy}) {
    made.push_back(std::make_unique<PluginExport>(plugin, asked, generation));
  }
  return made;
}

// Of two exports at a time: one struct may have the flags of what it described before.
bool are_read_only(const DlspecPlugin& plugin, const NativeCase& asked, Generation generation) {
  const PluginExport first(plugin, asked, generation), second(plugin, asked, generation);
  return says(first, flags::read_only) && says(second, flags::read_only);
}

bool is_made(const DlspecPlugin& plugin, const NativeCase& asked, Generation generation) {
  return PluginExport(plugin, asked, generation).made();
}

// Once more: the same history, then the same export.
bool is_made_after(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels,
                   Generation generation) {
  const Exports kept = before(plugin, asked, levels);
  const Neighbours others = neighbours_before(plugin, asked, levels);
  return is_made(plugin, asked, generation);
}

void exchange(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels, NativeAnswer& answer) {
  const bool is_over = levels.is("before", "export-released") || levels.is("before", "other-released");
  const Generation asked_for = levels.is("max_version", "absent") ? Generation::legacy : Generation::versioned;
  const bool made_before = is_over && is_made(plugin, asked, asked_for);
  const bool flagged_before = asked.read_only || are_read_only(plugin, asked, asked_for);
  const Exports kept = before(plugin, asked, levels);
  const std::vector<Described> kept_as = described(kept);
  const Neighbours others = neighbours_before(plugin, asked, levels);
  Exports released_later = earlier(plugin, asked, levels);
  std::unique_ptr<PluginExport> made;
  const auto make = [&] { made = std::make_unique<PluginExport>(plugin, asked, asked_for); };
  levels.is("thread", "other") ? on_other_thread(make) : make();
  if (!made->made() && made_before) {
    released_later.clear();  // a library may have few exports alive at a time
    if (!is_made_after(plugin, asked, levels, asked_for))
      answer.violated(RuleId::managed_exports_independent,
                      "after the release of an export it is refused: " + made->reason(),
                      "what was made before the release");
  }
  if (!made->made()) return answer.rest_unsupported(made->reason());
  judge_export(made->exported(), asked, answer);
  if (!flagged_before && says(*made, flags::read_only)) {
    answer.violated(RuleId::flags_read_only_truthful, "READ_ONLY is set, which another export was without",
                    "the flag of what may not be written");
  }
  if (is_elements_right(answer) && others.deviation) answer.set(others.deviation->rule, others.deviation->outcome);
  if (!is_elements_right(answer)) return answer.rest_blocked("by the struct or the elements of the export");
  released_later.clear();
  judge_meanwhile(plugin, asked, levels, *made, answer);
  levels.is("release", "thread") ? on_other_thread([&] { made->release(); }) : static_cast<void>(made->release());
  judge_others(kept, kept_as, asked, answer);
  answer.rest_not_applicable();
}

}  // namespace

std::shared_ptr<void> producer_history(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels) {
  auto kept = std::make_shared<std::vector<Exports>>();
  kept->push_back(before(plugin, asked, levels));
  kept->push_back(neighbours_before(plugin, asked, levels).exports);
  return kept;
}

void producer_path(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels,
                   NativeAnswer& answer) {
  exchange(plugin, levels.is("size", "large") ? large_of(asked) : asked, levels, answer);
}

}  // namespace dlspec::conformance
