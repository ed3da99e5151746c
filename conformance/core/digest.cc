#include <dlspec/conformance/core/digest.h>

#include <fmt/format.h>

#include <dlspec/conformance/core/hash.h>
#include <dlspec/conformance/core/text.h>

namespace dlspec::conformance {

std::string results_digest(const Document& document) {
  std::uint64_t hash = fnv_offset_basis;
  // A zero byte ends each text, so that none runs into the next.
  const auto add = [&hash](std::string_view text) { hash = fnv1a(std::string_view("\0", 1), fnv1a(text, hash)); };
  for (const Record& record : document.results) {
    for (const std::string* text : {&record.subject, &record.producer, &record.consumer, &record.case_id})
      add(clean_text(*text));
    add(role_name(record.role));
    add(rule(record.rule).id);
    add(verdict_name(record.status));
    add(record.without_baseline ? verdict_name(*record.without_baseline) : "");
    // What a record that passed observed is not written.
    const bool is_told = record.status != Verdict::pass && record.status != Verdict::not_applicable;
    add(is_told ? clean_text(record.observed) : "");
    add(is_told ? clean_text(record.allowed) : "");
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace dlspec::conformance
