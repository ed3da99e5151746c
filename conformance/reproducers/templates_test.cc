// The pieces of scripts: how they are read, that they name rules and variants that exist, and which rules have none.
#include <dlspec/conformance/reproducers/templates.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <unistd.h>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/reproducers/folder.h>
#include <dlspec/conformance/reproducers/program.h>
#include <dlspec/conformance/reproducers/script.h>
#include <dlspec/conformance/reproducers/sequence_program.h>
#include <dlspec/conformance/subject/resources.h>

namespace dlspec::conformance {
namespace {

const std::filesystem::path source = std::filesystem::path(__FILE__).parent_path();

Templates templates_of(Language language) { return read_templates(find_resources().reproducers(), language); }

std::vector<Case> plan_of(Role role, Language language) {
  Selection selection;
  selection.kind = language == Language::c ? SubjectKind::plugin : SubjectKind::python;
  selection.roles = {role};
  return make_plan(selection);
}

TEST(Templates, KnowPartsRulesAndKeywords) {
  const Templates read = parse_templates("#: part a\nA\n#: part b uses a\nB\n",
                                         "#: keywords v x=1, y=2\n#: rule r s in v w uses b\nR\nS\n#: rule r\nT\n", "");
  ASSERT_EQ(read.parts.size(), 2U);
  EXPECT_EQ(read.parts[0].text, "A\n");
  EXPECT_EQ(read.producer.keywords.at("v"), "x=1, y=2");
  ASSERT_NE(read.find(Role::producer, "s", "w"), nullptr);
  EXPECT_EQ(read.find(Role::producer, "s", "w")->text, "R\nS\n");
  EXPECT_EQ(read.find(Role::producer, "r", "other")->text, "T\n");
  EXPECT_EQ(read.find(Role::producer, "s", "other"), nullptr);
  EXPECT_EQ(read.find(Role::consumer, "r", "v"), nullptr);
  const auto used = read.parts_of({"b"}, "v");
  ASSERT_EQ(used.size(), 2U);
  EXPECT_EQ(used[0]->names[0], "a");
}

std::string text_of_parts(const Templates& read, std::string_view variant) {
  std::string text;
  for (const Piece* part : read.parts_of({"b"}, variant)) text += part->text;
  return text;
}

TEST(Templates, AVariantMayHaveAPartOfItsOwn) {
  const Templates read =
      parse_templates("#: part a\nA\n#: part b uses a\nB\n#: part a in v uses c\nA of v\n#: part c\nC\n", "", "");
  EXPECT_EQ(text_of_parts(read, "v"), "C\nA of v\nB\n");
  EXPECT_EQ(text_of_parts(read, "w"), "A\nB\n");
}

void expect_known_names(Language language) {
  const Templates templates = templates_of(language);
  ASSERT_EQ(templates.error, "");
  std::set<std::string> parts;
  for (const Piece& part : templates.parts) parts.insert(part.names.front());
  for (const Piece& part : templates.parts) {
    for (const std::string& used : part.uses) EXPECT_TRUE(parts.contains(used)) << used;
  }
  for (const Role role : {Role::producer, Role::consumer}) {
    std::map<std::string, std::set<std::string>> variants;  // of a rule
    std::set<std::string> all{"versioned", "legacy"};
    for (const Case& work : plan_of(role, language)) {
      all.insert(work.variant);
      for (const RuleId id : work.rules) variants[rule(id).id].insert(work.variant);
    }
    for (const Piece& piece : templates.of(role).rules) {
      for (const std::string& used : piece.uses) EXPECT_TRUE(parts.contains(used)) << used;
      for (const std::string& name : piece.names) {
        if (name == "died") continue;
        EXPECT_TRUE(variants.contains(name)) << role_name(role) << " is not asked about " << name;
        for (const std::string& variant : piece.variants) EXPECT_TRUE(all.contains(variant)) << name << " " << variant;
      }
    }
    for (const auto& [variant, text] : templates.of(role).keywords) EXPECT_TRUE(all.contains(variant)) << variant;
  }
}

TEST(Templates, SpeakOfRulesVariantsAndPartsThatExist) {
  expect_known_names(Language::python);
  expect_known_names(Language::c);
}

// The rules that are checked and that no script shows, or for plug-ins no program in C.
std::set<std::string> rules_without_piece(Language language) {
  const Templates templates = templates_of(language);
  std::set<RuleId> asked;
  std::set<RuleId> shown;
  for (const Role role : {Role::producer, Role::consumer}) {
    for (const Case& work : plan_of(role, language)) {
      for (const RuleId id : work.rules) {
        asked.insert(id);
        if (templates.find(role, rule(id).id, work.variant) != nullptr) shown.insert(id);
      }
    }
  }
  EXPECT_GE(shown.size() * 10, asked.size() * 7);
  std::set<std::string> without;
  for (const RuleId id : asked) {
    if (!shown.contains(id)) without.insert(rule(id).id);
  }
  return without;
}

// The golden file not_shown.txt has a line for each of them: a language, an id. A difference names what has changed.
TEST(Templates, ShowAllRulesButThoseOfTheList) {
  std::ifstream file(source / "not_shown.txt");
  std::map<std::string, std::set<std::string>> listed;
  for (std::string language, id; file >> language >> id;) listed[language].insert(id);
  EXPECT_EQ(rules_without_piece(Language::python), listed["python"]);
  EXPECT_EQ(rules_without_piece(Language::c), listed["c"]);
}

TEST(Templates, GiveAScriptTheFactsThatItUses) {
  const Templates read =
      parse_templates("", "", "", Language::python,
                      "#: fact kCPU\nkCPU = 1\n#: fact kCUDA\nkCUDA = 2\n#: fact HOSTS\nHOSTS = (kCPU,)  # "
                      "not kCUDA\n#: fact ALL\nALL = HOSTS\n");
  EXPECT_EQ(read.facts_of("x in HOSTS"), "kCPU = 1\nHOSTS = (kCPU,)  # not kCUDA\n");
  EXPECT_EQ(read.facts_of("kCPUs"), "");
}

TEST(Templates, ShareTheLinesBelowTheLastHeading) {
  const Templates read = parse_templates("", "#: rule a in v uses p\n#: rule b uses p\nX\n#: rule c\nY\n", "");
  EXPECT_EQ(read.find(Role::producer, "a", "v")->text, "X\n");
  EXPECT_EQ(read.find(Role::producer, "a", "v")->uses, std::vector<std::string>{"p"});
  EXPECT_EQ(read.find(Role::producer, "a", "w"), nullptr);
  EXPECT_EQ(read.find(Role::producer, "b", "w")->text, "X\n");
  EXPECT_EQ(read.find(Role::producer, "c", "w")->text, "Y\n");
}

// What stands in a string or a comment of C cannot leave it, and what C99 has no way to write is not written.
TEST(Programs, AreOrderedAndQuoted) {
  const Templates templates = parse_templates("//: part frame\nFRAME\n//: part main\nMAIN\n//: part p\nPART\n",
                                              "//: rule tensor.element-address uses p\nPIECE\n", "", Language::c);
  Case work;
  work.role = Role::producer;
  work.variant = "legacy";
  work.order.dtype = "float32";
  Record record;
  record.rule = RuleId::tensor_element_address;
  record.allowed = "a \"word\"\nand ?\?/ more";
  const std::string text = make_program(templates, "title\nof two lines", "/a b/lib.so", work, record).text;
  EXPECT_NE(text.find("#define PLUGIN \"/a b/lib.so\"\n"), std::string::npos) << text;
  EXPECT_NE(text.find("#define ALLOWED \"a \\042word\\042\\012and \\077\\077/ more\"\n"), std::string::npos) << text;
  EXPECT_NE(text.find("#define GENERATION DLSPEC_LEGACY\n"), std::string::npos);
  EXPECT_NE(text.find("#define SHAPE {0}\n"), std::string::npos);
  EXPECT_LT(text.find("FRAME"), text.find("PART"));
  EXPECT_LT(text.find("PART"), text.find("PIECE"));
  EXPECT_LT(text.find("PIECE"), text.find("MAIN"));
  EXPECT_EQ(text.find("\nof two lines"), std::string::npos);
  record.rule = RuleId::tensor_shape_truthful;
  EXPECT_EQ(make_program(templates, "title", "/lib.so", work, record).why,
            "no program in C shows this rule in the variant legacy");
}

// Each step is a call, but for those that a plug-in has no function for; functions that nothing calls are left out.
TEST(Programs, CallAFunctionForEachStep) {
  const Templates templates = parse_templates(
      "//: part frame\n//: part sequence\nCORE\n//: part sequence_export uses sequence\nEXPORT\n"
      "//: part sequence_write uses sequence\nWRITE\n//: part plugin\n//: part main\nMAIN\n",
      "", "", Language::c);
  const Sequence steps =
      parse_sequence("make a0 rank1 int16 own; export e0 a0 legacy; take e0; drop e0; collect").value_or(Sequence{});
  Record record;
  record.role = Role::producer;
  const std::string text = make_sequence_program(templates, "title", "/lib.so", steps, record).text;
  EXPECT_NE(text.find("  make(0, &rank1_int16, 1);\n"
                      "  export_array(\"export e0 a0 legacy\", 0, 0, DLSPEC_LEGACY);\n"
                      "  // take e0: nothing is called\n  // drop e0: nothing is called\n"
                      "  // collect: nothing is called\n  finish();\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("static const Order rank1_int16 = {0, 16, 1, 1, rank1_int16_shape, NULL, 0, 0, "),
            std::string::npos);
  EXPECT_NE(text.find("EXPORT"), std::string::npos);
  EXPECT_EQ(text.find("WRITE"), std::string::npos);
  EXPECT_EQ(make_sequence_program(templates, "title", "/lib.so", {}, record).why,
            "the finding does not name its steps");
}

TEST(Scripts, SayWhatIsShownAndWriteHelpersOut) {
  const Templates templates = parse_templates("#: part frame\nFRAME\n#: part lethal\nLETHAL\n#: part p\nPART\n",
                                              "#: keywords v a=1\n#: rule tensor.strides-not-null uses p\nRULE\n", "");
  const auto folder = std::filesystem::temp_directory_path() / ("dlspec_scripts_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "lib.py") << "import helper\nimport lib\ndef make(spec): pass\n";
  std::ofstream(folder / "helper.py") << "def of(spec):\n    return 1\n";
  Case work;
  work.id = "producer/float32/c/v";
  work.variant = "v";
  work.order = {"float32", {2}, std::vector<std::int64_t>{-1}, 1, false, {1, 0}, std::string("\x01\xff", 2)};
  Record record;
  record.rule = RuleId::tensor_strides_not_null;
  record.observed = "a\nline \"quoted\"";
  record.allowed = "it's \\ \"so\"";
  record.status = Verdict::fail;
  ScriptSubject subject{"Lib 1", folder / "lib.py", true};
  const std::string text = make_script(templates, subject, work, record).text;
  EXPECT_NE(text.find("KEYWORDS = dict(a=1)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("shape=(2,), strides=(-1,), offset=1, readonly=False, device=(1, 0)"), std::string::npos) << text;
  EXPECT_NE(text.find("bytes.fromhex(\"01ff\")"), std::string::npos) << text;
  EXPECT_NE(text.find("ALLOWED = \"it's \\\\ \\\"so\\\"\"\n"), std::string::npos) << text;
  EXPECT_NE(text.find("import lib\n"), std::string::npos) << "a library of the adapter's own name stays an import";
  EXPECT_NE(text.find("    return types.SimpleNamespace(**locals())\n\n\nhelper = helper()\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("LETHAL"), std::string::npos);
  EXPECT_EQ(text.find("sys.path"), std::string::npos);
  EXPECT_TRUE(text.starts_with("# Lib 1, producer: tensor.strides-not-null\n")) << text;
  EXPECT_EQ(text.find("\nline"), std::string::npos) << "what was observed stays a comment";
  record.status = Verdict::crash;
  subject.shipped = false;
  const std::string lethal = make_script(templates, subject, work, record).text;
  EXPECT_LT(lethal.find("LETHAL"), lethal.find("sys.path.append("));
  record.rule = RuleId::tensor_strides_unit;
  record.status = Verdict::fail;
  EXPECT_EQ(make_script(templates, subject, work, record).text, "");
  EXPECT_NE(make_script(templates, subject, work, record).why, "");
  std::filesystem::remove_all(folder);
}

TEST(NewFolder, IsWrittenWholeOrNotAtAll) {
  const auto place = std::filesystem::temp_directory_path() / ("dlspec_folder_" + std::to_string(::getpid()));
  std::filesystem::create_directories(place);
  const std::string path = (place / "new").string();
  EXPECT_EQ(check_new_folder(path + "/"), "");
  EXPECT_NE(write_folder(path, {{"a.py", "A"}, {"no/b.py", "B"}}), "");
  EXPECT_TRUE(std::filesystem::is_empty(place)) << "nothing half-written";
  EXPECT_EQ(write_folder(path + "/", {{"a.py", "A"}, {"README.md", "B"}}), "");
  EXPECT_TRUE(std::filesystem::is_regular_file(path + "/a.py"));
  EXPECT_NE(check_new_folder(path).find("is not empty"), std::string::npos);
  EXPECT_NE(check_new_folder(path + "/a.py").find("is a file"), std::string::npos);
  EXPECT_NE(check_new_folder((place / "no" / "such").string()).find("there is no folder"), std::string::npos);
  std::filesystem::remove_all(path);
  std::filesystem::create_directory(path);
  EXPECT_EQ(check_new_folder(path), "");
  EXPECT_EQ(write_folder(path, {{"README.md", "B"}}), "") << "an empty folder is taken";
  std::filesystem::remove_all(place);
}

TEST(Templates, AHeadingWithoutANameIsAnError) {
  EXPECT_EQ(parse_templates("//: part frame\n", "", "", Language::c).error, "");
  EXPECT_EQ(parse_templates("//: part\n", "", "", Language::c).error, "a heading names no part and no rule");
  EXPECT_NE(parse_templates("", "//: rule\n", "", Language::c).error, "");
}

}  // namespace
}  // namespace dlspec::conformance
