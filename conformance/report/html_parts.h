// Shared by the parts of the HTML page. Internal to report/.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/report/folded.h>
#include <dlspec/conformance/report/matrix.h>

namespace dlspec::conformance {

// The style sheet of the page: light and dark, from 320 pixels on.
extern const char* const html_style;

[[nodiscard]] std::string html_code(std::string_view text);

// The command that repeats the record; "" where there is none. A browser breaks no line inside the name of an option.
[[nodiscard]] std::string html_command(const Record& record);

// The id of the rule as a link to its page.
[[nodiscard]] std::string html_rule(RuleId id);

// The text with the threads that it names, as "dmlc/dlpack#110", made links.
[[nodiscard]] std::string html_linked(std::string_view text);

// What a rule cites, with its threads and documents made links.
[[nodiscard]] std::string html_source(std::string_view source);

// A box that filters the findings by words; without scripts there is none.
extern const char* const html_search;

// One violated rule of a subject. `number` tells the findings of the page apart.
[[nodiscard]] std::string html_finding(const FoldedRule& folded, std::size_t number, bool is_open);

// Bytes that the pairs of a matrix share: each has an equal part, in which its cases stand in full, folded, or as the
// rules that are violated and the number of cases. With the table that leaves a page of 400 pairs under 500 kB.
inline constexpr std::size_t pairs_room = 320'000;

// A section for each pair, with the id that its cell of the table leads to.
[[nodiscard]] std::string html_pairs(const Matrix& matrix);

}  // namespace dlspec::conformance
