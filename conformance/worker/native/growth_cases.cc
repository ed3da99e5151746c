// Producers: what exports and refusals leave in the heap.
#include <dlspec/conformance/worker/native/growth_cases.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include <dlspec/conformance/oracle/unknown_values.h>
#include <dlspec/conformance/oracle/watch.h>
#include <dlspec/conformance/platform/heap.h>
#include <dlspec/conformance/worker/native/producer_trial.h>
#include <dlspec/conformance/worker/native/steady_growth.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

// By how many bytes the heap grows with each export that is made and released, or refused.
std::size_t growth_of_each(const DlspecPlugin& plugin, const NativeCase& asked, Generation generation,
                           std::size_t cycles, abi::Device device = {kDLCPU, 0}) {
  return growth_of(cycles, [&] { PluginExport(plugin, asked, generation, device).release(); });
}

// The same order of one axis.
NativeCase of_extent(const NativeCase& asked, std::size_t extent) {
  NativeCase longer = asked;
  longer.layout.shape = {static_cast<std::int64_t>(extent)};
  longer.layout.strides.reset();
  longer.layout.byte_offset = 0;
  longer.offset = 0;
  longer.bytes.assign(extent * item_size(longer.layout.dtype), 0);
  return longer;
}

// What exports leave behind that were released.
enum class Left : std::uint8_t { nothing, own, owner };

// Told apart by a larger array: what grows with it is the owner's, the rest the export's own.
Left left_behind(const DlspecPlugin& plugin, const NativeCase& asked, Generation generation, std::size_t cycles) {
  const std::size_t small = growth_of_each(plugin, asked, generation, cycles);
  if (small == 0) return Left::nothing;
  const NativeCase larger = of_extent(asked, 1024);
  const std::size_t large = growth_of_each(plugin, larger, generation, 50);
  return large >= small + larger.bytes.size() / 2 ? Left::owner : Left::own;
}

// True when the memory of arrays of 1 MiB stays: a library may treat large blocks in another way than small ones. Asked
// with the plainest order alone.
bool keeps_large_arrays(const DlspecPlugin& plugin, const NativeCase& asked) {
  if (asked.variant != "many-consumed" || asked.layout.strides || asked.layout.shape.size() != 2) return false;
  const NativeCase large = of_extent(asked, (std::size_t{1} << 20) / item_size(asked.layout.dtype));
  return growth_of_each(plugin, large, Generation::versioned, 4) >= large.bytes.size() / 2;
}

// True when what an export leaves behind can be counted. Otherwise the case is answered.
bool can_count(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  PluginExport made(plugin, asked, Generation::versioned);
  if (!made.made()) {
    answer.rest_unsupported(made.reason());
    return false;
  }
  const bool counted = made.watch() != nullptr && !made.watch()->null_deleter() && heap_bytes() != 0;
  if (!counted) answer.rest_not_applicable();
  return counted;
}

// Exports that are released as a consumer releases them: afterwards neither the array's memory nor the export's own is
// in use. Many cycles show small blocks.
void judge_released(const DlspecPlugin& plugin, const NativeCase& asked, std::size_t cycles, NativeAnswer& answer) {
  if (!can_count(plugin, asked, answer)) return;
  Left left = left_behind(plugin, asked, Generation::versioned, cycles);
  const char* kind = "";
  if (left == Left::nothing && PluginExport(plugin, asked, Generation::legacy).made()) {
    left = left_behind(plugin, asked, Generation::legacy, cycles);
    kind = "legacy ";
  }
  if (left == Left::nothing && keeps_large_arrays(plugin, asked)) left = Left::owner;
  if (left == Left::own) answer.blocked(RuleId::managed_owner_balanced, "by managed.deleter-frees-self");
  if (left == Left::owner) answer.blocked(RuleId::managed_deleter_frees_self, "by managed.owner-balanced");
  if (left != Left::own) {
    answer.decide(RuleId::managed_owner_balanced, left == Left::nothing,
                  fmt::format("each {}export that was made and released left the array's memory behind", kind),
                  "as much memory in use as before the export");
  }
  if (left != Left::owner) {
    answer.decide(RuleId::managed_deleter_frees_self, left == Left::nothing,
                  fmt::format("each {}export that was made and released left memory behind, "
                              "the same for arrays of any size",
                              kind),
                  "nothing that stays");
  }
}

