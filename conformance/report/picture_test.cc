#include <dlspec/conformance/report/picture.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <dlspec/conformance/report/wrap.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

Drawn drawn(const char* dtype, std::vector<std::int64_t> shape, std::optional<std::vector<std::int64_t>> strides,
            std::uint64_t byte_offset = 0) {
  Drawn one;
  one.layout = {parse_dtype(dtype).value(), std::move(shape), std::move(strides), byte_offset};
  one.storage_bits = reference::storage_bits(one.layout.dtype, false);
  return one;
}

// numpy.arange(24).reshape(4,6)[::2, ::-1]
Drawn sliced() { return drawn("int64", {2, 6}, {{12, -1}}); }

struct Sample {
  const char* name;
  Drawn what;
};

std::vector<Sample> samples() {
  Drawn outside = drawn("float32", {3, 4}, {{5, 1}}, 4);
  outside.memory = {0, 48};
  return {{"sliced", sliced()},
          {"broadcast", drawn("float32", {3, 4}, {{0, 1}})},
          {"overlap", drawn("int16", {3, 4}, {{1, 1}})},
          {"offset", drawn("float32", {3, 4}, std::nullopt, 20)},
          {"scalar", drawn("complex128", {}, std::nullopt)},
          {"packed", drawn("int4", {7}, std::nullopt)},
          {"outside", outside},
          {"large", drawn("uint8", {1000, 1000}, {{1000, 1}})},
          {"far", drawn("float64", {2, 2}, {{1'000'000, 1}})},
          {"empty", drawn("float32", {3, 0}, std::nullopt)}};
}

// Compares with the file, which DLSPEC_UPDATE_GOLDEN=1 writes.
void expect_golden(const std::string& text, const std::string& name) {
  const std::filesystem::path file = std::filesystem::path(__FILE__).parent_path() / "pictures" / name;
  if (std::getenv("DLSPEC_UPDATE_GOLDEN") != nullptr) std::ofstream(file) << text;
  std::ifstream stream(file);
  std::stringstream golden;
  golden << stream.rdbuf();
  EXPECT_EQ(text, golden.str()) << file;
}

TEST(Pictures, AreAsTheyWereApproved) {
  for (const Sample& sample : samples()) {
    const Picture picture = picture_of(sample.what);
    expect_golden(picture_text(picture, {.unicode = true, .color = false}), std::string(sample.name) + ".txt");
  }
  expect_golden(picture_text(picture_of(sliced()), {.unicode = false, .color = false}), "sliced_ascii.txt");
  expect_golden(picture_svg(picture_of(sliced()), "sliced"), "sliced.svg");
  expect_golden(picture_svg(picture_of(samples()[1].what), "broadcast"), "broadcast.svg");
}

// Three arrows in one row: each label is drawn over all of them, with an edge that hides what passes behind it.
TEST(Pictures, NoArrowCrossesALabel) {
  const std::string svg = picture_svg(picture_of(drawn("uint8", {2, 3, 2}, std::nullopt)), "axes");
  expect_golden(svg, "axes.svg");
  const std::size_t last_arrow = svg.rfind("class=\"tip\""), first_label = svg.find("class=\"axis\"");
  ASSERT_NE(first_label, std::string::npos);
  EXPECT_LT(last_arrow, first_label);
  EXPECT_NE(svg.find("paint-order: stroke; stroke: var(--page)"), std::string::npos);
}

// Every element at the place that arithmetic gives it, read back from the rows.
TEST(Pictures, PutEachElementWhereItLies) {
  const Picture picture = picture_of(sliced());
  ASSERT_EQ(picture.rows.size(), 2u);
  EXPECT_EQ(picture.rows[0].address, "data-40");
  EXPECT_EQ(picture.rows[1].address, "data+56");
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_EQ(picture.rows[i].cells.at(5 - j).text, std::to_string(i) + "," + std::to_string(j));
    }
  }
  EXPECT_EQ(picture.rows[0].cells[5].place, Place::first);
  EXPECT_EQ(picture.rows[0].cells[6].place, Place::gap);
  EXPECT_EQ(picture.rows[0].cells.size(), 12u) << "the next row of the source begins under this one";
}

