#include <dlspec/conformance/oracle/checked_call.h>

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <typeinfo>
#include <utility>

#include <dlspec/conformance/oracle/fault_report.h>
#include <dlspec/conformance/oracle/kept_registers.h>

namespace dlspec::conformance {
namespace {

std::string words_for(unsigned mask) {
  std::string text;
  for (const char* name : kept_registers()) {
    if ((mask & 1U) != 0) text += (text.empty() ? "" : ", ") + std::string(name);
    mask >>= 1U;
  }
  return text;
}

std::string current_exception_type() {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "";
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> readable(
      abi::__cxa_demangle(type->name(), nullptr, nullptr, &status), &std::free);
  return readable != nullptr ? readable.get() : type->name();
}

}  // namespace

CallReport checked_call(void (*function)(void*), void* argument, Callee callee) {
  CallReport report;
  const InCall marked(callee);
  try {
    report.damaged = words_for(call_with_known_registers(function, argument));
#ifdef __GLIBCXX__
  } catch (const abi::__forced_unwind&) {
    throw;  // libc++ never stops a thread that ends in a catch (...); libstdc++ does
#endif
  } catch (...) {
    report.threw = true;
    report.exception = current_exception_type();
  }
  return report;
}

}  // namespace dlspec::conformance
