// Calls of the functions of a plug-in's exchange table, and what they did against what holds for each of them.
#pragma once

#include <string>

#include <dlspec/conformance/oracle/checked_call.h>
#include <dlspec/conformance/worker/native/native_case.h>

namespace dlspec::conformance {

// Keeps what the call of this function did against the conventions. True when it succeeded.
bool note_table_call(const char* name, const CallReport& report, int status);

// act() calls the function of this name and gives its status.
template <class Act>
bool table_call(const char* name, Act act) {
  struct Call {
    Act& act;
    int status = 0;
  } call{act};
  const CallReport report = checked_call(
      [](void* self) {
        auto* const made = static_cast<Call*>(self);
        made->status = made->act();
      },
      &call, Callee::table_function);
  return note_table_call(name, report, call.status);
}

// Keeps that an export succeeded without a tensor.
void note_empty_export();

// Forgets what the calls of earlier cases did.
void forget_table_calls();

// Answers the rules on every call by what the calls did since they were forgotten: exchange.return-int and
// exchange.no-cpp-exceptions, and exchange.from-owning where an export succeeded without a tensor.
void judge_table_calls(NativeAnswer& answer);

}  // namespace dlspec::conformance
