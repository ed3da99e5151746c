#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dlspec/vocabulary/questions.h>

#include "pages.h"

namespace dlspec::docs {
namespace {

struct Statement {
  int number = 0;
  std::string place;
  std::vector<std::string> binds;
  std::string level;
  std::string statement;
  std::vector<std::string> rules;
  std::string reason;  // why no rule holds it
  std::vector<std::string> see;
  std::vector<std::string> questions;
  std::string note;
};

struct Document {
  std::string title;
  std::vector<Statement> statements;
};

Statement statement_of(const nlohmann::json& json) {
  Statement row;
  json.at("number").get_to(row.number);
  json.at("place").get_to(row.place);
  json.at("binds").get_to(row.binds);
  json.at("level").get_to(row.level);
  json.at("statement").get_to(row.statement);
  json.at("rules").get_to(row.rules);
  row.reason = json.value("reason", "");
  row.see = json.value("see", std::vector<std::string>{});
  row.questions = json.value("questions", std::vector<std::string>{});
  row.note = json.value("note", "");
  return row;
}

std::vector<Document> documents_of(const std::string& text) {
  std::vector<Document> documents;
  const nlohmann::json census = nlohmann::json::parse(text);
  for (const nlohmann::json& entry : census.at("documents")) {
    Document document{entry.at("title").get<std::string>(), {}};
    for (const nlohmann::json& json : entry.at("statements")) document.statements.push_back(statement_of(json));
    documents.push_back(std::move(document));
  }
  return documents;
}

std::string complaints_about(const Statement& row) {
  std::string text;
  const auto complain = [&](const std::string& what) { text += fmt::format("statement {}: {}\n", row.number, what); };
  if (row.place.empty() || row.level.empty() || row.statement.empty()) complain("place, level or text is missing");
  if (row.rules.empty() == row.reason.empty()) complain("it has either rules or a reason why there is none");
  if (!row.reason.empty() && !row.reason.ends_with('.')) complain("the reason is no sentence");
  if (!row.note.empty() && !row.note.ends_with('.')) complain("the note is no sentence");
  constexpr std::array<std::string_view, 4> known = {"producer", "consumer", "editors", "user"};
  for (const std::string& who : row.binds) {
    if (std::find(known.begin(), known.end(), who) == known.end()) complain("it binds " + who);
  }
  for (const std::vector<std::string>* ids : {&row.rules, &row.see}) {
    for (const std::string& id : *ids) {
      if (find_rule(id) == nullptr) complain("there is no rule " + id);
    }
  }
  for (const std::string& id : row.questions) {
    if (find_question(id) == nullptr) complain("there is no question " + id);
  }
  return text;
}

// Rules that say must, should or may rest on a statement of the standard.
std::string complaints_about_rules(const std::set<std::string>& named) {
  std::string text;
  for (const Rule& rule : rules()) {
    const bool written = rule.level == Level::must || rule.level == Level::should || rule.level == Level::may;
    if (written && !named.contains(rule.id)) text += fmt::format("{}: no statement of the census holds it\n", rule.id);
  }
  return text;
}

std::string complaints_about(const std::vector<Document>& documents) {
  std::string text;
  std::set<std::string> named;
  int number = 0;
  for (const Document& document : documents) {
    for (const Statement& row : document.statements) {
      if (row.number != ++number)
        text += fmt::format("statement {}: it should have the number {}\n", row.number, number);
      text += complaints_about(row);
      named.insert(row.rules.begin(), row.rules.end());
    }
  }
  return text + complaints_about_rules(named);
}

std::string links(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) text += (text.empty() ? "" : ", ") + rule_link(id, "rules/");
  return text;
}

std::string held_by(const Statement& row) {
  std::string text = row.rules.empty() ? "None. " + markdown(row.reason) : links(row.rules);
  if (!row.see.empty()) text += " See " + links(row.see) + ".";
  if (!row.note.empty()) text += (text.ends_with('.') ? " " : ". ") + markdown(row.note);
  for (const std::string& id : row.questions) text += fmt::format(" ([{0}](questions.md#{0}))", id);
  return text;
}

std::string section(const Document& document) {
  std::string text =
      fmt::format("\n## {}\n\n| | place | binds | level | statement | held by |\n|---|---|---|---|---|---|\n",
                  markdown(document.title));
  for (const Statement& row : document.statements) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", row.number, markdown(row.place),
                        fmt::join(row.binds, ", "), markdown(row.level), markdown(row.statement), held_by(row));
  }
  return text;
}

// How many statements each document has, and how many of them a rule holds.
std::string totals(const std::vector<Document>& documents) {
  std::string text = "\n| document | statements | held by a rule |\n|---|---|---|\n";
  std::size_t all = 0;
  std::ptrdiff_t all_held = 0;
  for (const Document& document : documents) {
    const std::ptrdiff_t held = std::count_if(document.statements.begin(), document.statements.end(),
                                              [](const Statement& row) { return !row.rules.empty(); });
    text += fmt::format("| {} | {} | {} |\n", markdown(document.title), document.statements.size(), held);
    all += document.statements.size();
    all_held += held;
  }
  return text + fmt::format("| all | {} | {} |\n", all, all_held);
}

std::string page_of(const std::vector<Document>& documents) {
  std::string text = fmt::format(
      "# Census of the standard\n\n{}\nWhat the DLPack standard asks of those who implement it, statement by "
      "statement, and the rule that holds each, or why none does. A statement is whatever obliges, permits or defines; "
      "said twice in one document it is one statement, said in two documents it is two. The wording is ours; the place "
      "says where the original stands. Line numbers of dlpack.h are those of 1.2, with which 1.3 agrees up to line "
      "377. Levels are as written there; \"implied\" where a declarative sentence leaves no choice, \"definition\" "
      "where a member or a number is given its meaning. Editions 2024.12 and 2025.12 of the array API repeat 2023.12 "
      "but where said.\n",
      made_by);
  text += totals(documents);
  for (const Document& document : documents) text += section(document);
  return text;
}

}  // namespace

std::string add_census_page(const std::string& json, Pages& pages) {
  std::vector<Document> documents;
  try {
    documents = documents_of(json);
  } catch (const nlohmann::json::exception& error) {
    return fmt::format("census.json: {}\n", error.what());
  }
  const std::string complaints = complaints_about(documents);
  if (complaints.empty()) pages["census.md"] = page_of(documents);
  return complaints;
}

}  // namespace dlspec::docs
