// Seeds for fuzz_validate: for every row of finding.def a short string that decodes to a struct with that finding, and
// strings that decode to conforming structs.
//
//   validate_seeds make FOLDER     writes them; deterministic
//   validate_seeds check FOLDER    fails unless the files there still reach every row of finding.def
//
// The decoder has no inverse, so strings are searched: random ones until one gives the finding, which is then minimised
// while it still gives it (low bytes decode to ordinary values).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "lcg.h"

#include <dlspec/reference/testing/decoder.h>
#include <dlspec/reference/testing/faulty.h>
#include <dlspec/reference/validate/validate.h>

namespace {

namespace fs = std::filesystem;
using dlspec::Finding;
using dlspec::RuleId;
using dlspec::fuzz::Lcg;

using Bytes = std::vector<std::uint8_t>;
using RowKey = std::pair<RuleId, std::uint8_t>;  // rule and variant

constexpr std::size_t longest = 48;
constexpr int most_attempts = 5'000'000;

std::set<RowKey> rows_of(const Bytes& bytes) {
  const dlspec::testing::DecodedTensor decoded(bytes);
  std::set<RowKey> rows;
  for (const Finding& finding : dlspec::reference::validate(decoded.exported(), decoded.origin())) {
    rows.emplace(finding.rule, finding.variant);
  }
  return rows;
}

std::set<RowKey> wanted_rows() {
  std::set<RowKey> rows;
  for (const dlspec::testing::FaultyRow& row : dlspec::testing::faulty_table()) rows.emplace(row.rule, row.variant);
  return rows;
}

Bytes random_string(Lcg& random) {
  Bytes bytes(1 + random.high_bits() % longest);
  for (std::uint8_t& value : bytes) value = random.byte();
  return bytes;
}

// Number of findings, then length, then sum of the bytes.
auto weight(const Bytes& bytes) {
  std::uint64_t sum = 0;
  for (const std::uint8_t value : bytes) sum += value;
  return std::tuple(rows_of(bytes).size(), bytes.size(), sum);
}

bool is_smaller(const Bytes& candidate, const Bytes& bytes, RowKey row) {
  return rows_of(candidate).contains(row) && weight(candidate) < weight(bytes);
}

// Truncates, drops, clears and halves single bytes, until none of it makes the string smaller.
Bytes minimised(Bytes bytes, RowKey row) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      Bytes shorter(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(i));
      Bytes dropped = bytes, cleared = bytes, halved = bytes;
      dropped.erase(dropped.begin() + static_cast<std::ptrdiff_t>(i));
      cleared[i] = 0;
      halved[i] /= 2;
      for (const Bytes& candidate : {shorter, dropped, cleared, halved}) {
        if (!is_smaller(candidate, bytes, row)) continue;
        bytes = candidate;
        changed = true;
        break;
      }
    }
  }
  return bytes;
}

std::string name_of(RowKey row) {
  return std::string(dlspec::rule(row.first).id) + "." + std::to_string(static_cast<int>(row.second));
}

// The smallest of the first few strings found for each row.
std::map<std::string, Bytes> find_seeds() {
  constexpr int tries_per_row = 8;
  std::map<RowKey, int> tries;
  std::map<std::string, Bytes> seeds;
  std::set<RowKey> missing = wanted_rows();
  Lcg random(1);
  for (int attempt = 0; attempt < most_attempts && !missing.empty(); ++attempt) {
    const Bytes bytes = random_string(random);
    for (const RowKey& row : rows_of(bytes)) {
      if (!missing.contains(row)) continue;
      const Bytes plain = minimised(bytes, row);
      const auto [seed, first] = seeds.emplace(name_of(row), plain);
      if (!first && weight(plain) < weight(seed->second)) seed->second = plain;
      if (++tries[row] == tries_per_row || rows_of(plain).size() == 1) missing.erase(row);
    }
  }
  return seeds;
}

// Clean structs of rank 0 to 4, with strides from row-major to reversed.
void add_clean(std::map<std::string, Bytes>& seeds) {
  Lcg random(1);
  for (std::size_t wanted = 0; wanted < 10;) {
    const Bytes bytes = random_string(random);
    if (bytes.size() < 24 || !rows_of(bytes).empty()) continue;
    seeds.emplace("clean." + std::to_string(wanted++), bytes);
  }
  seeds.emplace("clean.scalar", Bytes{0});
}

int make(const fs::path& folder) {
  std::map<std::string, Bytes> seeds = find_seeds();
  add_clean(seeds);
  for (const auto& [name, bytes] : seeds) {
    std::ofstream file(folder / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) {
      std::fprintf(stderr, "cannot write %s\n", (folder / name).c_str());
      return 1;
    }
  }
  std::printf("%zu seeds written\n", seeds.size());
  return 0;
}

int check(const fs::path& folder) {
  std::set<RowKey> missing = wanted_rows();
  const std::size_t rows = missing.size();
  bool clean = false;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const Bytes bytes{std::istreambuf_iterator<char>(file), {}};
    const std::set<RowKey> found = rows_of(bytes);
    clean |= found.empty();
    for (const RowKey& row : found) missing.erase(row);
  }
  for (const RowKey& row : missing) std::fprintf(stderr, "no input breaks %s\n", name_of(row).c_str());
  if (!clean) std::fprintf(stderr, "no input is clean\n");
  if (!missing.empty() || !clean) return 1;
  std::printf("all %zu ways to break a rule are reached\n", rows);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view action = argc == 3 ? argv[1] : "";
  if (action == "make") return make(argv[2]);
  if (action == "check") return check(argv[2]);
  std::fprintf(stderr, "usage: %s make|check FOLDER\n", argv[0]);
  return 2;
}
