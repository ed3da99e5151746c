// Remembers which version "NAME@latest" is, so that the index is asked at most once a day.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace dlspec::conformance {

struct Remembered {
  std::string version;
  std::int64_t asked = 0;  // seconds since 1970
};

// The entry of `key` in the file; nothing when there is none or the file is damaged.
[[nodiscard]] std::optional<Remembered> recall(const std::filesystem::path& file, const std::string& key);

// Adds or replaces the entry, atomically. A failure is no error: the index is asked again.
void remember(const std::filesystem::path& file, const std::string& key, const Remembered& entry);

// True when the index need not be asked again at the time `now`.
[[nodiscard]] bool is_fresh(const Remembered& entry, std::int64_t now);

}  // namespace dlspec::conformance
