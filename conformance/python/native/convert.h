// Numbers, texts and descriptors between Python and C++. Every function throws ErrorIsSet.
#pragma once

#include "object.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/exported.h>

namespace dlspec::python {

[[nodiscard]] Object text(std::string_view value);
[[nodiscard]] Object integer(std::int64_t value);
[[nodiscard]] Object unsigned_integer(std::uint64_t value);
[[nodiscard]] Object boolean(bool value);
[[nodiscard]] Object bytes(std::span<const std::uint8_t> value);
[[nodiscard]] Object tuple(std::span<const std::int64_t> values);
[[nodiscard]] Object pair(std::int64_t first, std::int64_t second);
[[nodiscard]] const char* generation_name(Generation generation);

// Dictionaries by name. `put` takes ownership of the value; its name is a literal or stands in a table, because the
// Python string of it is made once and found by its address.
void put(PyObject* dictionary, const char* name, Object value);
// Borrowed; NULL when there is no such item, or it is None.
[[nodiscard]] PyObject* item(PyObject* dictionary, const char* name);

// `what` names the argument in the message of a TypeError or ValueError.
[[nodiscard]] std::int64_t as_integer(PyObject* object, const char* what);
[[nodiscard]] std::uint64_t as_unsigned(PyObject* object, const char* what);
[[nodiscard]] std::string as_text(PyObject* object, const char* what);
// Any sequence of integers, list and tuple among them.
[[nodiscard]] std::vector<std::int64_t> as_integers(PyObject* object, const char* what);
// A sequence of two integers.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> as_pair(PyObject* object, const char* what);
[[nodiscard]] std::span<const std::uint8_t> as_bytes(PyObject* object, const char* what);
[[nodiscard]] bool as_truth(PyObject* object);
[[nodiscard]] abi::Device as_device(PyObject* object, const char* what);
[[nodiscard]] abi::DataType as_dtype(PyObject* object, const char* what);
[[nodiscard]] Generation as_generation(PyObject* object);

}  // namespace dlspec::python