TEST(Pictures, OfAxesThatShareMemoryCountTheElements) {
  const Picture picture = picture_of(drawn("float32", {3, 4}, {{0, 1}}));
  ASSERT_EQ(picture.rows.size(), 1u);
  EXPECT_EQ(picture.rows[0].cells[1].text, "0,1+2");
  EXPECT_EQ(picture.rows[0].cells[1].place, Place::shared);
}

TEST(Pictures, MarkWhatLiesOutsideTheMemory) {
  Drawn one = drawn("float32", {4}, {{-1}});
  one.memory = {-8, 4};
  const Picture picture = picture_of(one);
  EXPECT_EQ(picture.rows[0].cells[0].place, Place::outside);
  EXPECT_EQ(picture.rows[0].cells[1].place, Place::element);
  EXPECT_EQ(legend_of(picture).back().place, Place::outside);
}

TEST(Pictures, ShowTheWholeMemoryAndWhatIsBeyondIt) {
  Drawn one = drawn("float32", {2, 2}, {{6, 3}}, 8);
  one.memory = {0, 28};
  const Picture picture = picture_of(one);
  ASSERT_EQ(picture.rows.size(), 2u);
  EXPECT_EQ(picture.rows[0].address, "data+0") << "memory in front of element 0";
  std::string places;
  for (const PictureRow& row : picture.rows) {
    for (const PictureCell& cell : row.cells) places += "fesgo#"[static_cast<std::size_t>(cell.place)];
  }
  EXPECT_EQ(places, "ggfggeg#o##o") << "the memory ends behind its seventh place";
  EXPECT_EQ(legend_of(picture).back().place, Place::guard);
}

TEST(Pictures, KeepWithinTheirColumnsAndRows) {
  for (const Sample& sample : samples()) {
    for (const std::size_t width : {40u, 80u}) {
      const std::string text = picture_text(picture_of(sample.what, width), {});
      std::istringstream lines(text);
      std::size_t count = 0;
      for (std::string line; std::getline(lines, line); ++count) {
        const bool is_row = line.find("  data") == 0;
        EXPECT_TRUE(!is_row || columns(line) <= width) << line;
      }
      EXPECT_LE(count, 40u) << sample.name;
    }
  }
}

TEST(Pictures, ThatCannotBeDrawnSayWhy) {
  EXPECT_NE(picture_of(drawn("float32", {-1}, {{1}})).impossible, "");
  EXPECT_NE(picture_of(drawn("float32", {2, 2}, {{1}})).impossible, "");
  EXPECT_NE(picture_of(drawn("float32", std::vector<std::int64_t>(65, 1), std::nullopt)).impossible, "");
  EXPECT_NE(picture_of(drawn("float32", {2}, {{INT64_MIN}})).impossible, "");
  EXPECT_NE(picture_of(drawn("float32", {2}, {{1}}, UINT64_MAX)).impossible, "");
  EXPECT_EQ(picture_of(drawn("float32", {1}, {{INT64_MAX}})).impossible, "") << "that stride is never used";
  EXPECT_NE(picture_text(picture_of(drawn("float32", {0}, {{1}})), {}).find("no elements"), std::string::npos);
}

TEST(Pictures, OfHugeTensorsAreDrawnAtOnce) {
  const Picture large =
      picture_of(drawn("float32", std::vector<std::int64_t>(12, INT64_C(1) << 40), std::vector<std::int64_t>(12, 1)));
  EXPECT_NE(large.left_out, "");
  EXPECT_LE(large.rows.size(), 30u);
}

TEST(Pictures, InColourMarkElementZero) {
  const std::string text = picture_text(picture_of(sliced()), {.unicode = true, .color = true});
  EXPECT_NE(text.find("\x1b[1;32m[0,0]\x1b[0m"), std::string::npos) << text;
}

}  // namespace
}  // namespace dlspec::conformance
