// Says on the worker's channel what a death is about, just before it: a fault in fenced memory, or a C++ exception
// that nobody caught. The process then dies of its own signal, as it would have without this.
//
//   {"fault":{"pid":7,"access":"read","part":"data","state":"open","where":"beyond","distance":1}}
//   {"fault":{"pid":7,"exception":"std::bad_alloc","callee":""}}
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <dlspec/conformance/oracle/checked_call.h>
#include <dlspec/conformance/oracle/fence.h>

namespace dlspec::conformance {

// From now on faults are written to this descriptor; -1: to none. The handlers are set by
// arm_fault_report(), with a signal stack of its own for the thread that calls this.
void report_faults_to(int descriptor);

// Sets the handlers, unless they are: libraries may have put theirs in the place. To be called before
// each case. Nothing while faults go nowhere.
void arm_fault_report();

// Marks what runs on this thread as a call of a deleter or of an exchange table's function, for the report of an
// exception.
class InCall {
 public:
  explicit InCall(Callee callee);
  ~InCall();
  InCall(const InCall&) = delete;
  InCall& operator=(const InCall&) = delete;

 private:
  Callee outer_;
};

// The line of a fault, with its end. Answers how much of `line` was filled; needs no memory. For tests and the handler.
std::size_t fault_line(const FenceHit& hit, const char* access, int pid, std::span<char> line) noexcept;

}  // namespace dlspec::conformance
