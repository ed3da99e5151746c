// Lines of the protocol between command and worker, of any bytes: neither side trusts the other's. What is understood
// is encoded as a line that is understood as the same.
#include <variant>

#include <dlspec/conformance/worker/protocol/messages.h>

#include "parsers.h"

namespace {

using namespace dlspec::conformance;

std::string encoded(const FirstReply& reply) {
  if (const Ready* const ready = std::get_if<Ready>(&reply)) return encode(*ready);
  if (const Failed* const failed = std::get_if<Failed>(&reply)) return encode(*failed);
  return "not understood: " + std::get<Rubbish>(reply).why;
}

std::string encoded(const std::variant<CaseReply, Rubbish>& reply) {
  const CaseReply* const answer = std::get_if<CaseReply>(&reply);
  return answer ? encode(*answer) : "not understood: " + std::get<Rubbish>(reply).why;
}

std::string encoded(const Request& request) {
  if (const StartRequest* const start = std::get_if<StartRequest>(&request)) return encode(*start);
  if (const QuitRequest* const quit = std::get_if<QuitRequest>(&request)) return encode(*quit);
  return "no start and no quit";
}

bool is_line(const std::string& text) { return text.starts_with('{'); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line = dlspec::fuzz::text_of(data, size);
  if (const std::string one = encoded(parse_first_reply(line)); is_line(one))
    dlspec::fuzz::expect_same("a first reply", one, encoded(parse_first_reply(one)));
  if (const std::string one = encoded(parse_case_reply(line)); is_line(one))
    dlspec::fuzz::expect_same("an answer", one, encoded(parse_case_reply(one)));
  if (const std::string one = encoded(parse_request(line)); is_line(one))
    dlspec::fuzz::expect_same("a request", one, encoded(parse_request(one)));
  return 0;
}
