// Parts of the text of a script. Internal to reproducers/.
#pragma once

#include <string>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/reproducers/script.h>

namespace dlspec::conformance {

// A string literal of Python.
[[nodiscard]] std::string quoted(const std::string& text);
// The order as adapters are given it.
[[nodiscard]] std::string spec_text(const Order& order);
// The adapter, with the modules beside a shipped one written out.
[[nodiscard]] std::string library_text(const ScriptSubject& subject);

}  // namespace dlspec::conformance
