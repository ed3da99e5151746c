#include <dlspec/reference/descriptor/text.h>

#include <ostream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/reference/testing/generators.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::reference {
namespace {

RC_GTEST_PROP(Text, IsParsedBackExactly, ()) {
  const Descriptor descriptor = *testing::any_descriptor();
  const std::string text = print_text(descriptor);
  const auto parsed = parse_text(text);
  RC_LOG() << text << "\n";
  RC_ASSERT(std::holds_alternative<Descriptor>(parsed));
  RC_ASSERT(std::get<Descriptor>(parsed) == descriptor);
}

// Each descriptor has one spelling: one changed byte gives an error or another descriptor.
RC_GTEST_PROP(Text, HasOneSpelling, ()) {
  std::string text = print_text(*testing::any_descriptor());
  text[*rc::gen::inRange<std::size_t>(0, text.size())] =
      *rc::gen::elementOf(std::string("0123456789(),:+-@ vb.xfinta"));
  const auto parsed = parse_text(text);
  if (const auto* descriptor = std::get_if<Descriptor>(&parsed)) RC_ASSERT(print_text(*descriptor) == text);
}

Descriptor strided() {
  Descriptor descriptor;
  descriptor.layout = {{kDLFloat, 32, 1}, {3, 4}, {{8, -1}}, 28};
  descriptor.version = {1, 2};
  descriptor.flags = 1;
  return descriptor;
}

TEST(Text, LooksAsDocumented) {
  EXPECT_EQ(print_text(strided()), "float32 (3,4):(8,-1)+7 @cpu v1.2 ro");
  EXPECT_EQ(print_text({}), "float32 () @cpu v1.3");
}

TEST(Text, ShowsOffsetsThatAreNoWholeElementsInBytes) {
  Descriptor descriptor = strided();
  descriptor.layout.byte_offset = 30;
  EXPECT_EQ(print_text(descriptor), "float32 (3,4):(8,-1)+30b @cpu v1.2 ro");
  descriptor.layout.dtype = {kDLInt, 4, 1};
  EXPECT_EQ(print_text(descriptor), "int4 (3,4):(8,-1)+30b @cpu v1.2 ro");
}

TEST(Text, ShowsGenerationsFlagsAndNullData) {
  Descriptor descriptor = strided();
  descriptor.flags = 0x8000000000000007;
  descriptor.null_data = true;
  descriptor.device = {kDLCUDA, 1};
  EXPECT_EQ(print_text(descriptor),
            "float32 (3,4):(8,-1)+7 @cuda:1 v1.2 ro copied padded flags=0x8000000000000000 data=null");
  descriptor.generation = Generation::legacy;
  EXPECT_EQ(print_text(descriptor), "float32 (3,4):(8,-1)+7 @cuda:1 legacy data=null");
  descriptor.generation = Generation::bare;
  EXPECT_EQ(print_text(descriptor), "float32 (3,4):(8,-1)+7 @cuda:1 bare data=null");
}

TEST(Text, TellsNoStridesFromNoAxes) {
  Descriptor descriptor;
  descriptor.layout.strides.emplace();
  EXPECT_EQ(print_text(descriptor), "float32 ():() @cpu v1.3");
  EXPECT_EQ(std::get<Descriptor>(parse_text("float32 ():() @cpu v1.3")), descriptor);
}

struct Wrong {
  const char* text;
  std::size_t position;
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << '"' << wrong.text << '"'; }

class WrongText : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongText, IsRefusedWhereTheErrorStands) {
  const auto parsed = parse_text(GetParam().text);
  ASSERT_TRUE(std::holds_alternative<TextError>(parsed));
  const TextError& error = std::get<TextError>(parsed);
  EXPECT_EQ(error.position, GetParam().position) << error.message;
  EXPECT_EQ(error.message, GetParam().message);
}

constexpr Wrong wrong_texts[] = {
    {"", 0, "a dtype is expected"},
    {"floaty (3) @cpu v1.2", 0, "a dtype is expected"},
    {"float032 (3) @cpu v1.2", 0, "a dtype is expected"},
    {"dtype(2,32,1) (3) @cpu v1.2", 0, "a dtype is expected"},
    {"float32", 7, "a space before the shape is expected"},
    {"float32  (3) @cpu v1.2", 8, "\"(\" and the extents are expected"},
    {"float32 (3,) @cpu v1.2", 11, "an extent is expected"},
    {"float32 (03) @cpu v1.2", 9, "the number has a leading zero or an upper-case digit"},
    {"float32 (-0) @cpu v1.2", 9, "the number has a leading zero or an upper-case digit"},
    {"float32 (+3) @cpu v1.2", 9, "an extent is expected"},
    {"float32 (9223372036854775808) @cpu v1.2", 9, "the number is out of range"},
    {"float32 (3 @cpu v1.2", 10, "\",\" or \")\" is expected"},
    {"float32 (3):(1,2) @cpu v1.2", 11, "one stride per extent is expected"},
    {"float32 (3):(x) @cpu v1.2", 13, "a stride is expected"},
    {"float32 (3): @cpu v1.2", 12, "\"(\" and the strides are expected"},
    {"float32 (3)+ @cpu v1.2", 12, "an offset is expected"},
    {"float32 (3)+0 @cpu v1.2", 12, "an offset of 0 is left out"},
    {"float32 (3)+8b @cpu v1.2", 12, "the offset is spelled \"2\""},
    {"float32 (3)+4611686018427387904 @cpu v1.2", 12, "the offset is out of range"},
    {"int4 (3)+2 @cpu v1.2", 9, "an offset in bytes is expected, because elements do not fill whole bytes"},
    {"float32 (3) cpu v1.2", 11, "\" @\" and a device are expected"},
    {"float32 (3) @gpu v1.2", 13, "a device is expected"},
    {"float32 (3) @cpu:0 v1.2", 13, "a device is expected"},
    {"float32 (3) @cpu", 16, "a space before the version is expected"},
    {"float32 (3) @cpu 1.2", 17, "\"v1.2\", \"legacy\" or \"bare\" is expected"},
    {"float32 (3) @cpu v1", 19, "\".\" and a minor version are expected"},
    {"float32 (3) @cpu v1.4294967296", 20, "the number is out of range"},
    {"float32 (3) @cpu v1.2 copied ro", 28, "the text should end here"},
    {"float32 (3) @cpu v1.2 flags=0x", 30, "hexadecimal digits are expected"},
    {"float32 (3) @cpu v1.2 flags=0x0", 30, "only bits without a name are written as a number"},
    {"float32 (3) @cpu v1.2 flags=0x9", 30, "only bits without a name are written as a number"},
    {"float32 (3) @cpu v1.2 flags=0xA0", 30, "the number has a leading zero or an upper-case digit"},
    {"float32 (3) @cpu legacy ro", 23, "the text should end here"},
    {"float32 (3) @cpu v1.2 ", 21, "the text should end here"},
};
INSTANTIATE_TEST_SUITE_P(Text, WrongText, ::testing::ValuesIn(wrong_texts));

}  // namespace
}  // namespace dlspec::reference
