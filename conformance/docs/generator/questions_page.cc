#include <fmt/format.h>

#include <dlspec/vocabulary/questions.h>

#include "pages.h"

namespace dlspec::docs {

void add_questions_page(Pages& pages) {
  std::string text = fmt::format(
      "# Questions that the standard leaves open\n\n{}\nWhat the texts around DLPack do not say, or say twice; how "
      "dlspec decides, and what libraries are known to do. Where no release of a library is named, it is what its "
      "sources of August 2026 say. `dlspec rules --questions` prints the same.\n",
      made_by);
  for (const Question& question : questions()) {
    std::string links;
    for (const Rule* rule : rules_of(question)) links += (links.empty() ? "" : ", ") + rule_link(rule->id, "rules/");
    text += fmt::format(
        "\n## {}\n\n**{}**\n\n*What the texts say.* {}\n\n*How dlspec decides.* {}\n\n*What libraries do.* {}\n\n"
        "Rules: {}\n",
        question.id, markdown(question.question), markdown(question.texts), markdown(question.decision),
        markdown(question.practice), links);
  }
  pages["questions.md"] = text;
}

}  // namespace dlspec::docs
