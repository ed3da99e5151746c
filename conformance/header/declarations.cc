#include <dlspec/conformance/header/declarations.h>

#include <algorithm>
#include <cstddef>
#include <regex>
#include <span>
#include <sstream>
#include <utility>

#include <dlspec/conformance/header/tokens.h>

namespace dlspec::conformance {
namespace {

using Tokens = std::span<const std::string>;

// The position of the bracket that closes the one at `open`, or the end.
std::size_t closing(Tokens tokens, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < tokens.size(); ++at) {
    const std::string& token = tokens[at];
    if (token == "{" || token == "(" || token == "[") ++depth;
    if (token == "}" || token == ")" || token == "]") {
      if (--depth == 0) return at;
    }
  }
  return tokens.size();
}

// The name that one member's declaration declares: `int (*name)(...)`, `int name[4]`, `int name : 3`, `int name = 0`.
std::string member_name(Tokens declaration) {
  std::string name;
  for (std::size_t at = 0; at < declaration.size(); ++at) {
    const std::string& token = declaration[at];
    if (token == "(" && at + 2 < declaration.size() && declaration[at + 1] == "*") return declaration[at + 2];
    if (token == "(") return "";  // a function of C++
    if (token == "[" || token == "=" || token == ":") break;
    if (token == "{") at = closing(declaration, at);  // a struct or union inside
    if (at < declaration.size() && is_name(declaration[at])) name = declaration[at];
  }
  return name;
}

std::vector<std::string> members_of(Tokens body) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < body.size(); ++at) {
    if (body[at] == "{" || body[at] == "(") at = closing(body, at);
    if (at >= body.size() || body[at] != ";") continue;
    const std::string name = member_name(body.subspan(begin, at - begin));
    if (!name.empty()) names.push_back(name);
    begin = at + 1;
  }
  return names;
}

// Reads declarations one after the other, and those inside of namespaces and extern "C" blocks.
class Reader {
 public:
  explicit Reader(Tokens tokens) : tokens_(tokens) {}

  Declarations read() {
    read(0, tokens_.size(), "");
    return std::move(found_);
  }

 private:
  // The name after the closing bracket, `typedef struct {...} NAME;`, else `tag`.
  [[nodiscard]] std::string name_after(std::size_t close, const std::string& tag) const {
    const bool named = close + 1 < tokens_.size() && is_name(tokens_[close + 1]);
    return named ? tokens_[close + 1] : tag;
  }

  // The opening bracket of what begins at `at`, if it comes before the declaration ends.
  [[nodiscard]] std::size_t opening(std::size_t at, std::size_t end) const {
    for (; at < end && tokens_[at] != "{"; ++at) {
      const bool attribute = tokens_[at] == "__attribute__" || tokens_[at] == "alignas" || tokens_[at] == "__declspec";
      if (attribute && at + 1 < end && tokens_[at + 1] == "(") {
        at = closing(tokens_, at + 1);
      } else if (tokens_[at] == ";" || tokens_[at] == "(" || tokens_[at] == ")") {
        return end;
      }
    }
    return std::min(at, end);
  }

  std::size_t read_struct(std::size_t at, std::size_t end, const std::string& scope) {
    const std::size_t open = opening(at, end);
    if (open == end) return at + 1;
    const std::size_t close = closing(tokens_, open);
    const std::string tag = is_name(tokens_[at + 1]) ? tokens_[at + 1] : "";
    const std::size_t length = close - open > 0 ? close - open - 1 : 0;
    const std::string name = name_after(close, "");
    const bool is_tag = name.empty() && !tag.empty();
    found_.structs.push_back({is_tag ? tag : name, scope, members_of(tokens_.subspan(open + 1, length)), is_tag});
    return close + 1;
  }

  std::size_t read_enum(std::size_t at, std::size_t end, const std::string& scope) {
    const std::size_t open = opening(at, end);
    if (open == end) return at + 1;
    const std::size_t close = closing(tokens_, open);
    const bool scoped = tokens_[at + 1] == "class" || tokens_[at + 1] == "struct";
    const std::string& first = tokens_[at + (scoped ? 2 : 1)];
    const std::string name = name_after(close, is_name(first) ? first : "");
    bool at_name = true;  // an enumerator begins after the bracket and after each comma
    for (std::size_t inner = open + 1; inner < close; ++inner) {
      if (tokens_[inner] == "(") inner = closing(tokens_, inner);
      if (inner < close && at_name && is_name(tokens_[inner]))
        found_.enumerators.push_back({tokens_[inner], scoped ? scope + first + "::" : scope, name});
      at_name = inner < close && tokens_[inner] == ",";
    }
    return close + 1;
  }

  void read(std::size_t at, std::size_t end, const std::string& scope) {
    while (at < end) {
      const std::string& token = tokens_[at];
      if (token == "struct" && at + 1 < end) {
        at = read_struct(at, end, scope);
      } else if (token == "enum" && at + 1 < end) {
        at = read_enum(at, end, scope);
      } else if (token == "namespace" || token == "extern") {
        const std::size_t open = opening(at, end);
        if (open == end) {
          ++at;
          continue;
        }
        std::string inner = scope;
        for (std::size_t name = at + 1; token == "namespace" && name < open; ++name) {
          if (is_name(tokens_[name]) && tokens_[name] != "inline") inner += tokens_[name] + "::";
        }
        const std::size_t close = closing(tokens_, open);
        read(open + 1, close, inner);
        at = close + 1;
      } else {
        at = token == "{" ? closing(tokens_, at) + 1 : at + 1;
      }
    }
  }

  Tokens tokens_;
  Declarations found_;
};

}  // namespace

Declarations declarations_of(std::string_view preprocessed) {
  const std::vector<std::string> tokens = tokens_of(preprocessed);
  return Reader(tokens).read();
}

std::set<std::string> dlpack_macros(std::string_view definitions) {
  static const std::regex definition(R"(^#define (DLPACK_(\w*VERSION|FLAG_\w+)) +\S)");
  std::set<std::string> names;
  std::istringstream lines{std::string(definitions)};
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, match, definition)) names.insert(match[1]);
  }
  return names;
}

}  // namespace dlspec::conformance
