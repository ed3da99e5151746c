// A struct and its source, both from their text form: for the tests of what an Origin adds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <dlspec/reference/testing/found_rules.h>

namespace dlspec::testing {

// The struct, and its source.
struct StructAndSource {
  Specimen specimen;
  Layout source;
  Origin origin;

  StructAndSource(const std::string& struct_text, const std::string& source_text)
      : specimen(parse(struct_text)), source(parse(source_text).layout) {
    origin.layout = &source;
  }

  [[nodiscard]] Rules rules() const { return rules_of(specimen, &origin); }

  // The allocation is this number of bytes from the start of the data.
  StructAndSource& with_allocation(std::size_t size) {
    origin.allocation_begin = reinterpret_cast<std::uintptr_t>(specimen.tensor().data);
    origin.allocation_end = origin.allocation_begin + size;
    return *this;
  }
};

inline Rules judge(const std::string& struct_text, const std::string& source_text) {
  return StructAndSource(struct_text, source_text).rules();
}

}  // namespace dlspec::testing
