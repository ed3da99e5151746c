// Layout constraints: optimized compared with the reference.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <dlspec/optimized/descriptor/constraint.h>
#include <dlspec/optimized/testing/allocations.h>
#include <dlspec/optimized/testing/constraint_texts.h>
#include <dlspec/reference/descriptor/constraint.h>

namespace dlspec::optimized::testing {
namespace {

using Numbers = std::vector<std::int64_t>;
using reference::InfiniTensor;

void for_each_tensor(std::size_t rank, const auto& visit, const InfiniTensor& tensor = {infini_F32, {}}) {
  visit(tensor);
  if (tensor.layout.rank() == rank) return;
  for (const std::int64_t extent : {0, 1, 2, 3}) {
    for (const std::int64_t stride : {-1, 0, 1, 2, 3, 6}) {
      InfiniTensor next = tensor;
      next.layout.shape.push_back(extent);
      next.layout.strides.push_back(stride);
      for_each_tensor(rank, visit, next);
    }
  }
}

// Every small tensor against every shape part and every stride part of a list.
TEST(ConstraintsAgree, OnEverySmallTensor) {
  const char* shapes[] = {"(,)",      "(n)",         "(m, n)",   "(n, n)",         "(2, n)",        "(..., n)",
                          "(n, ...)", "(2, ..., 3)", "((b,) n)", "((2, (m,),) 3)", "((...,) m, n)", "(n*2, n)",
                          "(n/2, n)", "(n, m/3)",    "(...)",    "shape",          "((m,) (k,) n)", "([1,], 2)"};
  const char* strides[] = {"(,)",    "(~)",    "(...)",        "(..., 1)", "(1, ...)", "(s, 1)",
                           "(n, 1)", "(s, s)", "(2, ..., -1)", "st",       "(s)"};
  std::vector<InfiniTensor> tensors;
  for_each_tensor(2, [&](const InfiniTensor& tensor) { tensors.push_back(tensor); });
  ConstraintCounts counts;
  for (const char* shape : shapes) {
    for (const char* stride : strides) {
      const std::string text = std::string("{ dT | ") + shape + " | " + stride + " }";
      ASSERT_EQ(constraint_disagreement_one_by_one(text, tensors, counts), "");
    }
  }
  EXPECT_EQ(counts.malformed, 0u);
  EXPECT_GT(counts.matched, 10000u);
  EXPECT_GT(counts.refused, 10000u);
}

TEST(ConstraintsAgree, OnRankThreeWithSharedNames) {
  const std::vector<std::string> texts{"{ dT | (m, ..., n) | (..., s, 1) }", "{ dT | shape | st }",
                                       "{ dT | ((m, k,) n) | (...) }", "{ dT | (...) | st }"};
  ConstraintCounts counts;
  InfiniTensor before{infini_F32, {}};
  std::size_t turn = 0;
  for_each_tensor(3, [&](const InfiniTensor& tensor) {
    if (++turn % 5 != 0) return;  // 5 is coprime to the table sizes
    const std::size_t first = turn % 4, second = turn / 4 % 4;
    const std::vector<std::string> pair{texts[first], texts[second]};
    const std::vector<InfiniTensor> tensors{tensor, turn % 3 == 0 ? tensor : before};
    ASSERT_EQ(constraint_disagreement(pair, tensors, counts), "");
    before = tensor;
  });
  EXPECT_GT(counts.matched, 1000u);
  EXPECT_GT(counts.refused, 400u);
}

// Operators from random choices, most of them malformed somewhere.
TEST(ConstraintsAgree, OnRandomOperators) {
  std::mt19937 random(7);
  ConstraintCounts counts;
  for (int turn = 0; turn < 5000; ++turn) {
    std::vector<std::uint8_t> bytes(20 + random() % 60);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    const ConstraintCase operands = decode_constraint_case(bytes);
    ASSERT_EQ(constraint_disagreement(operands.texts, operands.tensors, counts), "");
  }
  EXPECT_GT(counts.malformed, 2000u);
  EXPECT_GT(counts.matched, 200u);
  EXPECT_GT(counts.refused, 200u);
}

// Each text in the fault table of the reference's tests, truncated at every byte.
TEST(ConstraintsAgree, OnTextsThatBreakOff) {
  ConstraintCounts counts;
  for (const std::string whole :
       {"{ dT | ([b,] (c, ...,) 2, n*3, m/2) | (-1, s, \\ldots,) } ", "{BF16;(9223372036854775807,);(~)}",
        "{ shape | shape | shape }", "{ dT | (,) | (,) }"}) {
    for (std::size_t length = 0; length <= whole.size(); ++length) {
      for (const char* more : {"", ")", "}", "?", "1", " a", "99999999999999999999", "\\ldots", "-"}) {
        const std::string text = whole.substr(0, length) + more;
        ASSERT_EQ(constraint_disagreement({&text, 1}, {}, counts), "") << text;
      }
    }
  }
  EXPECT_GT(counts.malformed, 1000u);
}

TEST(ConstraintLimits, AreThoseOfAnOperator) {
  const auto text_with = [](char prefix) {
    std::string text = "{ dT | (";
    for (int i = 0; i < 40; ++i) text += prefix + std::to_string(i) + ",";
    return text + ") | (~) }";
  };
  const std::string first = text_with('a'), second = text_with('b');
  Names names;
  Constraint constraint;
  ConstraintError error;
  EXPECT_TRUE(constraint.parse(first, names, error));
  EXPECT_FALSE(constraint.parse(second, names, error));
  EXPECT_EQ(error.fault, ConstraintFault::too_many_names);
  EXPECT_EQ(error.position, 8u + 10 * 3 + 14 * 4);
}

TEST(ConstraintAllocations, AreNoneForReadingAndMatching) {
  const Numbers shape{2, 3, 4}, strides{12, 4, 1};
  const View view({}, shape, strides.data());
  bool good = false;
  EXPECT_EQ(allocations_of([&] {
              Names names;
              Constraint first, second, malformed;
              ConstraintError error;
              Bindings bindings;
              good = first.parse("{ dT | ((batch,) m, n*2, ...) | (..., 1) }", names, error);
              good = !good && first.parse("{ dT | ((batch,) m, n*2) | (..., 1) }", names, error) &&
                     second.parse("{ dT | shape | strides }", names, error) &&
                     !malformed.parse("{ dT | (m", names, error) &&
                     first.match(infini_F32, view, bindings) == InfiniStatus::success &&
                     second.match(infini_F32, view, bindings) == InfiniStatus::success &&
                     second.match(infini_F16, view, bindings) == InfiniStatus::bad_tensor_dtype;
            }),
            0u);
  EXPECT_TRUE(good);
}

TEST(ConstraintBindings, RestrictsVariablesForDtypes) {
  Names names;
  Constraint constraint;
  ConstraintError error;
  ASSERT_TRUE(constraint.parse("{ dT | (n) | (~) }", names, error));
  Bindings bindings;
  bindings.restrict(names.find(Names::Kind::dtype, "dT"), 1u << infini_F16 | 1u << infini_BF16);
  const Numbers shape{4};
  const View view({}, shape, nullptr);  // NULL: compact
  EXPECT_EQ(constraint.match(infini_F32, view, bindings), InfiniStatus::bad_tensor_dtype);
  EXPECT_EQ(constraint.match(infini_BF16, view, bindings), InfiniStatus::success);
  EXPECT_EQ(constraint.match(infini_F16, view, bindings), InfiniStatus::bad_tensor_dtype);
}

}  // namespace
}  // namespace dlspec::optimized::testing
