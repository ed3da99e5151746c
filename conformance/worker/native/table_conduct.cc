#include <dlspec/conformance/worker/native/table_conduct.h>

#include <fmt/format.h>

#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

// The first deviation of each kind; "" where there is none.
struct Conduct {
  std::string threw;
  std::string returned;
  bool gave_nothing = false;
};
Conduct conduct;

}  // namespace

bool note_table_call(const char* name, const CallReport& report, int status) {
  if (report.threw) {
    if (conduct.threw.empty())
      conduct.threw = fmt::format("{} threw {}", name, report.exception.empty() ? "an exception" : report.exception);
    return false;
  }
  if (status != 0 && status != -1 && conduct.returned.empty())
    conduct.returned = fmt::format("{} returned {}", name, status);
  return status == 0;
}

void note_empty_export() { conduct.gave_nothing = true; }

void forget_table_calls() { conduct = {}; }

void judge_table_calls(NativeAnswer& answer) {
  answer.decide(RuleId::exchange_no_cpp_exceptions, conduct.threw.empty(), conduct.threw, "a status");
  answer.decide(RuleId::exchange_return_int, conduct.returned.empty(), conduct.returned,
                "0 for success, -1 for failure");
  if (conduct.gave_nothing) {
    answer.violated(RuleId::exchange_from_owning, "managed_tensor_from_py_object_no_sync succeeded and gave no tensor",
                    "a versioned tensor that the caller owns");
    answer.rest_blocked("by exchange.from-owning");
  }
}

}  // namespace dlspec::conformance
