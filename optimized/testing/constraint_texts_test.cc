// Layout constraints: every character, every dtype's name and every short shape, as the reference reads them.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/optimized/descriptor/constraint.h>
#include <dlspec/optimized/testing/constraint_texts.h>
#include <dlspec/reference/descriptor/constraint.h>

namespace dlspec::optimized::testing {
namespace {

using reference::InfiniTensor;

TEST(ConstraintTexts, AgreeOnEveryCharacter) {
  ConstraintCounts counts;
  for (int c = 0; c < 256; ++c) {
    const std::string character(1, static_cast<char>(c));
    for (const std::string& text :
         {"{ dT | (" + character + ") | (~) }", "{ dT | (a" + character + "b) | (~) }",
          "{ dT | (1" + character + ") | (~) }", "{ " + character + " | (n) | (~) }", character + "{ dT | (n) | (~) }",
          "{ dT | (n) | (~) }" + character, "{ dT | (n" + character}) {
      ASSERT_EQ(constraint_disagreement({&text, 1}, {}, counts), "") << c;
    }
  }
  EXPECT_GT(counts.malformed, 1000u);
}

// In both cases, and with each letter changed to those beside it and to the other case.
TEST(ConstraintTexts, AgreeOnTheNamesOfDtypes) {
  std::vector<InfiniTensor> tensors;
  for (const InfiniDtypeRow& row : infini_dtype_table)
    if (row.number > 0) tensors.push_back({static_cast<InfiniDtype>(row.number), {{2}, {1}}});
  ConstraintCounts counts;
  for (const InfiniDtypeRow& row : infini_dtype_table) {
    const std::string name = row.notation;
    for (std::size_t i = 0; i < name.size(); ++i) {
      for (const int change : {0, 1, -1}) {
        for (const int flipped : {0, 0x20}) {
          std::string other = name;
          other[i] = static_cast<char>((other[i] + change) ^ flipped);
          ASSERT_EQ(constraint_disagreement_one_by_one("{ " + other + " | (n) | (~) }", tensors, counts), "") << other;
        }
      }
    }
  }
  EXPECT_GT(counts.matched, 100u);
  EXPECT_GT(counts.refused, 1000u);
}

// All shapes of up to five words, each with tensors of every rank up to three.
TEST(ConstraintTexts, AgreeOnEveryShortShape) {
  const char* words[] = {"(", ")", "[", "]", ",", "n", "...", "2"};
  const std::vector<InfiniTensor> tensors{{infini_F32, {{}, {}}},
                                          {infini_F32, {{2}, {1}}},
                                          {infini_F32, {{2, 3}, {3, 1}}},
                                          {infini_F32, {{2, 2, 2}, {4, 2, 1}}}};
  ConstraintCounts counts;
  for (int number = 0; number < 8 * 8 * 8 * 8 * 8; ++number) {
    std::string shape;
    for (int i = 0, rest = number; i < 5; ++i, rest /= 8) shape += std::string(words[rest % 8]) + " ";
    ASSERT_EQ(constraint_disagreement_one_by_one("{ dT | (" + shape + ") | (~) }", tensors, counts), "") << shape;
  }
  EXPECT_GT(counts.malformed, 10000u);
  EXPECT_GT(counts.matched, 100u);
}

// What follows the text in memory is not read.
TEST(ConstraintTexts, EndWhereTheViewEnds) {
  const std::string whole = "{ dT | ([b1,] (c, ...,) 22, n*33) | (~) }";
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const std::string copy = whole.substr(0, length);
    Names names, names_of_copy;
    Constraint constraint, of_copy;
    ConstraintError error{}, error_of_copy{};
    ASSERT_EQ(constraint.parse(std::string_view(whole).substr(0, length), names, error),
              of_copy.parse(copy, names_of_copy, error_of_copy))
        << copy;
    EXPECT_EQ(error.fault, error_of_copy.fault) << copy;
    EXPECT_EQ(error.position, error_of_copy.position) << copy;
  }
}

TEST(ConstraintNames, AreMinusOneWhereThereAreNone) {
  Names names;
  EXPECT_EQ(names.find(Names::Kind::shape, "shape"), -1);
  for (std::size_t i = 0; i < Names::most[2]; ++i) {
    static const std::string spelt = "abcdefgh";
    EXPECT_EQ(names.intern(Names::Kind::shape, std::string_view(spelt).substr(i, 1)), static_cast<int>(i));
  }
  EXPECT_EQ(names.intern(Names::Kind::shape, "one more"), -1);
}

// Two tensors with one variable for their strides, which differ along one axis.
TEST(ConstraintMatch, ComparesEveryStrideOfAVariable) {
  const std::vector<std::string> texts(2, "{ dT | (...) | st }");
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<InfiniTensor> tensors(2, {infini_F32, {{2, 3, 4}, {12, 4, 1}}});
    ++tensors[1].layout.strides[axis];
    ConstraintCounts counts;
    EXPECT_EQ(constraint_disagreement(texts, tensors, counts), "");
    EXPECT_EQ(counts.refused, 1u) << axis;
  }
}

// The highest rank of a descriptor, and one more.
TEST(ConstraintMatch, RefusesRanksBeyondTheMost) {
  Names names;
  Constraint constraint;
  ConstraintError error;
  ASSERT_TRUE(constraint.parse("{ dT | (...) | (...) }", names, error));
  const std::vector<std::int64_t> ones(infini_max_rank + 1, 1);
  for (const std::int64_t* strides : {ones.data(), static_cast<const std::int64_t*>(nullptr)}) {
    Bindings bindings;
    EXPECT_EQ(constraint.match(infini_F32, View({}, {ones.data(), infini_max_rank}, strides), bindings),
              InfiniStatus::success);
    EXPECT_EQ(constraint.match(infini_F32, View({}, ones, strides), bindings), InfiniStatus::bad_tensor_shape);
  }
}

}  // namespace
}  // namespace dlspec::optimized::testing
