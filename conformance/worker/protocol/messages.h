// The protocol between the command and a worker: plain structs, encoded as lines of JSON.
//
//   command -> worker   start, then one case after the other, then quit
//   worker -> command   ready or failed, then exactly one answer for each case
//
// Neither side trusts the other's bytes: a line that cannot be parsed becomes a Rubbish with the reason. Lines have no
// line break here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/outcome.h>

namespace dlspec::conformance {

struct Rubbish {
  std::string why;  // a sentence part: "no JSON object: …"
};

// --- command -> worker

struct StartRequest {
  SubjectKind kind = SubjectKind::builtin;
  std::string path;    // path of the adapter or plug-in; empty for builtin
  std::string native;  // path of the extension module; empty for native workers
  std::uint64_t seed = 0;
  std::string consumer = {};  // for an exchange: path of the consumer's adapter; "" is dlspec's own consumer
  bool exchange = false;
};

struct CaseRequest {
  std::uint64_t number = 0;
  Case work;  // `primary` and `plain` are not transmitted; unknown rules are dropped
};

struct QuitRequest {};

using Request = std::variant<StartRequest, CaseRequest, QuitRequest, Rubbish>;

[[nodiscard]] std::string encode(const StartRequest& start);
// case_request (plan/spec_json.h) encodes a case.
[[nodiscard]] std::string encode(const QuitRequest& quit);
[[nodiscard]] Request parse_request(std::string_view line);

// --- worker -> command

struct Ready {
  std::int64_t pid = 0;
  std::string name;         // "NumPy"
  std::string version;      // of the library, as loaded
  std::string loaded_from;  // path
  std::string python;       // "3.11.2", or empty
  std::vector<Role> roles;
  std::string standard;               // "array-api" or "dlpack"
  std::vector<std::string> provides;  // functions of the adapter
  std::string build;                  // identifies the build of the version: a revision, a wheel tag or a digest
};

struct Failed {
  std::string stage;    // adapter, import, plugin, native; device: the machine lacks one, which is not a fault
  std::string message;  // one line: the problem and its remedy
  std::string detail;   // a traceback or the message of the loader; may be empty
};

struct CaseReply {
  std::uint64_t number = 0;
  std::int64_t pid = 0;
  Answer answer;  // answered, unsupported, adapter_fault or blocked
};

using FirstReply = std::variant<Ready, Failed, Rubbish>;

[[nodiscard]] std::string encode(const Ready& ready);
[[nodiscard]] std::string encode(const Failed& failed);
// `asked`: the rules of the case, in its order. Outcomes without a text are a letter each, at the place of their rule,
// others an object under the rule's id: an answer to seventy rules, 4 KB otherwise, takes 0.2 KB.
[[nodiscard]] std::string encode(const CaseReply& reply, std::span<const RuleId> asked = {});
[[nodiscard]] FirstReply parse_first_reply(std::string_view line);
[[nodiscard]] std::variant<CaseReply, Rubbish> parse_case_reply(std::string_view line,
                                                                std::span<const RuleId> asked = {});

// --- both directions

// The name of an outcome in an answer, such as "not-applicable".
[[nodiscard]] const char* outcome_name(Outcome::Kind kind);

}  // namespace dlspec::conformance
