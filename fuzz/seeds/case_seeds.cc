// Seeds from the tables of cases: of fuzz_validate the layouts that subjects are asked for, of fuzz_messages one
// request for each variant, of fuzz_sequence and fuzz_subject the sequences that every run carries out.
//
//   case_seeds make FOLDER     writes FOLDER/validate/layout-*, and case.* in FOLDER/messages, sequence and subject
//   case_seeds check FOLDER    fails unless these files still are conforming tensors, requests and sequences
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/plan/sequence.h>
#include <dlspec/conformance/plan/spec_json.h>
#include <dlspec/conformance/worker/protocol/messages.h>
#include <dlspec/reference/descriptor/describe.h>
#include <dlspec/reference/testing/decoder.h>
#include <dlspec/reference/validate/validate.h>
#include <dlspec/vocabulary/dtype.h>

#include "sequence_bytes.h"

namespace {

namespace fs = std::filesystem;
using namespace dlspec;
using namespace dlspec::conformance;

constexpr std::size_t least_files = 5;  // of each kind
constexpr std::size_t most_sequences = 8;

// A string of reference/testing/decoder.cc, field by field, with each number as it is.
class Encoder {
 public:
  void byte(unsigned value) { bytes_ += static_cast<char>(value); }
  template <class Integer>
  void word(Integer value) {
    for (std::size_t i = 0; i < sizeof value; ++i)
      byte(static_cast<unsigned>(static_cast<std::uint64_t>(value) >> 8 * i));
  }
  void number(std::int64_t value) {
    byte(255);
    word(value);
  }
  void extent(std::int64_t value) {
    byte(255);
    number(value);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// A versioned struct of a row of layouts.def, float32; strides NULL where the library chooses them.
std::string tensor_of(const LayoutRow& row) {
  Encoder to;
  to.byte(0);  // versioned
  to.byte(255);
  to.word(static_cast<std::int32_t>(row.shape.size()));
  for (const std::int64_t extent : row.shape) to.extent(extent);
  to.byte(row.strides && !row.shape.empty() ? 2 : 0);
  if (row.strides) std::ranges::for_each(*row.strides, [&](std::int64_t stride) { to.number(stride); });
  to.byte(0);  // shape
  to.byte(0);  // strides
  to.byte(0);  // float32
  to.byte(0);  // CPU
  to.byte(3);  // version 1.3
  to.byte(row.read_only ? 1 : 0);
  to.byte(240);
  to.word(static_cast<std::uint64_t>(row.offset) * 4);
  return to.bytes();
}

// What fuzz_subject decodes.
const fuzz::SequenceForm subject_form{sequence_profile(Role::exchange, SubjectKind::plugin)};

std::string bytes_of(const Sequence& sequence) {
  const std::vector<std::uint8_t> bytes = fuzz::encode_sequence(sequence, subject_form);
  return {bytes.begin(), bytes.end()};
}

using Files = std::map<std::string, std::string>;

Files seeds() {
  Files files;
  for (const LayoutRow& row : layouts()) files[std::string("validate/layout-") + row.name] = tensor_of(row);
  Selection selection;
  selection.kind = SubjectKind::plugin;
  std::uint64_t number = 0;
  std::size_t sequences = 0;
  for (const Case& work : make_plan(selection)) {
    const std::size_t end = std::min(work.variant.find_first_of("=,/:"), work.variant.size());
    files.try_emplace("messages/case." + work.variant.substr(0, end), case_request(work, ++number));
    for (const std::string& text : work.sequences) {
      if (sequences == most_sequences) break;
      const std::string name = "/case." + std::to_string(sequences++);
      files["sequence" + name] = text;
      files["subject" + name] = bytes_of(*parse_sequence(text));
    }
  }
  return files;
}

int make(const fs::path& folder) {
  const Files files = seeds();
  for (const auto& [name, bytes] : files) {
    std::ofstream file(folder / name, std::ios::binary);
    file << bytes;
    if (!file.flush()) {
      std::fprintf(stderr, "cannot write %s\n", (folder / name).c_str());
      return 1;
    }
  }
  std::printf("%zu seeds written\n", files.size());
  return 0;
}

std::string fault_of_tensor(const std::string& bytes) {
  const testing::DecodedTensor decoded({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  const Findings findings = reference::validate(decoded.exported(), decoded.origin());
  const auto* const found = std::ranges::find_if(findings, [](const Finding& finding) {
    return verdict_of(finding) != Verdict::info && finding.rule != RuleId::tensor_data_null_when_empty;
  });
  return found == findings.end() ? "" : std::string("breaks ") + rule(found->rule).id;
}

std::string fault_of_request(const std::string& line) {
  return std::holds_alternative<CaseRequest>(parse_request(line)) ? "" : "is no request";
}

std::string fault_of_sequence(const std::string& text) { return parse_sequence(text) ? "" : "is no sequence"; }

std::string fault_of_subject(const std::string& bytes) {
  const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const Sequence sequence = fuzz::decode_sequence({data, bytes.size()}, subject_form);
  return sequence.size() > 2 && bytes_of(sequence) == bytes ? "" : "is not what its sequence is written as";
}

bool check(const fs::path& folder, const std::string& prefix, std::string (*fault_of)(const std::string&)) {
  std::size_t count = 0;
  bool right = true;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string fault = fault_of({std::istreambuf_iterator<char>(file), {}});
    if (!fault.empty()) std::fprintf(stderr, "%s %s\n", entry.path().c_str(), fault.c_str());
    right &= fault.empty();
    ++count;
  }
  if (count < least_files) std::fprintf(stderr, "%s: only %zu files %s*\n", folder.c_str(), count, prefix.c_str());
  return right && count >= least_files;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view action = argc == 3 ? argv[1] : "";
  if (action == "make") return make(argv[2]);
  if (action != "check") {
    std::fprintf(stderr, "usage: %s make|check FOLDER\n", argv[0]);
    return 2;
  }
  const fs::path folder = argv[2];
  const bool tensors = check(folder / "validate", "layout-", fault_of_tensor);
  const bool requests = check(folder / "messages", "case.", fault_of_request);
  const bool subjects = check(folder / "subject", "case.", fault_of_subject);
  return subjects && check(folder / "sequence", "case.", fault_of_sequence) && tensors && requests ? 0 : 1;
}
