// The table of faulty structs in process: both validators on each row, its twin, and every pair of rows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

struct StructChecks {
  std::size_t rows = 0;            // of the table, each with its twin
  std::size_t pairs = 0;           // of rows that can meet in one struct
  std::size_t masked = 0;          // of these, pairs that do not show both rules, as the tables say
  std::vector<std::string> wrong;  // a sentence each: what was found, and what was declared
};

// Rows and pairs of rules that match, one of a pair at least. With "*" a row of pairs.def that is never used is wrong.
[[nodiscard]] StructChecks check_structs(std::string_view rules);

}  // namespace dlspec::conformance
