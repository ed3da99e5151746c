#include <dlspec/conformance/plan/sequence_generator.h>

#include <algorithm>
#include <optional>

#include <dlspec/conformance/plan/plan.h>

namespace dlspec::conformance {
namespace {

constexpr std::size_t most_arrays = 5;   // alive at a time
constexpr std::size_t most_exports = 6;  // alive at a time
constexpr std::size_t most_steps = 200;  // of a variation, so that corpora do not grow without end

// How often a step is proposed, in relation to the others.
struct Weight {
  StepKind kind;
  unsigned weight;
};
constexpr Weight weights[] = {{StepKind::make, 6},   {StepKind::export_, 16}, {StepKind::drop, 9},
                              {StepKind::take, 8},   {StepKind::release, 9},  {StepKind::import_, 8},
                              {StepKind::view, 4},   {StepKind::write, 8},    {StepKind::mutate, 3},
                              {StepKind::refuse, 4}, {StepKind::raise, 3},    {StepKind::collect, 1}};

StepKind pick_kind(SequenceRandom& random) {
  unsigned all = 0;
  for (const Weight& each : weights) all += each.weight;
  std::size_t left = random.below(all);
  for (const Weight& each : weights) {
    if (left < each.weight) return each.kind;
    left -= each.weight;
  }
  return StepKind::make;
}

// Everything that is alive, and how many names are taken.
class Stage {
 public:
  explicit Stage(const Sequence& steps) {
    for (const Step& step : steps) add(step);
  }
  void add(const Step& step) {
    model_.apply(step);
    if (step.made.kind == HolderKind::array) arrays_ = std::max<std::size_t>(arrays_, step.made.number + 1U);
    if (step.made.kind == HolderKind::export_) exports_ = std::max<std::size_t>(exports_, step.made.number + 1U);
  }
  [[nodiscard]] const SequenceModel& model() const { return model_; }

  [[nodiscard]] std::vector<Holder> alive(HolderKind kind) const {
    std::vector<Holder> found;
    if (kind != HolderKind::export_) {
      for (const auto& [number, array] : model_.arrays()) {
        if (array.alive) found.push_back({HolderKind::array, static_cast<std::uint16_t>(number)});
      }
    }
    if (kind != HolderKind::array) {
      for (const auto& [number, exported] : model_.exports()) {
        if (exported.state != SequenceModel::ExportState::gone)
          found.push_back({HolderKind::export_, static_cast<std::uint16_t>(number)});
      }
    }
    return found;
  }
  [[nodiscard]] Holder new_name(HolderKind kind) const {
    return {kind, static_cast<std::uint16_t>(kind == HolderKind::array ? arrays_ : exports_)};
  }

 private:
  SequenceModel model_;
  std::size_t arrays_ = 0;
  std::size_t exports_ = 0;
};

std::optional<Step> propose(const SequenceProfile& profile, const Stage& stage, SequenceRandom& random) {
  Step step;
  step.kind = pick_kind(random);
  const StepRow& row = row_of(step.kind);
  for (std::size_t slot = 0; slot < most_options; ++slot) {
    const std::size_t count = row.options[slot].size();
    // The simplest option is half of all: what is rare should meet what is common.
    if (count > 1 && random.below(2) == 1) step.options[slot] = static_cast<std::uint8_t>(random.below(count));
  }
  if (row.acts_on != HolderKind::none) {
    const std::vector<Holder> candidates = stage.alive(row.acts_on);
    if (candidates.empty()) return std::nullopt;
    step.on = candidates[random.below(candidates.size())];
  }
  if (row.makes != HolderKind::none) {
    const std::size_t most = row.makes == HolderKind::array ? most_arrays : most_exports;
    if (stage.alive(row.makes).size() >= most) return std::nullopt;
    step.made = stage.new_name(row.makes);
  }
  const bool possible = stage.model().allows(step) && fits_profile(profile, stage.model(), step);
  return possible ? std::optional(step) : std::nullopt;
}

void extend(Sequence& steps, const SequenceProfile& profile, SequenceRandom& random, std::size_t length) {
  Stage stage(steps);
  // A profile that allows nothing must not keep the loop running.
  for (std::size_t tries = 0; steps.size() < length && tries < 50 * length; ++tries) {
    const std::optional<Step> step = propose(profile, stage, random);
    if (!step) continue;
    stage.add(*step);
    steps.push_back(*step);
  }
}

}  // namespace

bool is_wanted(const SequenceProfile& profile, StepKind kind) {
  switch (kind) {
    case StepKind::import_: return profile.imports;
    case StepKind::view:
    case StepKind::raise:
    case StepKind::collect: return !profile.native;
    case StepKind::mutate: return !profile.native && profile.mutations;
    case StepKind::write: return profile.writes;
    default: return true;
  }
}

bool fits_profile(const SequenceProfile& profile, const SequenceModel& model, const Step& step) {
  if (!is_wanted(profile, step.kind)) return false;
  const auto array = model.arrays().find(step.on.number);
  const bool on_array = step.on.kind == HolderKind::array && array != model.arrays().end();
  switch (step.kind) {
    case StepKind::make: return step.option(2) == "own" ? profile.imports : profile.exports;
    case StepKind::export_:
      // Of a plug-in nothing but the generation can be requested, and its imports are not exported again.
      if (!profile.native) return true;
      return on_array && !array->second.imported && step.options[0] < 2;
    case StepKind::write: return !profile.native || step.on.kind == HolderKind::export_;
    case StepKind::import_: return !profile.native || (on_array && !array->second.imported && step.options[0] == 0);
    case StepKind::refuse: return !profile.native || profile.imports;
    default: return true;
  }
}

SequenceProfile sequence_profile(Role role, SubjectKind kind) {
  SequenceProfile profile;
  profile.exports = role != Role::consumer;
  profile.imports = role != Role::producer;
  profile.native = is_native(kind);
  return profile;
}

std::uint64_t SequenceRandom::next() {
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

Sequence generate_sequence(const SequenceProfile& profile, SequenceRandom& random, std::size_t length) {
  Sequence steps;
  extend(steps, profile, random, length);
  return steps;
}

Sequence vary_sequence(const Sequence& sequence, const SequenceProfile& profile, SequenceRandom& random) {
  Sequence varied = sequence;
  const std::size_t length = std::min(std::max<std::size_t>(sequence.size(), 8), most_steps);
  const std::size_t removed = random.below(4);
  for (std::size_t i = 0; i < removed && !varied.empty(); ++i) {
    varied.erase(varied.begin() + static_cast<std::ptrdiff_t>(random.below(varied.size())));
  }
  if (!varied.empty()) {
    Step& changed = varied[random.below(varied.size())];
    const std::size_t count = row_of(changed.kind).options[0].size();
    if (count > 1 && changed.kind != StepKind::make) {
      changed.options[0] = static_cast<std::uint8_t>(random.below(count));
    }
  }
  if (random.below(2) == 1) varied.resize(varied.size() - varied.size() / 4);
  Stage stage({});
  Sequence fitting;
  for (const Step& step : varied) {
    if (!stage.model().allows(step) || !fits_profile(profile, stage.model(), step)) continue;
    stage.add(step);
    fitting.push_back(step);
  }
  extend(fitting, profile, random, length + 2);
  return fitting;
}

}  // namespace dlspec::conformance
