// Structs from their text form, and the rules that the validator finds violated in them: for the tests of rules.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/reference/descriptor/text.h>
#include <dlspec/reference/testing/specimen.h>
#include <dlspec/reference/validate/validate.h>

namespace dlspec::testing {

using Rules = std::vector<RuleId>;

inline Descriptor parse(const std::string& text) {
  const auto parsed = reference::parse_text(text);
  EXPECT_TRUE(std::holds_alternative<Descriptor>(parsed)) << text;
  return std::get<Descriptor>(parsed);
}

inline Specimen make(const std::string& text) { return Specimen(parse(text)); }

inline Rules rules_of(const Findings& findings) {
  Rules found;
  for (const Finding& finding : findings) found.push_back(finding.rule);
  return found;
}

inline Rules rules_of(const Specimen& specimen, const Origin* origin = nullptr) {
  return rules_of(reference::validate(specimen.exported(), origin));
}

}  // namespace dlspec::testing
