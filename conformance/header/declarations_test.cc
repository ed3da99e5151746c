#include <dlspec/conformance/header/declarations.h>

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/header/measured.h>

namespace dlspec::conformance {
namespace {

std::vector<std::string> names(const Declarations& declarations) {
  std::vector<std::string> found;
  for (const DeclaredStruct& one : declarations.structs) found.push_back(one.scope + one.name);
  return found;
}

using Names = std::vector<std::string>;

TEST(Declarations, StructsByTypedefAndByTag) {
  const Declarations found = declarations_of("typedef struct { int a; } A; struct B { int b; }; typedef struct C C;");
  EXPECT_EQ(names(found), (Names{"A", "B"}));
  EXPECT_FALSE(found.structs[0].is_tag);
  EXPECT_TRUE(found.structs[1].is_tag);
}

TEST(Declarations, MembersOfEveryForm) {
  const Declarations found = declarations_of(
      "typedef struct S { const int* a; void (*b)(struct S* self, int c); unsigned d : 3, e; int f[2][3]; "
      "union { int g; } h; } S;");
  ASSERT_EQ(found.structs.size(), 1U);
  EXPECT_EQ(found.structs[0].members, (Names{"a", "b", "d", "f", "h"}));
}

TEST(Declarations, AttributesStandBeforeTheMembers) {
  const Declarations found = declarations_of("typedef struct __attribute__((packed, aligned(4))) { int a; } A;");
  EXPECT_EQ(names(found), Names{"A"});
}

TEST(Declarations, EnumeratorsOfCAndOfCpp) {
  const Declarations found =
      declarations_of("typedef enum { a = 1, b = (1 << 2), c } E; enum F : int { d }; enum class G { e = f(1, 2) };");
  Names enumerators;
  for (const DeclaredEnumerator& one : found.enumerators) enumerators.push_back(one.type + " " + one.scope + one.name);
  EXPECT_EQ(enumerators, (Names{"E a", "E b", "E c", "F d", "G G::e"}));
}

TEST(Declarations, NamespacesAndExternC) {
  const Declarations found = declarations_of(
      "extern \"C\" { namespace one::two { struct A { int a; }; } } extern int c; struct B { int b; };");
  EXPECT_EQ(names(found), (Names{"one::two::A", "B"}));
}

TEST(Declarations, SystemHeadersAreLeftOut) {
  const Declarations found = declarations_of(
      "# 1 \"/usr/include/x.h\" 1 3 4\nstruct A { int a; };\n# 2 \"mine.h\" 2\nstruct B { int b; };\n"
      "#pragma pack(1)\n");
  EXPECT_EQ(names(found), Names{"B"});
}

TEST(Declarations, AnyTextIsReadToItsEnd) {
  for (const char* const text :
       {"", "struct", "enum", "struct {", "struct A {", "enum {", "enum class", "namespace a {", "extern", "}",
        "struct A { int (", "\"", "'\\", "struct A { int (*", "enum { a ="}) {
    EXPECT_NO_THROW((void)declarations_of(text)) << text;
    EXPECT_NO_THROW((void)declarations_of(std::string(text) + " struct A")) << text;
  }
}

TEST(Declarations, MacrosWithAValue) {
  const auto found = dlpack_macros(
      "#define DLPACK_VERSION 60\n#define DLPACK_EXTERN_C extern \"C\"\n#define DLPACK_FLAG_BITMASK_READ_ONLY (1UL << "
      "0UL)\n#define DLPACK_MINOR_VERSION\n#define OTHER_VERSION 3\n#define DLPACK_FLAG_OF(x) x\n");
  EXPECT_EQ(found, (std::set<std::string>{"DLPACK_VERSION", "DLPACK_FLAG_BITMASK_READ_ONLY"}));
}

TEST(Measured, ReadsTheLinesOfTheProbe) {
  const auto read = read_measured(
      "struct DLTensor 48 8\nmember DLTensor data 0 8\nenumerator kDLCPU 1\nmacro DLPACK_VERSION 60\n"
      "elements shape 8 1\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->structs.at("DLTensor").size, 48U);
  EXPECT_EQ(read->structs.at("DLTensor").members.at("data").size, 8U);
  EXPECT_EQ(read->enumerators.at("kDLCPU"), 1);
  EXPECT_EQ(read->macros.at("DLPACK_VERSION"), 60U);
  EXPECT_TRUE(read->elements.at("shape").is_signed);
}

TEST(Measured, RefusesOtherText) {
  EXPECT_FALSE(read_measured("hello\n"));
  EXPECT_FALSE(read_measured("struct DLTensor 48\n"));
  EXPECT_FALSE(read_measured("macro DLPACK_VERSION many\n"));
}

}  // namespace
}  // namespace dlspec::conformance
