// Properties: a conforming tensor has no finding; a fault added to it is found, and the finding goes with the fault; of
// hostile tensors no pointer is followed.
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/reference/descriptor/text.h>
#include <dlspec/reference/testing/faulty.h>
#include <dlspec/reference/testing/generators.h>
#include <dlspec/reference/testing/specimen.h>
#include <dlspec/reference/validate/validate.h>

namespace dlspec::reference {
namespace {

using testing::Field;
using testing::Specimen;

std::vector<std::string> rules_of(const Findings& findings) {
  std::vector<std::string> ids;
  for (const Finding& finding : findings) ids.emplace_back(rule(finding.rule).id);
  return ids;
}

// The origin of a truthful tensor.
Origin origin_of(const Descriptor& descriptor, Specimen& specimen) {
  const bool versioned = descriptor.generation == Generation::versioned;
  const auto says = [&](std::uint64_t bit) {
    return !versioned ? Known::unknown : (descriptor.flags & bit) != 0 ? Known::yes : Known::no;
  };
  Origin origin{.layout = &descriptor.layout, .read_only = says(flags::read_only), .copied = says(flags::is_copied)};
  origin.padded = testing::is_padded(descriptor);
  origin.allocation_begin = reinterpret_cast<std::uintptr_t>(specimen.memory().data());
  origin.allocation_end = origin.allocation_begin + specimen.memory().size();
  return origin;
}

RC_GTEST_PROP(Conforming, HasNoFinding, ()) {
  const Descriptor descriptor = *testing::conforming_descriptor();
  RC_LOG(print_text(descriptor));
  Specimen specimen(descriptor, testing::is_padded(descriptor));
  const Origin origin = origin_of(descriptor, specimen);
  RC_ASSERT(rules_of(validate(specimen.exported())) == std::vector<std::string>{});
  RC_ASSERT(rules_of(validate(specimen.exported(), &origin)) == std::vector<std::string>{});
}

// A change that violates a rule in any tensor.
struct Fault {
  RuleId rule;
  Field field;
  std::int64_t value;
  bool versioned_only;
  bool needs_an_axis;
};

constexpr Fault faults[] = {
    {RuleId::version_filled, Field::version_major, 0, true, false},
    {RuleId::version_major_published, Field::version_major, 2, true, false},
    {RuleId::flags_undefined_bits_zero, Field::flags, 8, true, false},
    {RuleId::device_type_known, Field::device_type, 22, false, false},
    {RuleId::device_id_nonnegative, Field::device_id, -1, false, false},
    {RuleId::device_id_zero_host, Field::device_id, 1, false, false},
    {RuleId::dtype_code_known, Field::dtype_code, 19, false, false},
    {RuleId::dtype_lanes_positive, Field::dtype_lanes, 0, false, false},
    {RuleId::dtype_opaque_refused, Field::dtype_code, 3, false, false},
    {RuleId::tensor_ndim_nonnegative, Field::ndim, -1, false, false},
    {RuleId::tensor_ndim_cap_refused, Field::ndim, 65, false, false},
    {RuleId::tensor_shape_nonnull, Field::shape, 0, false, true},
    {RuleId::abi_shape_int64, Field::shape, 4, false, true},
    {RuleId::tensor_extent_nonnegative, Field::extent, -1, false, true},
};

RC_GTEST_PROP(Conforming, AFaultIsFoundAndGoesWithIt, ()) {
  const Descriptor descriptor = *testing::conforming_descriptor();
  const Fault fault = *testing::any_of(faults);
  RC_PRE(!fault.versioned_only || descriptor.generation == Generation::versioned);
  RC_PRE(!fault.needs_an_axis || !descriptor.layout.shape.empty());
  RC_LOG(print_text(descriptor) + ", rule " + rule(fault.rule).id);
  Specimen specimen(descriptor, testing::is_padded(descriptor));
  const abi::Tensor tensor = specimen.tensor();
  const abi::v1::ManagedTensor managed = specimen.versioned();
  const std::vector<std::int64_t> shape = specimen.shape();

  testing::alter(specimen, fault.field, fault.value);
  RC_ASSERT(validate(specimen.exported()).contains(fault.rule));

  specimen.versioned().version = managed.version;
  specimen.versioned().flags = managed.flags;
  specimen.tensor() = tensor;
  specimen.shape() = shape;
  RC_ASSERT(validate(specimen.exported()).empty());
}

RC_GTEST_PROP(Anything, IsJudgedInRuleOrderByRowsOfTheTable, ()) {
  const Descriptor descriptor = *testing::any_descriptor();
  RC_LOG(print_text(descriptor));
  const Specimen specimen(descriptor);
  const Descriptor source = *testing::any_descriptor();
  const Origin origin{.layout = &source.layout, .read_only = Known::yes, .copied = Known::no, .padded = true};
  const Findings findings = validate(specimen.exported(), &origin);
  for (const Finding& finding : findings) {
    const FindingRow& row = finding_row(finding);
    RC_ASSERT(row.rule == finding.rule);
    RC_ASSERT(row.variant == finding.variant);
  }
  for (std::size_t i = 1; i < findings.size(); ++i) RC_ASSERT(findings[i - 1].rule < findings[i].rule);
  RC_ASSERT(validate(specimen.exported(), &origin) == findings);
}

// An axis of extent 1 changes no finding, whatever its position and its stride.
RC_GTEST_PROP(Anything, IsJudgedAlikeWithAnAxisOfOneExtentMore, ()) {
  const Descriptor descriptor = *testing::any_descriptor();
  const std::size_t rank = descriptor.layout.shape.size();
  RC_PRE(rank > 0 && rank < 64);
  const auto axis = static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, rank + 1));
  Descriptor longer = descriptor;
  longer.layout.shape.insert(longer.layout.shape.begin() + axis, 1);
  if (auto& strides = longer.layout.strides) strides->insert(strides->begin() + axis, *testing::any_number());
  RC_LOG(print_text(descriptor) + "\n" + print_text(longer));
  Specimen first(descriptor);
  Specimen second(longer);
  second.tensor().data = first.tensor().data;
  RC_ASSERT(rules_of(validate(first.exported())) == rules_of(validate(second.exported())));
}

}  // namespace
}  // namespace dlspec::reference
