#include <dlspec/conformance/reproducers/pieces.h>

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/core/text.h>

namespace dlspec::conformance {

namespace {

// The text as a comment, line by line.
std::string comment(std::string_view mark, std::string_view label, const std::string& text) {
  std::string commented;
  std::istringstream lines(clean_text(text));
  for (std::string line; std::getline(lines, line);) {
    commented += fmt::format("{}   {:9} {}\n", mark, commented.empty() ? label : "", line);
  }
  return commented;
}

// What the workers allow where guard pages show an access outside the tensor: a script has no guard pages.
constexpr std::string_view allowed_access = "no access beside the elements, extents and strides";

}  // namespace

bool is_death(Verdict status) { return status == Verdict::crash || status == Verdict::timeout; }

std::string heading(std::string_view mark, const std::string& title, const Case& work, const Record& record) {
  const Rule& violated = rule(record.rule);
  std::string name = clean_text(title, 100);
  std::replace(name.begin(), name.end(), '\n', ' ');
  std::string text =
      fmt::format("{0} {1}, {2}: {3}\n{0}   {4}\n", mark, name, role_name(work.role), violated.id, violated.title);
  text += comment(mark, "observed", record.observed) + comment(mark, "allowed", record.allowed) +
          comment(mark, "source", violated.source);
  text += fmt::format("{}   case      {} of dlspec\n", mark, work.id);
  text += fmt::format(
      "{} Exit status: 1 the fault is there, 0 it is not there, 77 the library is missing, 2 it could not be tried.\n",
      mark);
  return text;
}

const Piece* piece_for(const Templates& templates, const Case& work, const Record& record) {
  const Piece* piece = templates.find(work.role, rule(record.rule).id, work.variant);
  if (record.allowed == allowed_access) return nullptr;
  // No script has what surrounds the exchange, or an array of another device.
  const bool is_surrounded = work.variant.starts_with("path:") || work.variant.starts_with("onward");
  if (is_surrounded || work.variant == "device-to-host") return nullptr;
  if (piece != nullptr || !is_death(record.status)) return piece;
  constexpr std::string_view ordinary[] = {"versioned", "legacy", "plain"};
  const bool is_plain = std::find(std::begin(ordinary), std::end(ordinary), work.variant) != std::end(ordinary);
  const bool is_known = is_plain || templates.of(work.role).keywords.contains(work.variant);
  return is_known ? templates.find(work.role, "died", work.variant) : nullptr;
}

}  // namespace dlspec::conformance
