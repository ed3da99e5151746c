#include <dlspec/reference/testing/generators.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/reference/descriptor/overlap.h>
#include <dlspec/reference/descriptor/text.h>
#include <dlspec/reference/testing/specimen.h>
#include <dlspec/reference/validate/validate.h>

namespace dlspec::testing {
namespace {

RC_GTEST_PROP(Generators, ConformingTensorsBreakNoRule, ()) {
  const Descriptor descriptor = *conforming_descriptor();
  Specimen specimen(descriptor, is_padded(descriptor));
  RC_ASSERT(specimen.has_memory() || descriptor.null_data);
  Origin origin;
  origin.layout = &descriptor.layout;
  origin.padded = is_padded(descriptor);
  const auto memory = reinterpret_cast<std::uintptr_t>(specimen.memory().data());
  origin.allocation_begin = memory;
  origin.allocation_end = memory + specimen.memory().size();
  const Findings findings = reference::validate(specimen.exported(), &origin);
  RC_LOG() << reference::print_text(descriptor) << "\n";
  for (const Finding& finding : findings) RC_LOG() << rule(finding.rule).id << ": " << observed_text(finding) << "\n";
  RC_ASSERT(findings.empty());
}

RC_GTEST_PROP(Generators, InjectiveStridesAreInjective, ()) {
  Layout layout;
  layout.shape = *small_shape();
  layout.strides = *injective_strides(layout.shape);
  RC_ASSERT(reference::self_overlap(layout) == reference::Overlap::no);
}

RC_GTEST_PROP(Generators, SmallShapesAreSmall, ()) { RC_ASSERT(reference::element_count(*small_shape(50)) <= 50); }

RC_GTEST_PROP(Generators, SmallLayoutsStayBehindTheStartOfTheirMemory, ()) {
  const Layout layout = *small_layout();
  const auto reach = reference::reach(layout, reference::storage_bits(layout.dtype, false));
  if (!reach) return;  // not inside the assertion: there || does not stop at the first answer
  RC_ASSERT(reach->low_bytes + layout.byte_offset >= 0);
  RC_ASSERT(reach->high_bytes + layout.byte_offset < 1 << 20);
}

}  // namespace
}  // namespace dlspec::testing
