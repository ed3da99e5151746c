#include <dlspec/conformance/plan/sequence_model.h>

#include <algorithm>

namespace dlspec::conformance {
namespace {

constexpr std::uint64_t fnv_basis = 0xcbf29ce484222325;
constexpr std::uint64_t fnv_prime = 0x100000001b3;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) { return (hash ^ value) * fnv_prime; }

}  // namespace

const SequenceModel::Array* SequenceModel::live_array(const Holder& holder) const {
  if (holder.kind != HolderKind::array) return nullptr;
  const auto found = arrays_.find(holder.number);
  return found != arrays_.end() && found->second.alive ? &found->second : nullptr;
}

const SequenceModel::Export* SequenceModel::live_export(const Holder& holder) const {
  if (holder.kind != HolderKind::export_) return nullptr;
  const auto found = exports_.find(holder.number);
  return found != exports_.end() && found->second.state != ExportState::gone ? &found->second : nullptr;
}

bool SequenceModel::allows(const Step& step) const {
  if (step.made.kind == HolderKind::array && arrays_.contains(step.made.number)) return false;
  if (step.made.kind == HolderKind::export_ && exports_.contains(step.made.number)) return false;
  const Array* const array = live_array(step.on);
  const Export* const exported = live_export(step.on);
  switch (step.kind) {
    case StepKind::make:
    case StepKind::collect: return true;
    case StepKind::export_:
    case StepKind::refuse:
    case StepKind::mutate: return array != nullptr && !array->own;
    case StepKind::view: return array != nullptr && !array->own && array->divisible;
    case StepKind::import_: return array != nullptr;
    case StepKind::take: return exported != nullptr && exported->state == ExportState::capsule;
    case StepKind::release: return exported != nullptr && exported->state != ExportState::capsule;
    case StepKind::raise: return exported != nullptr;
    case StepKind::drop: return array != nullptr || (exported != nullptr && exported->state != ExportState::alone);
    case StepKind::write:
      if (array != nullptr) return !array->read_only && !array->own;
      return exported != nullptr && !exported->read_only && !exported->legacy;  // legacy structs do not tell
  }
  return false;
}

int SequenceModel::new_contents() {
  written_.push_back(steps_);
  return static_cast<int>(written_.size()) - 1;
}

void SequenceModel::make_array(const Step& step) {
  Array made;
  if (step.kind == StepKind::make) {
    made.own = step.option(2) == "own";
    made.divisible = step.option(0) != "scalar";
    made.read_only = step.option(0) == "readonly";
    made.contents = new_contents();
  } else {
    const Array& on = arrays_.at(step.on.number);
    made.imported = step.kind == StepKind::import_ || on.imported;
    made.divisible = on.divisible && step.kind == StepKind::import_;  // a view of a view may have one row
    const bool copied = step.kind == StepKind::import_ && step.option(0) == "copy";
    made.read_only = on.read_only && !copied;
    made.contents = on.contents;
    if (copied) {
      made.contents = new_contents();
      written_.back() = written(on.contents);
    }
  }
  arrays_[step.made.number] = made;
}

void SequenceModel::make_export(const Step& step) {
  const Array& on = arrays_.at(step.on.number);
  Export made;
  made.of = step.on.number;
  made.copied = step.option(0) == "copy";
  made.legacy = step.option(0) == "legacy";
  made.read_only = on.read_only && !made.copied;
  made.contents = on.contents;
  if (made.copied) {
    made.contents = new_contents();
    written_.back() = written(on.contents);
  }
  exports_[step.made.number] = made;
}

void SequenceModel::end_export(const Step& step) {
  Export& ended = exports_.at(step.on.number);
  ended.state = ExportState::gone;
  ended.deleter_calls = 1;
}

void SequenceModel::apply(const Step& step) {
  ++steps_;
  switch (step.kind) {
    case StepKind::make:
    case StepKind::import_:
    case StepKind::view: make_array(step); return;
    case StepKind::export_: make_export(step); return;
    case StepKind::take: exports_.at(step.on.number).state = ExportState::taken; return;
    case StepKind::release:
    case StepKind::raise: end_export(step); return;
    case StepKind::drop:
      if (step.on.kind == HolderKind::array) {
        arrays_.at(step.on.number).alive = false;
      } else if (Export& dropped = exports_.at(step.on.number); dropped.state == ExportState::taken) {
        dropped.state = ExportState::alone;
      } else {
        end_export(step);
      }
      return;
    case StepKind::write: {
      const bool array = step.on.kind == HolderKind::array;
      const int contents = array ? arrays_.at(step.on.number).contents : exports_.at(step.on.number).contents;
      written_[static_cast<std::size_t>(contents)] = steps_;
      return;
    }
    case StepKind::mutate:
    case StepKind::refuse:
    case StepKind::collect: return;
  }
}

std::uint64_t SequenceModel::situation(const Step& step) const {
  std::uint64_t hash = mixed(fnv_basis, static_cast<std::uint64_t>(step.kind));
  for (const std::uint8_t option : step.options) hash = mixed(hash, option);
  int contents = -1;
  if (const Array* on = live_array(step.on)) {
    contents = on->contents;
    hash = mixed(hash, 16U + (on->own ? 1U : 0U) + (on->imported ? 2U : 0U) + (on->read_only ? 4U : 0U));
  } else if (const Export* exported = live_export(step.on)) {
    contents = exported->contents;
    hash = mixed(hash, 32U + static_cast<unsigned>(exported->state) * 4U + (exported->legacy ? 1U : 0U) +
                           (exported->copied ? 2U : 0U));
  }
  // How many share its memory, each up to three: alive and dropped arrays, capsules, taken structs with
  // and without their capsule, released structs.
  unsigned counts[6] = {};
  for (const auto& [number, array] : arrays_) {
    if (array.contents == contents) ++counts[array.alive ? 0 : 1];
  }
  for (const auto& [number, exported] : exports_) {
    if (exported.contents == contents) ++counts[2 + static_cast<unsigned>(exported.state)];
  }
  for (const unsigned count : counts) hash = mixed(hash, std::min(count, 3U));
  return hash;
}

Sequence possible_steps(const Sequence& sequence) {
  SequenceModel model;
  Sequence possible;
  for (const Step& step : sequence) {
    if (!model.allows(step)) continue;
    model.apply(step);
    possible.push_back(step);
  }
  return possible;
}

Sequence renumbered(const Sequence& sequence) {
  std::map<Holder, Holder> names;
  std::map<HolderKind, std::uint16_t> next;
  Sequence renamed = sequence;
  for (Step& step : renamed) {
    if (step.made.kind != HolderKind::none) {
      const Holder name{step.made.kind, next[step.made.kind]++};
      names[step.made] = name;
      step.made = name;
    }
    if (const auto found = names.find(step.on); found != names.end()) step.on = found->second;
  }
  return renamed;
}

}  // namespace dlspec::conformance
