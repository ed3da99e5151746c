#include <dlspec/conformance/subject/latest.h>

#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/core/file.h>

namespace dlspec::conformance {

namespace {

using Json = nlohmann::json;

Json read_object(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  Json object = Json::parse(std::string{std::istreambuf_iterator<char>(stream), {}}, nullptr, false);
  return object.is_object() ? object : Json::object();
}

}  // namespace

std::optional<Remembered> recall(const std::filesystem::path& file, const std::string& key) {
  const Json object = read_object(file);
  const auto found = object.find(key);
  if (found == object.end() || !found->is_object()) return std::nullopt;
  const auto version = found->find("version");
  const auto asked = found->find("asked");
  if (version == found->end() || !version->is_string() || asked == found->end() || !asked->is_number_integer()) {
    return std::nullopt;
  }
  return Remembered{version->get<std::string>(), asked->get<std::int64_t>()};
}

void remember(const std::filesystem::path& file, const std::string& key, const Remembered& entry) {
  Json object = read_object(file);
  object[key] = {{"version", entry.version}, {"asked", entry.asked}};
  [[maybe_unused]] const std::string error =
      write_file(file.string(), object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

bool is_fresh(const Remembered& entry, std::int64_t now) {
  constexpr std::int64_t day = std::int64_t{24} * 60 * 60;
  return entry.asked <= now && now - entry.asked < day;
}

}  // namespace dlspec::conformance
