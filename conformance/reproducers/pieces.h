// What scripts and programs share: their headings, and which piece shows a fault.
#pragma once

#include <string>
#include <string_view>

#include <dlspec/conformance/core/record.h>
#include <dlspec/conformance/reproducers/templates.h>

namespace dlspec::conformance {

[[nodiscard]] bool is_death(Verdict status);

// The comment at the top, each line behind `mark`: whose fault it is, what was seen, and what the exit statuses mean.
[[nodiscard]] std::string heading(std::string_view mark, const std::string& title, const Case& work,
                                  const Record& record);

// The piece that shows the fault; where a crash or a hang has none of its own, the piece `died`. Else NULL.
[[nodiscard]] const Piece* piece_for(const Templates& templates, const Case& work, const Record& record);

}  // namespace dlspec::conformance
