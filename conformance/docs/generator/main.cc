// Makes the pages of conformance/evidence/pages that follow from the tables, or says which of them are out of date:
//   docs_pages ROOT           writes them
//   docs_pages --check ROOT   compares, and follows the links of all pages of the project; status 1 with a complaint
//   each
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "pages.h"

namespace {

namespace fs = std::filesystem;
using dlspec::docs::Pages;

constexpr const char* pages_folder = "conformance/evidence/pages/";

fs::path root;  // of the project

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  return static_cast<bool>(file.flush());
}

// Pages and pictures of rules/ that no rule has.
std::string strays(const Pages& pages) {
  std::string found;
  const fs::path rules = root / pages_folder / "rules";
  if (!fs::is_directory(rules)) return found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(rules)) {
    const std::string path = "rules/" + fs::relative(entry.path(), rules).string();
    if (entry.is_regular_file() && !pages.contains(path)) found += path + ": no rule is called so; remove it\n";
  }
  return found;
}

bool exists(const std::string& path) { return fs::exists(root / path); }

bool is_skipped(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name == "build" || (name.starts_with('.') && name != ".github");
}

// The pages, and what is written by hand in the rest of the project.
std::string links(const Pages& pages) {
  Pages files;
  for (const auto& [path, text] : pages) files.emplace(pages_folder + path, text);
  for (fs::recursive_directory_iterator entry(root), end; entry != end; ++entry) {
    if (entry->is_directory() && is_skipped(entry->path())) entry.disable_recursion_pending();
    if (!entry->is_regular_file() || entry->path().extension() != ".md") continue;
    files.emplace(fs::relative(entry->path(), root).string(), read(entry->path()));
  }
  return dlspec::docs::broken_links(files, exists);
}

std::string check(const Pages& pages) {
  std::string complaints;
  for (const auto& [path, text] : pages) {
    if (read(root / pages_folder / path) != text)
      complaints += path + ": not what the tables make; build the target docs\n";
  }
  return complaints + strays(pages) + links(pages);
}

std::string write_all(const Pages& pages) {
  std::string complaints;
  for (const auto& [path, text] : pages) {
    const fs::path file = root / pages_folder / path;
    if (read(file) != text && !write(file, text)) complaints += path + ": cannot be written\n";
  }
  return complaints + strays(pages) + links(pages);
}

}  // namespace

int main(int argc, char** argv) {
  const bool only_check = argc == 3 && std::string(argv[1]) == "--check";
  if (argc != 2 && !only_check) {
    std::fputs("usage: docs_pages [--check] ROOT\n", stderr);
    return 2;
  }
  root = argv[argc - 1];
  Pages pages;
  dlspec::docs::add_rule_pages(pages);
  dlspec::docs::add_questions_page(pages);
  std::string complaints = dlspec::docs::add_census_page(read(root / "conformance/evidence/census.json"), pages);
  complaints += only_check ? check(pages) : write_all(pages);
  std::fputs(complaints.c_str(), stderr);
  return complaints.empty() ? 0 : 1;
}
