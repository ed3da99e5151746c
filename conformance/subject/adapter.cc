#include <dlspec/conformance/subject/adapter.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

#include <dlspec/conformance/platform/cuda.h>

namespace dlspec::conformance {

std::string normalized_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool separates = c == '-' || c == '_' || c == '.';
    if (separates && name.ends_with('-')) continue;
    name += separates ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

std::vector<std::string> names_of(const Adapter& adapter) {
  std::vector<std::string> names{adapter.name, adapter.distribution, package_name(adapter), adapter.module};
  for (const Alternative& each : adapter.alternatives) names.push_back(each.distribution);
  for (std::string& name : names) name = normalized_name(name);
  return names;
}

std::string package_name(const Adapter& adapter) {
  return adapter.distribution.substr(0, adapter.distribution.find('['));
}

std::vector<std::string> companions_of(const Adapter& adapter, std::string_view version) {
  std::vector<std::string> companions = adapter.companions;
  for (const Pin& pin : adapter.pins) {
    if (pin.releases.hold(version)) companions.insert(companions.end(), pin.companions.begin(), pin.companions.end());
  }
  return companions;
}

std::string python_of(const Adapter& adapter, std::string_view version) {
  std::string bounds = adapter.python;
  for (const Pin& pin : adapter.pins) {
    if (!pin.python.empty() && version != "latest" && pin.releases.hold(version))
      bounds += (bounds.empty() ? "" : ",") + pin.python;
  }
  return bounds;
}

namespace {

// The newest build that the driver supports, else the usual distribution.
std::string distribution_for(const Adapter& adapter, int cuda_major) {
  const CudaBuild* newest = nullptr;
  for (const CudaBuild& each : adapter.cuda) {
    if (each.major <= cuda_major && (newest == nullptr || each.major > newest->major)) newest = &each;
  }
  return newest != nullptr ? newest->distribution : adapter.distribution;
}

}  // namespace

std::optional<Adapter> Adapters::find(std::string_view name) const {
  const std::string wanted = normalized_name(name);
  const auto found = std::find_if(list.begin(), list.end(), [&](const Adapter& each) {
    const std::vector<std::string> names = names_of(each);
    return std::find(names.begin(), names.end(), wanted) != names.end();
  });
  if (found == list.end()) return std::nullopt;
  Adapter adapter = *found;
  const bool names_no_build = wanted == normalized_name(found->name) || wanted == normalized_name(found->module);
  const std::string distribution = names_no_build ? normalized_name(distribution_for(*found, cuda_major)) : wanted;
  for (const Alternative& each : found->alternatives) {
    if (normalized_name(each.distribution) != distribution) continue;
    adapter.distribution = each.distribution;
    if (each.size_mb > 0) adapter.size_mb = each.size_mb;
  }
  return adapter;
}

Adapters find_adapters(const std::filesystem::path& folder) {
  Adapters result;
  result.cuda_major = cuda_major();
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    AdapterFile read = parse_adapter(entry.path(), text);
    if (read.adapter) {
      result.list.push_back(std::move(*read.adapter));
    } else {
      result.errors.push_back(std::move(read.error));
    }
  }
  std::sort(result.list.begin(), result.list.end(), [](const Adapter& a, const Adapter& b) { return a.name < b.name; });
  return result;
}

}  // namespace dlspec::conformance
