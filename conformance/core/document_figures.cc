// Counts over the records of a document.
#include <algorithm>
#include <vector>

#include <dlspec/conformance/core/document.h>

namespace dlspec::conformance {
namespace {

bool is_exercised(Verdict status) {
  return status != Verdict::unsupported && status != Verdict::not_applicable && status != Verdict::blocked &&
         status != Verdict::skipped;
}

}  // namespace

RuleFigures rule_figures(const Document& document) {
  std::vector<bool> exercised(rules().size());
  for (const Record& record : document.results) {
    if (is_exercised(record.status)) exercised[static_cast<std::size_t>(record.rule)] = true;
  }
  RuleFigures figures;
  figures.specified = static_cast<std::uint32_t>(rules().size());
  figures.checked = static_cast<std::uint32_t>(
      std::count_if(rules().begin(), rules().end(), [](const Rule& row) { return row.coverage == Coverage::checked; }));
  figures.tested = document.tested;
  for (const Rule& row : rules()) {
    if (exercised[static_cast<std::size_t>(row.rule)]) figures.exercised_ids.emplace_back(row.id);
  }
  return figures;
}

Summary summarize(std::span<const Record> records) {
  Summary summary{};
  for (const Record& record : records) ++summary[static_cast<std::size_t>(record.status)];
  return summary;
}

Summary summarize(std::span<const Record> records, std::string_view subject) {
  Summary summary{};
  for (const Record& record : records) {
    if (record.subject == subject) ++summary[static_cast<std::size_t>(record.status)];
  }
  return summary;
}

}  // namespace dlspec::conformance
