// The reference validator and the optimized one on the same structs, and the byte span of layouts computed by both.
// Before a case is timed, both must agree, a validator with the expected number of findings.
#include <benchmark/benchmark.h>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <dlspec/optimized/descriptor/extent.h>
#include <dlspec/optimized/validate/validate.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/descriptor/text.h>
#include <dlspec/reference/testing/faulty.h>
#include <dlspec/reference/testing/specimen.h>
#include <dlspec/reference/validate/validate.h>
#include <dlspec/vocabulary/dtype.h>

#include "comparison.h"

namespace {

using dlspec::Exported;
using dlspec::Findings;
using dlspec::Origin;

// A struct with its source; `owner` keeps both alive.
struct Case {
  std::shared_ptr<void> owner;
  Exported exported;
  const Origin* origin;
  std::size_t findings;
};

bool is_as_expected(const Case& item) {
  const Findings expected = dlspec::reference::validate(item.exported, item.origin);
  return expected.size() == item.findings && expected == dlspec::optimized::validate(item.exported, item.origin);
}

template <auto validate>
void time_validation(benchmark::State& state, const Case& item) {
  if (!is_as_expected(item)) {
    state.SkipWithError("the findings are not the expected ones");
    return;
  }
  for ([[maybe_unused]] auto _ : state) {
    Exported asked = item.exported;
    benchmark::DoNotOptimize(asked);
    Findings findings = validate(asked, item.origin);
    benchmark::DoNotOptimize(findings);
  }
}

void add_case(const std::string& name, const Case& item) {
  dlspec::bench::add_case(
      name, [=](benchmark::State& state) { time_validation<dlspec::reference::validate>(state, item); },
      [=](benchmark::State& state) { time_validation<dlspec::optimized::validate>(state, item); });
}

void add_good(const std::string& name, const std::string& text, std::size_t data_shift = 0) {
  const auto parsed = dlspec::reference::parse_text(text);
  auto specimen = std::make_shared<dlspec::testing::Specimen>(std::get<dlspec::Descriptor>(parsed));
  dlspec::abi::Tensor& tensor = specimen->tensor();
  tensor.data = static_cast<char*>(tensor.data) + data_shift;
  add_case(name + ": " + text, {specimen, specimen->exported(), nullptr, data_shift == 0 ? 0u : 1u});
}

void add_ranks() {
  static constexpr const char* layouts[] = {"()",
                                            "(8):(1)",
                                            "(4,8):(8,1)",
                                            "(2,4,8):(32,8,1)",
                                            "(2,3,4,8):(96,32,8,1)",
                                            "(2,2,3,4,8):(192,96,32,8,1)",
                                            "(2,2,2,3,4,8):(384,192,96,32,8,1)",
                                            "(2,2,2,2,3,4,8):(768,384,192,96,32,8,1)",
                                            "(2,2,2,2,2,3,4,8):(1536,768,384,192,96,32,8,1)"};
  for (const char* layout : layouts) add_good("good", std::string("float32 ") + layout + " @cpu v1.3");
  add_good("good", "float32 (2,3,4,8) @cpu legacy");
  add_good("off by 64 bytes", "float32 (2,3,4,8):(96,32,8,1) @cpu v1.3", 64);
}

// One struct of every group, and the expensive ones.
void add_faulty() {
  using dlspec::RuleId;
  static constexpr RuleId wanted[] = {RuleId::version_major_published,  RuleId::device_type_known,
                                      RuleId::dtype_bits_nonzero,       RuleId::tensor_strides_not_null,
                                      RuleId::tensor_numel_no_overflow, RuleId::tensor_in_allocation,
                                      RuleId::flags_undefined_bits_zero};
  for (const RuleId rule : wanted) {
    for (const dlspec::testing::FaultyRow& row : dlspec::testing::faulty_table()) {
      if (row.rule != rule) continue;
      auto exhibit = std::make_shared<dlspec::testing::Exhibit>(build(row));
      add_case("faulty: " + row_name(row), {exhibit, exhibit->exported(), exhibit->origin(), 1});
      break;
    }
  }
}

// The byte span of a layout.
struct Extent {
  dlspec::Layout layout;

  [[nodiscard]] dlspec::optimized::ByteRange fast() const {
    dlspec::optimized::ByteRange range;
    const dlspec::Status status = byte_range(dlspec::optimized::View(layout), range);
    return status == dlspec::Status::ok ? range : dlspec::optimized::ByteRange{};
  }
  [[nodiscard]] std::optional<dlspec::reference::Reach> slow() const {
    return dlspec::reference::reach(dlspec::reference::Axes(layout), dlspec::element_bits(layout.dtype));
  }
  [[nodiscard]] bool agrees() const {
    const auto expected = slow();
    const auto found = fast();
    return expected && found.end != 0 && expected->low_bytes == found.begin && expected->high_bytes == found.end;
  }
};

template <auto ask>
void time_extent(benchmark::State& state, const Extent& extent) {
  if (!extent.agrees()) {
    state.SkipWithError("the answers differ");
    return;
  }
  for ([[maybe_unused]] auto _ : state) {
    const Extent* asked = &extent;
    benchmark::DoNotOptimize(asked);
    auto found = (asked->*ask)();
    benchmark::DoNotOptimize(found);
  }
}

void add_extents() {
  static constexpr const char* layouts[] = {"()", "(8):(1)", "(2,3,4,8):(96,32,8,1)", "(2,3,4,8):(-96,8,-32,1)",
                                            "(2,2,2,2,2,3,4,8):(1536,768,384,192,96,32,8,1)"};
  for (const char* layout : layouts) {
    const std::string text = std::string("float32 ") + layout + " @cpu v1.3";
    const auto parsed = dlspec::reference::parse_text(text);
    const Extent extent{std::get<dlspec::Descriptor>(parsed).layout};
    dlspec::bench::add_case(
        "extent: " + text, [=](benchmark::State& state) { time_extent<&Extent::slow>(state, extent); },
        [=](benchmark::State& state) { time_extent<&Extent::fast>(state, extent); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  add_ranks();
  add_faulty();
  add_extents();
  return dlspec::bench::run_comparison(argc, argv, "reference", "optimized");
}
