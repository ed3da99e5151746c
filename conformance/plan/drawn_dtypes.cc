#include <dlspec/conformance/plan/drawn_dtypes.h>

#include <algorithm>
#include <string>
#include <vector>

namespace dlspec::conformance {
namespace {

constexpr const char* singles[] = {"complex32",       "float8_e3m4",     "float8_e4m3",   "float8_e4m3b11fnuz",
                                   "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"};
constexpr const char* in_pairs[] = {"int4", "uint4", "float4_e2m1fn"};  // narrower than a byte, two to a byte
constexpr unsigned lane_counts[] = {2, 3, 4, 8, 16};
constexpr std::string_view of_the_table = "float32x4";

std::vector<std::string> make_names() {
  std::vector<std::string> names(std::begin(singles), std::end(singles));
  for (const char* single : full_dtypes()) {
    for (const unsigned lanes : lane_counts) {
      std::string name = single + std::string("x") + std::to_string(lanes);
      if (name != of_the_table) names.push_back(std::move(name));
    }
  }
  for (const char* single : in_pairs) names.push_back(single + std::string("x2"));
  return names;
}

}  // namespace

const PlanNames& drawn_dtypes() {
  static const std::vector<std::string> names = make_names();
  static const PlanNames pointers = [] {
    PlanNames found;
    for (const std::string& name : names) found.push_back(name.c_str());
    return found;
  }();
  return pointers;
}

const char* find_drawn_dtype(std::string_view name) {
  const PlanNames& names = drawn_dtypes();
  const auto found = std::find(names.begin(), names.end(), name);
  return found != names.end() ? *found : nullptr;
}

const char* table_dtype(const char* name) { return find_drawn_dtype(name) != nullptr ? of_the_table.data() : name; }

}  // namespace dlspec::conformance
