// Pictures of memory for the rules on where elements lie: what is right, and what is wrong.
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <dlspec/conformance/report/picture.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/descriptor/text.h>

#include "pages.h"

namespace dlspec::docs {
namespace {

using Bytes = std::pair<std::int64_t, std::int64_t>;

struct Row {
  RuleId rule;
  Bytes memory;
  const char* right;
  const char* right_caption;
  const char* wrong;
  const char* wrong_caption;

  [[nodiscard]] bool same_dtype() const {
    const std::string_view one = right, other = wrong;
    return one.substr(0, one.find(' ')) == other.substr(0, other.find(' '));
  }
};

constexpr Row rows[] = {
#define DLSPEC_PICTURE(rule, memory, right, right_caption, wrong, wrong_caption) \
  {RuleId::rule, Bytes memory, right, right_caption, wrong, wrong_caption},
#include "rule_pictures.def"
#undef DLSPEC_PICTURE
};

// The picture of a tensor in this memory, with so many places in a row, or as many as fit.
conformance::Picture drawing(const char* text, const Bytes& memory, std::size_t places) {
  const auto parsed = reference::parse_text(std::string(text) + " @cpu v1.3");
  const Descriptor& tensor = std::get<Descriptor>(parsed);  // the table is compiled in: another text is found at once
  conformance::Drawn drawn{tensor.layout, reference::storage_bits(tensor.layout.dtype, false), memory,
                           static_cast<std::int64_t>(places)};
  constexpr std::size_t narrow = 60;
  return conformance::picture_of(drawn, narrow);
}

}  // namespace

std::string rule_pictures(const Rule& rule, Pages& pages) {
  std::string text;
  for (const Row& row : rows) {
    if (row.rule != rule.rule) continue;
    const auto add = [&](const char* word, const char* tensor, const char* caption, std::size_t places) {
      const std::string name = fmt::format("{}-{}", rule.id, word);
      const conformance::Picture picture = drawing(tensor, row.memory, places);
      pages[fmt::format("rules/pictures/{}.svg", name)] = conformance::picture_svg(picture, name);
      text += fmt::format("\n## {0}\n\n{1}\n\n![Memory of `{2}`: {1}](pictures/{3}.svg)\n", word, markdown(caption),
                          tensor, name);
      return picture.rows.empty() ? std::size_t{0} : picture.rows.front().cells.size();
    };
    const std::size_t places = add("Right", row.right, row.right_caption, 0);
    add("Wrong", row.wrong, row.wrong_caption, places > 1 && row.same_dtype() ? places : 0);  // rows can be compared
  }
  return text;
}

}  // namespace dlspec::docs
