// Plug-ins that are faulty under a condition and clean otherwise, as selfcheck/conditional/ measures them.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <span>

#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/limits.h>

#include "subjects.h"

namespace dlspec::zoo {
namespace {

using conformance::exported_struct;

// What is known when a tensor is made or imported. No tensor: the struct does not say what it is.
struct Moment {
  bool versioned = false;
  int made = 0;  // before this one
  int live = 0;  // of these, imports that were not released
  bool has_tensor = false;
  std::uint8_t code = 0, bits = 0;
  std::span<const std::int64_t> shape;
  const std::int64_t* strides = nullptr;  // NULL: compact
  bool offset = false;
  bool read_only = false;

  template <class Test>
  [[nodiscard]] bool any_stride(Test test) const {
    for (std::size_t axis = 0; strides != nullptr && axis < shape.size(); ++axis) {
      if (shape[axis] > 1 && test(strides[axis])) return true;
    }
    return false;
  }
  [[nodiscard]] bool is_empty() const { return std::find(shape.begin(), shape.end(), 0) != shape.end(); }
  [[nodiscard]] bool is_strided() const {
    std::int64_t step = 1;
    for (std::size_t axis = shape.size(); strides != nullptr && !is_empty() && axis-- > 0;) {
      if (shape[axis] > 1 && strides[axis] != step) return true;
      step *= shape[axis];
    }
    return false;
  }
};

struct Condition {
  const char* name;  // of selfcheck/conditional/python/predicates.py
  bool (*holds)(const Moment& moment);
  bool of_tensor = true;
};
constexpr Condition conditions[] = {
    {"always", [](const Moment&) { return true; }, false},
    {"never", [](const Moment&) { return false; }, false},
    {"legacy", [](const Moment& moment) { return !moment.versioned; }, false},
    {"versioned", [](const Moment& moment) { return moment.versioned; }, false},
    {"again", [](const Moment& moment) { return moment.made > 0; }, false},
    {"alive", [](const Moment& moment) { return moment.live > 0; }, false},
    {"released", [](const Moment& moment) { return moment.made > moment.live; }, false},
    {"scalar", [](const Moment& moment) { return moment.shape.empty(); }},
    {"vector", [](const Moment& moment) { return moment.shape.size() == 1; }},
    {"high-rank", [](const Moment& moment) { return moment.shape.size() > 4; }},
    {"offset", [](const Moment& moment) { return moment.offset; }},
    {"negative", [](const Moment& moment) { return moment.any_stride([](std::int64_t step) { return step < 0; }); }},
    {"broadcast", [](const Moment& moment) { return moment.any_stride([](std::int64_t step) { return step == 0; }); }},
    {"strided", [](const Moment& moment) { return moment.is_strided(); }},
    {"empty", [](const Moment& moment) { return moment.is_empty(); }},
    {"int16", [](const Moment& moment) { return moment.code == kDLInt && moment.bits == 16; }},
    {"eight-bytes", [](const Moment& moment) { return moment.bits == 64; }},
    {"readonly", [](const Moment& moment) { return moment.read_only; }},
};

// The two plug-ins, and the condition. Workers use a plug-in on several threads, but make and import on one.
struct State {
  DlspecPlugin clean;
  DlspecPlugin faulty;
  const Condition* condition = nullptr;
  int made = 0;
  int live = 0;
};
State state;

// Where the measurement looks whether the condition was met.
void note() {
  const char* const place = std::getenv("DLSPEC_CONDITION_MET");
  if (place != nullptr) std::ofstream(place, std::ios::app).flush();
}

const DlspecPlugin& chosen(const Moment& moment) {
  const bool holds = (moment.has_tensor || !state.condition->of_tensor) && state.condition->holds(moment);
  if (holds) note();
  return holds ? state.faulty : state.clean;
}

Moment moment_of(const DlspecSpec& spec, int generation) {
  return {generation == DLSPEC_VERSIONED,
          state.made,
          0,
          true,
          spec.code,
          spec.bits,
          {spec.shape, static_cast<std::size_t>(spec.ndim)},
          spec.strides,
          spec.offset != 0,
          spec.read_only != 0};
}

Moment moment_of(const Exported& exported) {
  const bool versioned = exported.generation() == Generation::versioned;
  Moment moment;
  moment.versioned = versioned;
  moment.made = state.made;
  moment.live = state.live;
  if (versioned && exported.versioned().version.major != abi::newest_version.major) return moment;
  const abi::Tensor& tensor = conformance::managed_tensor(exported);
  if (tensor.ndim < 0 || tensor.ndim > max_rank || (tensor.ndim > 0 && tensor.shape == nullptr)) return moment;
  moment.has_tensor = true;
  moment.code = tensor.dtype.code;
  moment.bits = tensor.dtype.bits;
  moment.shape = {tensor.shape, static_cast<std::size_t>(tensor.ndim)};
  moment.strides = tensor.strides;
  moment.offset = tensor.byte_offset != 0;
  moment.read_only = versioned && (exported.versioned().flags & flags::read_only) != 0;
  return moment;
}

int make(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  const int status = chosen(moment_of(*spec, generation)).make(spec, generation, exported, reason);
  if (status == DLSPEC_OK) ++state.made;
  return status;
}

// An import, and who made it.
struct Held {
  const DlspecPlugin* by;
  void* array = nullptr;
};

int import_tensor(void* managed, int generation, void** array, const char** reason) {
  auto* const held = new Held{&chosen(moment_of(exported_struct(managed, generation)))};
  const int status = held->by->import_tensor(managed, generation, &held->array, reason);
  if (status == DLSPEC_OK) {
    ++state.made;
    ++state.live;
    *array = held;
  } else {
    delete held;
  }
  return status;
}

int contents(void* array, void* bytes, std::size_t byte_count) {
  const Held& held = *static_cast<Held*>(array);
  return held.by->contents(held.array, bytes, byte_count);
}

void release(void* array) {
  auto* const held = static_cast<Held*>(array);
  --state.live;
  held->by->release(held->array);
  delete held;
}

}  // namespace

const DlspecPlugin* under_condition(std::string_view name, std::string_view condition) {
  const auto found = std::find_if(std::begin(conditions), std::end(conditions),
                                  [&](const Condition& each) { return condition == each.name; });
  if (found == std::end(conditions)) return nullptr;
  state.condition = found;
  state.clean = *find_plugin("clean");
  const DlspecPlugin* const faulty = find_plugin(name);
  if (faulty == nullptr) return nullptr;
  state.faulty = *faulty;
  static DlspecPlugin plugin = state.clean;
  plugin.make = make;
  plugin.import_tensor = import_tensor;
  plugin.contents = contents;
  plugin.release = release;
  plugin.bridge = nullptr;
  return &plugin;
}

}  // namespace dlspec::zoo
