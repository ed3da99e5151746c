// Seeds for fuzz_rearrange: for every method of every engine a short string that decodes to a pair which it can do.
// Plans can be made for engines that this machine does not support.
//
//   rearrange_seeds make FOLDER     writes them; deterministic
//   rearrange_seeds check FOLDER    fails unless the files there still reach every method of every engine
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lcg.h"

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/rearrange.h>
#include <dlspec/optimized/testing/decode_pair.h>

namespace {

namespace fs = std::filesystem;
using dlspec::fuzz::Lcg;
using namespace dlspec::optimized;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t longest = 40;
constexpr int attempts = 200'000;
// "avx512.transpose.4" and so on, with ".streaming" for non-temporal stores.
std::set<std::string> names_of(const Bytes& bytes) {
  const dlspec::optimized::testing::DecodedPair decoded(bytes);
  const auto& pair = decoded.pair;
  const View to(pair.dtype, pair.shape, pair.to.data()), from(pair.dtype, pair.shape, pair.from.data());
  std::set<std::string> names;
  const std::int64_t never = std::numeric_limits<std::int64_t>::max();
  for (const Engine& engine : engines()) {
    for (Methods method = 1; method < all_methods; method *= 2) {
      for (const std::int64_t stream_from : {never, std::int64_t{0}}) {
        Plan plan;
        const PlanOptions options{.engine = &engine, .stream_from = stream_from, .methods = method, .narrower = false};
        if (make_plan(to, from, plan, options) != dlspec::Status::ok) return {"refused"};
        if ((methods_of(plan.method) & method) == 0) continue;
        std::string name = std::string(engine.name) + "." + method_name(plan.method);
        if (plan.method > Method::runs) name += "." + std::to_string(plan.geometry.run);
        names.insert(plan.streaming ? name + ".streaming" : name);
      }
    }
  }
  return names;
}

// What the seeds must reach: every kernel of the tables, and byte shuffles of every kind of run.
std::set<std::string> wanted() {
  std::set<std::string> names{"refused"};
  for (const Engine& engine : engines()) {
    const Kernels& kernels = *engine.kernels;
    const std::string name = std::string(engine.name) + ".";
    for (const char* const method : {"copy", "runs"}) names.insert(name + method);
    if (kernels.copy_streaming != nullptr) names.insert({name + "copy.streaming", name + "runs.streaming"});
    for (std::size_t i = 0; i < element_sizes; ++i) {
      const std::string size = "." + std::to_string(1 << i);
      names.insert({name + "fill" + size, name + "transpose" + size});
      names.insert(name + "strided" + size);
      if (kernels.transpose_streaming[i] != nullptr) names.insert(name + "transpose" + size + ".streaming");
      if (kernels.transpose_indexed[i] != nullptr) names.insert(name + "indexed_transpose" + size);
      if (kernels.lane_shuffle != nullptr) names.insert(name + "lane_shuffle" + size);
      if (kernels.byte_shuffle != nullptr)
        names.insert({name + "byte_shuffle" + size, name + "byte_shuffle" + size + ".streaming"});
    }
    if (kernels.lane_shuffle != nullptr) names.insert({name + "lane_shuffle.3", name + "lane_shuffle.12"});
    if (kernels.byte_shuffle != nullptr)
      names.insert(
          {name + "byte_shuffle.3", name + "byte_shuffle.12", name + "byte_shuffle.24", name + "line_shuffle.3"});
  }
  return names;
}

Bytes random_string(Lcg& random) {
  Bytes bytes(4 + random.high_bits() % (longest - 4));
  for (std::uint8_t& byte : bytes) byte = random.byte();
  if ((random.next() >> 40) % 2 == 0) bytes[1] = static_cast<std::uint8_t>(1 + bytes[1] % 3);  // few axes
  if ((random.next() >> 40) % 2 == 0) bytes[0] = static_cast<std::uint8_t>(bytes[0] % 5);
  return bytes;
}

int make(const fs::path& folder) {
  fs::create_directories(folder);
  std::set<std::string> left = wanted();
  Lcg random(20);
  for (int i = 0; i < attempts && !left.empty(); ++i) {
    const Bytes bytes = random_string(random);
    std::string first;
    for (const std::string& name : names_of(bytes)) {
      if (left.erase(name) != 0 && first.empty()) first = name;
    }
    if (first.empty()) continue;
    std::ofstream(folder / first, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  for (const std::string& name : left) std::fprintf(stderr, "no string was found for %s\n", name.c_str());
  return left.empty() ? 0 : 1;
}

int check(const fs::path& folder) {
  std::set<std::string> left = wanted();
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    for (const std::string& name : names_of(Bytes(bytes.begin(), bytes.end()))) left.erase(name);
  }
  for (const std::string& name : left) std::fprintf(stderr, "no file reaches %s\n", name.c_str());
  return left.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc == 3 ? argv[1] : "";
  if (what == "make") return make(argv[2]);
  if (what == "check") return check(argv[2]);
  std::fputs("usage: rearrange_seeds make|check FOLDER\n", stderr);
  return 2;
}
