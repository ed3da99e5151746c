#include <dlspec/conformance/reproducers/templates.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <initializer_list>
#include <set>
#include <sstream>
#include <utility>

namespace dlspec::conformance {

namespace {

std::string_view mark_of(Language language) { return language == Language::c ? "//: " : "#: "; }

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The words behind "part" or "rule": names, then those behind `in` and `uses`.
Piece parse_heading(std::istringstream words) {
  Piece piece;
  std::vector<std::string>* target = &piece.names;
  std::string word;
  while (words >> word) {
    if (word == "in") {
      target = &piece.variants;
    } else if (word == "uses") {
      target = &piece.uses;
    } else {
      target->push_back(word);
    }
  }
  return piece;
}

// Where the pieces of a file go.
struct Target {
  std::vector<Piece>& parts;
  RoleTemplates* role = nullptr;
  std::vector<Piece>* facts = nullptr;

  [[nodiscard]] std::vector<Piece>& of(std::string_view kind) const {
    if (kind == "rule" && role != nullptr) return role->rules;
    return kind == "fact" && facts != nullptr ? *facts : parts;
  }
};

// Headings one below the other share the lines and the parts of the last.
void share_lines(std::vector<Piece>& rules) {
  for (std::size_t i = rules.size(); i-- > 1;) {
    if (!rules[i - 1].text.empty()) continue;
    rules[i - 1].text = rules[i].text;
    rules[i - 1].uses = rules[i].uses;
  }
}

// Goes through a file; each piece ends where the next heading begins.
void parse(std::string_view file, std::string_view mark, const Target& target) {
  Piece* open = nullptr;
  std::istringstream lines{std::string(file)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(mark)) {
      if (open != nullptr) open->text += line + "\n";
      continue;
    }
    std::istringstream words(line.substr(mark.size()));
    std::string kind;
    words >> kind;
    if (kind == "keywords" && target.role != nullptr) {
      std::string variant;
      std::string text;
      words >> variant >> std::ws;
      std::getline(words, text);
      target.role->keywords[variant] = text;
      open = nullptr;
      continue;
    }
    std::vector<Piece>& pieces = target.of(kind);
    pieces.push_back(parse_heading(std::move(words)));
    open = &pieces.back();
  }
  if (target.role != nullptr) share_lines(target.role->rules);
}

// The words of the code of a text: comments of facts name constants that the code does without.
std::set<std::string, std::less<>> words_of(std::string_view text, std::string_view comment) {
  std::set<std::string, std::less<>> words;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::string word;
    for (const char character : line.substr(0, line.find(comment)) + " ") {
      const bool is_part = std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
      if (is_part) word += character;
      if (!is_part && !word.empty()) words.insert(std::exchange(word, ""));
    }
  }
  return words;
}

// The part of this name for the variant: its own, else the one for any.
const Piece* part_for(const Templates& templates, std::string_view name, std::string_view variant) {
  const Piece* found = nullptr;
  for (const Piece& part : templates.parts) {
    if (part.names.front() != name) continue;
    if (has(part.variants, variant)) return &part;
    if (part.variants.empty()) found = &part;
  }
  return found;
}

// A part comes after those that it uses.
void add_used(const Templates& templates, const std::vector<std::string>& names, std::string_view variant,
              std::vector<const Piece*>& used) {
  for (const std::string& name : names) {
    const Piece* const part = part_for(templates, name, variant);
    if (part == nullptr || std::find(used.begin(), used.end(), part) != used.end()) continue;
    add_used(templates, part->uses, variant, used);
    used.push_back(part);
  }
}

std::string text_of(const std::filesystem::path& path, std::string& error) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file && error.empty()) error = path.string() + " cannot be read";
  return text.str();
}

}  // namespace

const Piece* Templates::find(Role role, std::string_view rule, std::string_view variant) const {
  for (const Piece& piece : of(role).rules) {
    if (has(piece.names, rule) && (piece.variants.empty() || has(piece.variants, variant))) return &piece;
  }
  return nullptr;
}

std::vector<const Piece*> Templates::parts_of(const std::vector<std::string>& names, std::string_view variant) const {
  std::vector<const Piece*> used;
  add_used(*this, names, variant, used);
  return used;
}

std::string Templates::facts_of(std::string_view text) const {
  std::set<std::string, std::less<>> words = words_of(text, comment);
  std::string chosen;
  for (auto fact = facts.rbegin(); fact != facts.rend(); ++fact) {
    if (!words.contains(fact->names.front())) continue;
    chosen.insert(0, fact->text);
    words.merge(words_of(fact->text, comment));
  }
  return chosen;
}

Templates parse_templates(std::string_view common, std::string_view producer, std::string_view consumer,
                          Language language, std::string_view facts) {
  const std::string_view mark = mark_of(language);
  Templates templates;
  templates.comment = language == Language::c ? "//" : "# ";
  parse(facts, mark, {templates.parts, nullptr, &templates.facts});
  parse(common, mark, {templates.parts});
  parse(producer, mark, {templates.parts, &templates.producer});
  parse(consumer, mark, {templates.parts, &templates.consumer});
  for (const std::vector<Piece>* pieces : {&templates.parts, &templates.producer.rules, &templates.consumer.rules}) {
    const bool all_named =
        std::none_of(pieces->begin(), pieces->end(), [](const Piece& piece) { return piece.names.empty(); });
    if (!all_named) templates.error = "a heading names no part and no rule";
  }
  return templates;
}

Templates read_templates(const std::filesystem::path& folder, Language language) {
  const std::string suffix = language == Language::c ? ".c" : ".py";
  std::string error;
  const auto text_of_each = [&](std::initializer_list<std::string_view> names) {
    std::string text;
    for (const std::string_view name : names) text += text_of(folder / (std::string(name) + suffix), error);
    return text;
  };
  const bool is_python = language == Language::python;
  const std::string common = is_python ? text_of_each({"common", "offers", "sequence"})
                                       : text_of_each({"common", "sequence_structs", "sequence"});
  const std::string producer = is_python ? text_of_each({"producer_tables", "producer_table_calls", "producer_structs",
                                                         "producer_lifetimes", "producer"})
                                         : text_of_each({"producer_tables", "producer"});
  const std::string consumer =
      is_python ? text_of_each({"consumer_tables", "consumer", "consumer_calls"}) : text_of_each({"consumer"});
  const std::string facts = text_of(folder / ("facts" + suffix), error);
  Templates templates = parse_templates(common, producer, consumer, language, facts);
  if (!error.empty()) templates.error = error;
  return templates;
}

}  // namespace dlspec::conformance
