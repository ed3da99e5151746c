#include "shell.h"

#include <algorithm>

#include <fmt/format.h>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/verdict/status.h>

namespace dlspec::command {

using conformance::split_at;

namespace {

// An option, or an argument without a name.
struct Row {
  std::string name;                  // "--jobs"; or "SUBJECT"
  std::string type;                  // "N"; empty for a flag
  std::string what;                  // what the help text says
  std::vector<std::string> choices;  // its values, where they are few
};

struct Part {
  std::string name;  // "run", "baseline update"
  std::string about;
  std::string footer;
  std::vector<Row> options;
  std::vector<Row> arguments;
};

// CLI11 writes the values of a choice behind the type: "LEVEL:{may,must}".
Row row_of(const CLI::Option& option) {
  Row row;
  row.name = option.get_positional() ? option.get_name(true) : "--" + option.get_lnames().front();
  row.what = option.get_description();
  if (option.get_items_expected_max() == 0) return row;
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find(":{");
  row.type = type.substr(0, type.find(':'));
  if (begin != std::string::npos) row.choices = split_at(type.substr(begin + 2, type.size() - begin - 3), ',');
  return row;
}

void add_parts(const CLI::App& app, const std::string& before, std::vector<Part>& parts) {
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    Part part{before + sub->get_name(), sub->get_description(), sub->get_footer(), {}, {}};
    const bool is_group = !sub->get_subcommands([](const CLI::App*) { return true; }).empty();
    for (const CLI::Option* option : sub->get_options([](const CLI::Option*) { return true; })) {
      (option->get_positional() ? part.arguments : part.options).push_back(row_of(*option));
    }
    if (is_group) {
      add_parts(*sub, part.name + " ", parts);
    } else {
      parts.push_back(std::move(part));
    }
  }
}

std::vector<Part> parts_of(const CLI::App& app) {
  std::vector<Part> parts;
  add_parts(app, "", parts);
  return parts;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The first words of all commands: "run inspect … baseline".
std::string command_words(const std::vector<Part>& parts) {
  std::vector<std::string> words;
  for (const Part& part : parts) {
    const std::string word = part.name.substr(0, part.name.find(' '));
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  return fmt::format("{}", fmt::join(words, " "));
}

std::string option_words(const Part& part) {
  std::vector<std::string> words;
  for (const Row& row : part.options) words.push_back(row.name);
  return fmt::format("{}", fmt::join(words, " "));
}

std::string bash_text(const std::vector<Part>& parts) {
  std::string options;
  std::string values;
  for (const Part& part : parts) {
    options += fmt::format("    {}) options=\"{}\" ;;\n", split_at(part.name, ' ').front(), option_words(part));
    for (const Row& row : part.options) {
      const std::string entry = fmt::format("    {}) words=\"{}\" ;;\n", row.name, fmt::join(row.choices, " "));
      if (!row.choices.empty() && values.find(entry) == std::string::npos) values += entry;
    }
  }
  return fmt::format(
      "# bash completion for dlspec; written by `dlspec --completion bash`\n"
      "_dlspec() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words= options=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"{} --help --version\" -- \"$word\")\n"
      "    return\n"
      "  fi\n"
      "  case $before in\n{}  esac\n"
      "  case ${{COMP_WORDS[1]}} in\n{}  esac\n"
      "  if [ -z \"$words\" ] && [[ $word == -* ]]; then words=$options; fi\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
      "}}\n"
      "complete -o default -F _dlspec dlspec\n",
      command_words(parts), values, options);
}

// A text between single quotes; zsh takes brackets and colons of it for its own.
std::string quoted(std::string_view text, bool for_zsh) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      if (for_zsh && (c == '[' || c == ']' || c == ':')) result += '\\';
      result += c;
    }
  }
  return "'" + result + "'";
}

std::string zsh_option(const Row& row) {
  std::string text = row.name + "[" + quoted(row.what, true).substr(1);
  text.pop_back();
  text += ']';
  if (!row.type.empty()) text += ":" + row.type + ":";
  if (!row.choices.empty()) text += fmt::format("({})", fmt::join(row.choices, " "));
  if (row.type.starts_with("FILE") || row.type == "DIR" || row.type == "PATH") text += "_files";
  return "'" + text + "'";
}

