// The inverse of a function that names values.
#pragma once

#include <iterator>
#include <optional>
#include <string_view>
#include <type_traits>

namespace dlspec {

// The value of the list that is called so.
template <class Values, class Name>
[[nodiscard]] auto by_name(const Values& values, Name name_of, std::string_view name)
    -> std::optional<std::decay_t<decltype(*std::begin(values))>> {
  for (const auto value : values) {
    if (name == name_of(value)) return value;
  }
  return std::nullopt;
}

}  // namespace dlspec
