#include <dlspec/conformance/worker/native/native_sequence.h>

#include <algorithm>
#include <map>
#include <thread>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/oracle/ledger.h>
#include <dlspec/conformance/oracle/watch.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/native_case.h>
#include <dlspec/conformance/worker/native/sequence_arrays.h>
#include <dlspec/conformance/worker/native/sequence_observations.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr int first_loan = 1000;  // number of the first struct that is made for an import

class Carrying {
 public:
  Carrying(const DlspecPlugin& plugin, std::chrono::milliseconds patience) : plugin_(plugin), patience_(patience) {}
  ~Carrying() {
    for (auto& [number, array] : arrays_) plugin_.drop_import(array);
  }
  Carrying(const Carrying&) = delete;
  Carrying& operator=(const Carrying&) = delete;

  void apply(const Step& step) {
    step_ = &step;
    shown_ = 0;
    const std::uint64_t refused = result.refused;
    carry_out(step);
    observations.note(step, result.refused > refused, shown_);
    compare();
  }

  void end() {
    step_ = nullptr;
    compare_imports();
    for (const auto& [number, exported] : std::map(exports_)) {
      release(number, false);
      compare();
    }
    for (auto& [number, array] : arrays_) plugin_.drop_import(array);
    compare();
    await_loans();
  }

  NativeSequenceResult result;
  SequenceObservations observations;
  std::optional<SequenceReport::Finding> deviation;  // index and step are set at the end

 private:
  struct Export {
    Bytes shown;
    std::size_t item = 0;
    bool writable = false;
  };
  struct Loan {
    bool read_only = false;
    bool refused = false;
    Bytes shown;
  };

  void carry_out(const Step& step) {
    switch (step.kind) {
      case StepKind::make: make(step); break;
      case StepKind::export_: export_array(step); break;
      case StepKind::import_: import_array(step); break;
      case StepKind::take: taken_.insert(step.on.number); break;  // without a capsule nothing is renamed
      case StepKind::drop: drop(step); break;
      case StepKind::release: release(step.on.number, step.option(0) == "thread"); break;
      case StepKind::write: write(step); break;
      case StepKind::refuse: offer_unknown_dtype(step); break;
      default: ++result.refused; break;
    }
  }

  void deviate(RuleId rule, Role role, std::string observed, std::string allowed) {
    if (!deviation) deviation = {0, 0, rule, role, std::move(observed), std::move(allowed)};
  }

  void make(const Step& step) {
    Case work;
    work.order = sequence_order(step.option(0), step.option(1));
    NativeCase order(work);
    order.bytes = turned(order.bytes, order.layout.dtype.bits / 8U, made_++);
    arrays_.insert_or_assign(step.made.number, SequenceArray{std::move(order), step.option(2) == "own"});
  }

  void export_array(const Step& step) {
    const auto array = arrays_.find(step.on.number);
    if (array == arrays_.end() || array->second.imported != nullptr) return;
    const int generation = step.option(0) == "legacy" ? DLSPEC_LEGACY : DLSPEC_VERSIONED;
    void* const managed = plugin_.managed_of(array->second, generation);
    if (managed == nullptr) ++result.refused;
    if (managed == nullptr || !enter(step.made.number, exported_struct(managed, generation))) return;
    const LedgerEntry& entry = ledger_.entry(step.made.number);
    Export made{array->second.order.bytes, entry.item, false};
    made.writable = generation == DLSPEC_VERSIONED && (entry.flags & flags::read_only) == 0;
    if (!ledger_.expect(step.made.number, made.shown)) made.shown = ledger_.elements(step.made.number);
    exports_.insert_or_assign(step.made.number, std::move(made));
    shown_ = ledger_.looks(step.made.number);
  }

  bool enter(int number, const Exported& exported) {
    if (ledger_.enter(number, exported).empty()) return true;
    ++result.refused;
    if (!Watch::release_beside_watched(exported)) release_exported(exported);
    return false;
  }

  void import_array(const Step& step) {
    const auto source = arrays_.find(step.on.number);
    if (source == arrays_.end() || !plugin_.imports()) return;
    const int loan = lend(source->second);
    if (loan == 0) return;
    SequenceArray array = source->second;
    array.imported = take_in(loan);
    if (array.imported == nullptr) return;
    arrays_.insert_or_assign(step.made.number, array);
    shown_ = 1U + static_cast<unsigned>(ledger_.calls(loan));
    result.exercised.insert({RuleId::managed_deleter_once, RuleId::tensor_element_address});
    if (plugin_.shown_by(array) != array.order.bytes && imports_rightly(array))
      deviate(RuleId::tensor_element_address, Role::consumer, "the import shows other elements",
              "the elements that were offered");
  }

  // A struct for the plug-in, entered into the ledger; 0 when there is none.
  int lend(const SequenceArray& array) {
    void* const managed = plugin_.managed_of(array, DLSPEC_VERSIONED);
    const int number = first_loan + static_cast<int>(loans_.size());
    if (managed == nullptr || !enter(number, exported_struct(managed, DLSPEC_VERSIONED))) return 0;
    managed_[number] = managed;
    ledger_.give(number, Hands::theirs);
    loans_[number] = {array.own && array.order.read_only, false, array.order.bytes};
    return number;
  }

  // The plug-in's import of a loan; NULL when it refuses, after which it has released the struct.
  void* take_in(int loan) {
    void* imported = nullptr;
    if (plugin_.import(managed_[loan], imported)) return imported;
    plugin_.release_if_left(managed_[loan], ledger_.calls(loan));
    ++result.refused;
    loans_[loan].refused = true;
    return nullptr;
  }

