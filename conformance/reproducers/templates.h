// The pieces that stand-alone scripts are made of, in share/dlspec/reproducers: facts.py; common.py, offers.py and
// sequence.py; what shows the rules of producers (producer_*.py, producer.py) and of consumers (consumer.py,
// consumer_*.py), where what is read first is found first. Programs in C have facts.c, common.c,
// sequence_structs.c, sequence.c, producer_tables.c, producer.c and consumer.c, with // for #.
//
//   #: fact NAME                                      a constant, table or struct of DLPack; make_facts.py writes them
//   #: part NAME [in VARIANT...] [uses PART...]       a piece that others use; in these variants in place of the other
//                                                     piece of this name
//   #: rule RULE... [in VARIANT...] [uses PART...]    what shows a violation: ends in verdict(is_violated, observed);
//                                                     headings one below the other share the lines below the last
//   #: keywords VARIANT TEXT                          what a variant changes: arguments of a call; in C, statements
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/conformance/core/case.h>

namespace dlspec::conformance {

struct Piece {
  std::vector<std::string> names;     // of the part, or ids of rules
  std::vector<std::string> variants;  // empty: any
  std::vector<std::string> uses;      // parts
  std::string text;
};

struct RoleTemplates {
  std::vector<Piece> rules;
  std::map<std::string, std::string, std::less<>> keywords;  // by variant
};

struct Templates {
  std::vector<Piece> facts;  // in the order in which they stand in a script; a fact uses only those before it
  std::vector<Piece> parts;
  RoleTemplates producer;
  RoleTemplates consumer;
  std::string_view comment;  // what begins one
  std::string error;         // a sentence about a file that cannot be read; else empty

  [[nodiscard]] const RoleTemplates& of(Role role) const { return role == Role::producer ? producer : consumer; }
  // What shows the rule in this variant; NULL when nothing does.
  [[nodiscard]] const Piece* find(Role role, std::string_view rule, std::string_view variant) const;
  // The named parts, those that they use, and so on, each once and after those that it uses; where the variant has its
  // own part, that one.
  [[nodiscard]] std::vector<const Piece*> parts_of(const std::vector<std::string>& names,
                                                   std::string_view variant) const;
  // The facts whose names are words of the text, and those that these use.
  [[nodiscard]] std::string facts_of(std::string_view text) const;
};

enum class Language : std::uint8_t { python, c };
[[nodiscard]] Templates read_templates(const std::filesystem::path& folder, Language language);
// From the text of the files.
[[nodiscard]] Templates parse_templates(std::string_view common, std::string_view producer, std::string_view consumer,
                                        Language language = Language::python, std::string_view facts = "");

}  // namespace dlspec::conformance
