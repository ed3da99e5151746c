#include <dlspec/conformance/verdict/whole.h>

namespace dlspec::conformance {

std::string plan_mismatch(std::span<const Case> planned, std::span<const Record> records) {
  std::size_t next = 0;
  for (const Case& work : planned) {
    for (const RuleId id : work.rules) {
      if (next < records.size() && records[next].rule == id && records[next].case_id == work.id) {
        ++next;
        continue;
      }
      return std::string(rule(id).id) + " in " + work.id + " was planned and is not reported in its place";
    }
  }
  if (next == records.size()) return "";
  return std::string(rule(records[next].rule).id) + " in " + records[next].case_id + " is reported and was not planned";
}

}  // namespace dlspec::conformance
