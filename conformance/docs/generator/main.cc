// Makes the pages of conformance/docs that follow from the tables, or says which of them are out of date:
//   docs_pages FOLDER           writes them
//   docs_pages --check FOLDER   compares, and follows the links of all pages there; status 1 with a complaint each
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "pages.h"

namespace {

namespace fs = std::filesystem;
using dlspec::docs::Pages;

fs::path folder;

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

// Pages of rules/ that no rule has.
std::string strays(const Pages& pages) {
  std::string found;
  if (!fs::is_directory(folder / "rules")) return found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "rules")) {
    const std::string path = "rules/" + entry.path().filename().string();
    if (!pages.contains(path)) found += path + ": no rule is called so; remove it\n";
  }
  return found;
}

bool exists(const std::string& path) { return fs::exists(folder / path); }

// The pages, and what was written by hand beside them.
std::string links(Pages files) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".md") files.emplace(entry.path().filename().string(), read(entry.path()));
  }
  return dlspec::docs::broken_links(files, exists);
}

std::string check(const Pages& pages) {
  std::string complaints;
  for (const auto& [path, text] : pages) {
    if (read(folder / path) != text) complaints += path + ": not what the tables make; build the target docs\n";
  }
  return complaints + strays(pages) + links(pages);
}

std::string write_all(const Pages& pages) {
  std::string complaints;
  for (const auto& [path, text] : pages) {
    if (read(folder / path) != text && !write(folder / path, text)) complaints += path + ": cannot be written\n";
  }
  return complaints + strays(pages) + links(pages);
}

}  // namespace

int main(int argc, char** argv) {
  const bool only_check = argc == 3 && std::string(argv[1]) == "--check";
  if (argc != 2 && !only_check) {
    std::fputs("usage: docs_pages [--check] FOLDER\n", stderr);
    return 2;
  }
  folder = argv[argc - 1];
  Pages pages;
  dlspec::docs::add_rule_pages(pages);
  dlspec::docs::add_questions_page(pages);
  std::string complaints = dlspec::docs::add_census_page(read(folder / "census.json"), pages);
  complaints += only_check ? check(pages) : write_all(pages);
  std::fputs(complaints.c_str(), stderr);
  return complaints.empty() ? 0 : 1;
}