// By how many bytes the heap grows with each export that another thread releases, beyond what grows where the exporting
// one does; 0 when it does not grow steadily. `together` exports live at a time.
std::size_t growth_by_threads(const DlspecPlugin& plugin, const NativeCase& asked, Generation generation,
                              bool elsewhere, std::size_t together, std::size_t rounds) {
  constexpr std::size_t block = 32;  // over so few rounds the arenas of threads grow by less
  const auto round = [&] {
    std::vector<std::unique_ptr<PluginExport>> all;
    for (std::size_t i = 0; i < together; ++i) {
      all.push_back(std::make_unique<PluginExport>(plugin, asked, generation));
    }
    const auto release = [&] {
      for (const auto& each : all) each->release();
    };
    elsewhere ? std::thread(release).join() : release();
  };
  return growth_of(rounds, round, together, block);
}

// What is released on other threads: the ordered array, one of two pages, and one of 1 MiB, for which a library may
// have other pools.
struct Crowd {
  std::size_t bytes;  // 0: the ordered array
  std::size_t together, rounds;
};
constexpr Crowd crowds[] = {{0, 32, 16}, {8192, 32, 4}, {std::size_t{1} << 20, 4, 1}};

// Orders that most libraries refuse. A library that makes one is not asked about it.
struct Refusable {
  const char* what;
  abi::DataType dtype{kDLFloat, 32, 1};
  abi::Device device{kDLCPU, 0};
  Generation generation = Generation::versioned;
  bool read_only = false;
};
constexpr Refusable refusables[] = {
    {"of an unknown dtype", {unknown_dtype_code, 32, 1}},
    {"of opaque handles", {kDLOpaqueHandle, 32, 1}},
    {"on an unknown device", {kDLFloat, 32, 1}, {unknown_device_type, 0}},
    {"on a WebGPU device", {kDLFloat, 32, 1}, {kDLWebGPU, 0}},
    {"that is read-only, in a legacy struct", {kDLFloat, 32, 1}, {kDLCPU, 0}, Generation::legacy, true},
};

}  // namespace

void released_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  judge_released(plugin, asked, 200, answer);
}

void released_often_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  judge_released(plugin, asked, 3000, answer);
}

// The same where the deleters are called on other threads than the one that exports.
void released_elsewhere_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  if (!can_count(plugin, asked, answer)) return;
  // On paths the ordered array alone: larger ones come from the same pools there.
  const bool is_ordinary = asked.variant == "many-consumed=thread";
  for (const Crowd& crowd : crowds) {
    if (crowd.bytes != 0 && !is_ordinary) break;
    const NativeCase array = crowd.bytes == 0 ? asked : of_extent(asked, crowd.bytes / item_size(asked.layout.dtype));
    for (const Generation generation : {Generation::versioned, Generation::legacy}) {
      if (!PluginExport(plugin, array, generation).made()) continue;
      // Of the larger arrays, their memory counts: over so few rounds less is what threads allocate from.
      const auto growth = [&](bool elsewhere) -> std::size_t {
        const std::size_t left = growth_by_threads(plugin, array, generation, elsewhere, crowd.together, crowd.rounds);
        return left >= crowd.bytes / 2 ? left : 0;
      };
      const std::size_t left = growth(true);
      if (left == 0) continue;
      if (growth(false) != 0) return answer.rest_blocked("by what released exports leave behind");
      if (growth(true) == 0) continue;  // the arenas of threads grow once
      return answer.rest_violated(
          fmt::format("each {} export of {} bytes that was released on another thread left {} bytes behind",
                      generation == Generation::legacy ? "legacy" : "versioned", array.bytes.size(), left),
          "as much memory in use as before the export");
    }
  }
  answer.rest_pass();
}

// Nothing of an export that was refused stays. A library whose exports all leave something behind is judged for that.
void refusals_kept_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  constexpr std::size_t cycles = 200;
  if (!can_count(plugin, asked, answer)) return;
  if (growth_of_each(plugin, asked, Generation::versioned, cycles) != 0)
    return answer.rest_blocked("by what released exports leave behind");
  bool refused = false;
  for (const Refusable& each : refusables) {
    NativeCase order = asked;
    order.layout.dtype = each.dtype;
    order.read_only = each.read_only;
    if (PluginExport(plugin, order, each.generation, each.device).made()) continue;
    refused = true;
    const std::size_t left = growth_of_each(plugin, order, each.generation, cycles, each.device);
    if (left == 0) continue;
    return answer.rest_violated(fmt::format("each refusal of an array {} left {} bytes behind", each.what, left),
                                "as much memory in use as before the refusal");
  }
  refused ? answer.rest_pass() : answer.rest_not_applicable();
}

}  // namespace dlspec::conformance