  // Whether dlspec's own tensor of this layout shows its elements when it is imported by itself: otherwise the fault
  // does not depend on the sequence, and another case reports it.
  bool imports_rightly(const SequenceArray& array) {
    SequenceArray alone = array;
    alone.own = true;
    const int loan = lend(alone);
    alone.imported = loan != 0 ? take_in(loan) : nullptr;
    if (alone.imported == nullptr) return false;
    const bool right = plugin_.shown_by(alone) == alone.order.bytes;
    plugin_.drop_import(alone);
    return right;
  }

  void drop(const Step& step) {
    if (step.on.kind == HolderKind::export_) {
      if (!taken_.contains(step.on.number)) release(step.on.number, false);
      return;
    }
    const auto array = arrays_.find(step.on.number);
    if (array == arrays_.end()) return;
    plugin_.drop_import(array->second);
    arrays_.erase(array);
  }

  void release(int number, bool on_thread) {
    const auto exported = exports_.find(number);
    if (exported == exports_.end()) return;
    if (exports_.size() > 1) result.exercised.insert(RuleId::managed_exports_independent);
    exports_.erase(exported);
    if (on_thread) {
      std::thread([&] { ledger_.release(number); }).join();
    } else {
      ledger_.release(number);
    }
  }

  void write(const Step& step) {
    const auto exported = exports_.find(step.on.number);
    if (exported == exports_.end() || !exported->second.writable) return;
    exported->second.shown = turned(exported->second.shown, exported->second.item, 1);
    ledger_.write(step.on.number, exported->second.shown);
    (void)ledger_.expect(step.on.number, exported->second.shown);
  }

  // What a consumer cannot understand it refuses, and releases.
  void offer_unknown_dtype(const Step& step) {
    const auto source = arrays_.find(step.on.number);
    if (source == arrays_.end() || !plugin_.imports()) return;
    const int loan = lend(source->second);
    if (loan == 0) return;
    managed_tensor(exported_struct(managed_[loan], DLSPEC_VERSIONED)).dtype.code = 200;
    plugin_.release(take_in(loan));
  }

  RuleId rule_of(const LedgerDeviation& found) const {
    if (found.what == LedgerDeviation::What::description) return RuleId::tensor_metadata_constant;
    return RuleId::managed_exports_independent;
  }

  void compare() {
    while (const std::optional<LedgerDeviation> found = ledger_.check()) {
      const auto loan = loans_.find(found->number);
      const bool calls = found->what == LedgerDeviation::What::calls;
      const bool elements = found->what == LedgerDeviation::What::elements;
      if (loan == loans_.end()) {
        const bool made_now =
            step_ != nullptr && step_->kind == StepKind::export_ && step_->made.number == found->number;
        deviate(made_now ? RuleId::tensor_element_address : rule_of(*found), Role::producer,
                "e" + std::to_string(found->number) + ": " + found->observed +
                    (elements ? " is no longer what it was" : ""),
                "exports that nothing else changes");
      } else if (calls) {
        deviate(RuleId::managed_deleter_once, Role::consumer, "an import: " + found->observed,
                "one call of the deleter");
      } else if (elements && loan->second.read_only) {
        deviate(RuleId::flags_read_only_not_written, Role::consumer,
                "an import wrote " + found->observed + " of READ_ONLY memory", "READ_ONLY elements as they were");
      }
    }
  }

  void compare_imports() {
    for (const auto& [number, array] : std::map(arrays_)) {
      if (array.imported == nullptr) continue;
      result.exercised.insert(RuleId::managed_not_early);
      if (plugin_.shown_by(array) != array.order.bytes && imports_rightly(array))
        deviate(RuleId::managed_not_early, Role::consumer, "an import shows other elements than at first",
                "the imported elements for as long as the import lives");
    }
  }

  void await_loans() {
    const auto until = std::chrono::steady_clock::now() + patience_;
    for (const auto& [number, loan] : loans_) {
      while (ledger_.calls(number) == 0 && !ledger_.entry(number).null_deleter &&
             std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (ledger_.calls(number) > 0 || ledger_.entry(number).null_deleter) continue;
      deviate(
          loan.refused ? RuleId::managed_error_releases : RuleId::managed_deleter_once, Role::consumer,
          loan.refused ? "a refused tensor was not released" : "an import was given up, and its tensor not released",
          "one call of the deleter");
    }
  }

  SequencePlugin plugin_;
  std::chrono::milliseconds patience_;
  Ledger ledger_;
  std::map<int, SequenceArray> arrays_;
  std::map<int, Export> exports_;
  std::map<int, Loan> loans_;
  std::map<int, void*> managed_;
  std::set<int> taken_;
  std::size_t made_ = 0;
  const Step* step_ = nullptr;
  std::uint64_t shown_ = 0;  // of what the step under way made
};

}  // namespace

NativeSequenceResult carry_out(const DlspecPlugin& plugin, const Sequence& sequence,
                               const std::function<void(std::size_t)>& before, std::chrono::milliseconds patience) {
  Carrying carrying(plugin, patience);
  std::size_t number = 0;
  for (; number < sequence.size() && !carrying.deviation; ++number) {
    before(number);
    carrying.apply(sequence[number]);
  }
  if (!carrying.deviation) {
    before(sequence.size());
    carrying.end();
    number = sequence.size() + 1;
  }
  NativeSequenceResult result = std::move(carrying.result);
  result.observations = std::move(carrying.observations.numbers());
  result.finding = std::move(carrying.deviation);
  if (result.finding) result.finding->step = number - 1;
  return result;
}

}  // namespace dlspec::conformance
