// The pages of the documentation that are made from tables.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <dlspec/vocabulary/rules.h>

namespace dlspec::docs {

// Path below conformance/evidence/pages, and text.
using Pages = std::map<std::string, std::string>;

// rules/<id>.md for every rule, and rules/README.md, their index.
void add_rule_pages(Pages& pages);

// The pictures of a rule on where elements lie, as part of its page; they become pages, too. "" for other rules.
[[nodiscard]] std::string rule_pictures(const Rule& rule, Pages& pages);

// questions.md
void add_questions_page(Pages& pages);

// census.md; `json` is census.json. What is wrong with it, a sentence to a line; then no page is made.
[[nodiscard]] std::string add_census_page(const std::string& json, Pages& pages);

// A line at the top of every page.
inline constexpr std::string_view made_by =
    "Made from the tables by the target `docs` (`ninja -C build/dev docs`); do not edit.\n";

// Plain text as Markdown: what Markdown would take for its own is escaped, but for code between backquotes; threads
// such as dmlc/dlpack#99 become links.
[[nodiscard]] std::string markdown(std::string_view text);

// [id](way/id.md)
[[nodiscard]] std::string rule_link(std::string_view id, std::string_view way);

// The links in Markdown files to files of this tree that lead nowhere, a line each. `files` maps paths to
// texts; `exists` says whether a path that is not among them is there.
[[nodiscard]] std::string broken_links(const Pages& files, bool (*exists)(const std::string& path));

}  // namespace dlspec::docs