std::string zsh_text(const std::vector<Part>& parts) {
  std::string text =
      "#compdef dlspec\n# zsh completion for dlspec; written by `dlspec --completion zsh`\n"
      "if (( CURRENT == 2 )); then\n  compadd -- " +
      command_words(parts) + " --help --version\n  return\nfi\nlocal -a options\ncase $words[2] in\n";
  for (const Part& part : parts) {
    text += "  " + split_at(part.name, ' ').front() + ") options=(\n";
    for (const Row& row : part.options) text += "    " + zsh_option(row) + "\n";
    text += "  ) ;;\n";
  }
  return text + "esac\n_arguments -s $options '*:file:_files'\n";
}

std::string fish_text(const std::vector<Part>& parts) {
  std::string text = "# fish completion for dlspec; written by `dlspec --completion fish`\n";
  for (const Part& part : parts) {
    const std::string command = split_at(part.name, ' ').front();
    text += fmt::format("complete -c dlspec -n __fish_use_subcommand -a {} -d {}\n", command,
                        quoted(first_line(part.about), false));
    for (const Row& row : part.options) {
      text += fmt::format("complete -c dlspec -n '__fish_seen_subcommand_from {}' -l {} -d {}{}", command,
                          row.name.substr(2), quoted(row.what, false), row.type.empty() ? "" : " -r");
      if (!row.choices.empty()) text += fmt::format(" -f -a '{}'", fmt::join(row.choices, " "));
      text += '\n';
    }
  }
  return text;
}

// A text for troff: no line may begin with a dot or a quote, and a hyphen is a hyphen of ASCII.
std::string roff(const std::string& text) {
  std::string result;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    begins = c == '\n';
  }
  return result;
}

std::string manual_part(const Part& part) {
  std::string text = fmt::format(".SS dlspec {}\n", roff(part.name));
  for (const Row& row : part.arguments) text += fmt::format("\\fI{}\\fR\n", roff(row.name));
  text += ".PP\n.nf\n" + roff(part.about) + "\n.fi\n";
  for (const Row& row : part.options) {
    text += fmt::format(".TP\n\\fB{}\\fR{}{}\n{}\n", roff(row.name), row.type.empty() ? "" : " ",
                        row.type.empty() ? "" : "\\fI" + roff(row.type) + "\\fR", roff(row.what));
    if (!row.choices.empty()) text += fmt::format("({})\n", roff(fmt::format("{}", fmt::join(row.choices, ", "))));
  }
  if (!part.footer.empty()) text += ".PP\n.nf\n" + roff(part.footer) + "\n.fi\n";
  return text;
}

std::string manual(const CLI::App& app, const std::vector<Part>& parts) {
  std::string text = ".\\\" Written by `dlspec --manual`.\n.TH DLSPEC 1 \"\" \"dlspec " DLSPEC_VERSION
                     "\"\n.SH NAME\ndlspec \\- conformance suite for DLPack\n.SH SYNOPSIS\n"
                     ".B dlspec\n\\fICOMMAND\\fR [\\fIOPTION\\fR...]\n.SH DESCRIPTION\n.nf\n" +
                     roff(app.get_description()) + ".fi\n.SH COMMANDS\n";
  for (const Part& part : parts) text += manual_part(part);
  return text + ".SH EXIT STATUS AND ENVIRONMENT\n.nf\n" + roff(app.get_footer()) + "\n.fi\n";
}

// Finished text ends a line of its own.
Finished printed(std::string text) {
  text.pop_back();
  return {0, std::move(text)};
}

}  // namespace

std::optional<Finished> shell_text(const CLI::App& app, const std::vector<std::string>& arguments) {
  const std::string& asked = arguments.front();
  if (asked == manual_option && arguments.size() == 1) return printed(manual(app, parts_of(app)));
  if (asked != completion_option) return std::nullopt;
  const std::string shell = arguments.size() == 2 ? arguments[1] : "";
  if (shell == "bash") return printed(bash_text(parts_of(app)));
  if (shell == "zsh") return printed(zsh_text(parts_of(app)));
  if (shell == "fish") return printed(fish_text(parts_of(app)));
  return Finished{conformance::exit_usage, "dlspec: --completion takes one of bash, zsh and fish"};
}

}  // namespace dlspec::command
