#include <dlspec/reference/descriptor/constraint.h>

#include <limits>
#include <utility>

#include <gtest/gtest.h>

namespace dlspec::reference {
namespace {

using Numbers = std::vector<std::int64_t>;
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

Constraint parse(std::string_view text) {
  const auto parsed = parse_constraint(text);
  if (const auto* error = std::get_if<ConstraintError>(&parsed)) {
    ADD_FAILURE() << text << " at " << error->position << ": " << describe(error->fault);
    return {};
  }
  return std::get<Constraint>(parsed);
}
ConstraintError error_of(std::string_view text) {
  const auto parsed = parse_constraint(text);
  const auto* error = std::get_if<ConstraintError>(&parsed);
  EXPECT_NE(error, nullptr) << text;
  return error != nullptr ? *error : ConstraintError{ConstraintFault::end, 999};
}
InfiniTensor tensor(const Numbers& shape, const Numbers& strides, InfiniDtype dtype = infini_F32) {
  return {dtype, {shape, strides, 0}};
}
InfiniTensor compact(const Numbers& shape, InfiniDtype dtype = infini_F32) {
  return {dtype, {shape, compact_strides(shape), 0}};
}
InfiniStatus match_alone(std::string_view text, const InfiniTensor& subject) {
  ConstraintBindings bindings;
  return match(parse(text), subject, bindings);
}
bool fits(std::string_view text, const InfiniTensor& subject) {
  return match_alone(text, subject) == InfiniStatus::success;
}

// The forms of InfiniOP's documentation, and how they are printed.
TEST(Constraint, EveryDocumentedFormRoundTrips) {
  const std::pair<const char*, const char*> forms[] = {
      {"{ float32 | (d1, d2) | (..., 1) }", "{ float32 | (d1, d2) | (..., 1) }"},
      {"{ dT | ((b,) h, w, c) | (...) }", "{ dT | ((b,) h, w, c) | (...) }"},
      {"{ dT | ((...,) m, n) | (~) }", "{ dT | ((...,) m, n) | (~) }"},
      {"{ dT | (d1,...,dn) | (...) }", "{ dT | (d1, ..., dn) | (...) }"},
      {"{ dT | ([batch,], M, N) | (~) }", "{ dT | ((batch,) M, N) | (~) }"},
      {"{ dT | (b, (n, )d) | (..., 1) }", "{ dT | (b, (n,) d) | (..., 1) }"},
      {"{ dW | (d,) | (1,) }", "{ dW | (d,) | (1,) }"},
      {"{ dI | (seq_len) | (~) }", "{ dI | (seq_len,) | (~) }"},
      {"{ dOut | (,) | (,) }", "{ dOut | (,) | (,) }"},
      {"{ dT | (max_seq_len, head_dim/2) | (~) }", "{ dT | (max_seq_len, head_dim/2) | (~) }"},
      {"{ dT | shape | strides_dst }", "{ dT | shape | strides_dst }"},
      {"{ dT | (...) | (...) }", "{ dT | (...) | (...) }"},
      {"{ dT | (\\ldots) | (\\dots, 1) }", "{ dT | (...) | (..., 1) }"},
      {"{ zZ | (aZ_09, Az) | (z, Z, _) }", "{ zZ | (aZ_09, Az) | (z, Z, _) }"},
      {"{Float16;(2*n,3);(s,-1)}", nullptr},
      {"{Float16;(n*2,3);(s,-1)}", "{ float16 | (n*2, 3) | (s, -1) }"},
      {"{ BF16 | ((a, (b,),) [c] d) | (,) }", nullptr},
      {"{ BF16 | ((a, (b,),) [c,] d) | (,) }", "{ bfloat16 | ((a, (b,),) (c,) d) | (,) }"},
      {"\n{\tI64 |\r\n( 007 , )| ( - 0 , ) } ", "{ int64 | (7,) | (0,) }"},
  };
  for (const auto& [text, printed] : forms) {
    if (printed == nullptr) {
      EXPECT_EQ(parse_constraint(text).index(), 1u) << text;
      continue;
    }
    EXPECT_EQ(print_constraint(parse(text)), printed);
    EXPECT_EQ(parse(printed), parse(text));
  }
}

TEST(Constraint, FaultsAreNamedAtTheirPosition) {
  const std::tuple<std::string, ConstraintFault, std::size_t> faults[] = {
      {"", ConstraintFault::open_brace, 0},
      {"  dT", ConstraintFault::open_brace, 2},
      {"{ | (n) | (~) }", ConstraintFault::dtype, 2},
      {"{ dT (n) | (~) }", ConstraintFault::separator, 5},
      {"{ dT | 5 | (~) }", ConstraintFault::shape, 7},
      {"{ dT | () | (~) }", ConstraintFault::extent, 8},
      {"{ dT | (-1) | (~) }", ConstraintFault::extent, 8},
      {"{ dT | (,n) | (~) }", ConstraintFault::comma, 9},
      {"{ dT | (a b) | (~) }", ConstraintFault::comma, 10},
      {"{ dT | ((a) b) | (~) }", ConstraintFault::comma, 12},
      {"{ dT | ([a,) b) | (~) }", ConstraintFault::extent, 11},
      {"{ dT | (a,, b) | (~) }", ConstraintFault::extent, 10},
      {"{ dT | (a*) | (~) }", ConstraintFault::factor, 10},
      {"{ dT | (a/0) | (~) }", ConstraintFault::factor, 10},
      {"{ dT | (2*a) | (~) }", ConstraintFault::comma, 9},
      {"{ dT | (9223372036854775808) | (~) }", ConstraintFault::number_range, 8},
      {"{ dT | (..., a, ...) | (~) }", ConstraintFault::second_ellipsis, 16},
      {"{ dT | ((b,) ..., n) | (~) }", ConstraintFault::ambiguous, 13},
      {"{ dT | ((...,) (b,) n) | (~) }", ConstraintFault::ambiguous, 9},
      {"{ dT | (((b,),) n) | (~) }", ConstraintFault::ambiguous, 8},
      {"{ dT | (n) | 5 }", ConstraintFault::strides, 13},
      {"{ dT | (n) | () }", ConstraintFault::stride, 14},
      {"{ dT | (n) | (1,,) }", ConstraintFault::stride, 16},
      {"{ dT | (n) | (-n) }", ConstraintFault::digits, 15},
      {"{ dT | (n) | (~, 1) }", ConstraintFault::comma, 15},
      {"{ dT | (n) | (..., ...) }", ConstraintFault::second_ellipsis, 19},
      {"{ dT | (n) | (~)", ConstraintFault::close_brace, 16},
      {"{ dT | (n) | (~) } x", ConstraintFault::end, 19},
      {std::string("{ dT | (n) | (~) }\0", 19), ConstraintFault::end, 18},
  };
  for (const auto& [text, fault, position] : faults) {
    EXPECT_STREQ(describe(error_of(text).fault), describe(fault)) << text;
    EXPECT_EQ(error_of(text).position, position) << text;
  }
}

// The parser does not read beyond the end of the text.
TEST(Constraint, TheTextEndsWhereItsViewEnds) {
  const std::string_view whole = "{ FLOAT32 | (d1, n*2) | (s, -1) }  x";
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const auto inside = parse_constraint(whole.substr(0, length));
    const std::string copy(whole.substr(0, length));
    const auto alone = parse_constraint(copy);
    EXPECT_EQ(inside, alone) << whole.substr(0, length);
  }
}

TEST(Constraint, ItemsHoldWhatIsWritten) {
  using enum ConstraintItem::Kind;
  using Items = std::vector<ConstraintItem>;
  const Constraint constraint = parse("{ dT | ((b,) n*2, 7) | (s, -3, 1, ...) }");
  EXPECT_EQ(std::get<Items>(constraint.shape), (Items{{name, 0, "b", 1}, {multiple, 2, "n", 0}, {number, 7, "", 0}}));
  EXPECT_EQ(std::get<Items>(constraint.strides),
            (Items{{name, 0, "s", 0}, {number, -3, "", 0}, {number, 1, "", 0}, {ellipsis, 0, "", 0}}));
  EXPECT_EQ(constraint.groups, (std::vector<ConstraintGroup>{{0, 1}}));
}

TEST(Constraint, DtypesAreKnownInAnyCase) {
  for (const char* text :
       {"{ FLOAT32 | s | t }", "{ float32 | s | t }", "{ Float32 | s | t }", "{ f32 | s | t }", "{ F32 | s | t }"}) {
    EXPECT_EQ(parse(text).dtype, (std::variant<InfiniDtype, std::string>(infini_F32))) << text;
  }
}

std::string repeated(std::string_view what, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += what;
  return text;
}

TEST(Constraint, SizesAreLimited) {
  const auto names = [](std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += "n" + std::to_string(i) + ",";
    return text;
  };
  EXPECT_EQ(parse_constraint("{ dT | (" + repeated("n,", 64) + "...) | (~) }").index(), 0u);
  EXPECT_EQ(error_of("{ dT | (" + repeated("n,", 65) + ") | (~) }"),
            (ConstraintError{ConstraintFault::too_many_axes, 136}));
  EXPECT_EQ(parse_constraint("{ dT | (" + names(64) + ") | (n0,) }").index(), 0u);
  EXPECT_EQ(error_of("{ dT | (" + names(64) + ") | (x) }").fault, ConstraintFault::too_many_names);
  EXPECT_EQ(error_of("{ dT | (" + repeated("(", 65)), (ConstraintError{ConstraintFault::too_many_groups, 72}));
}

TEST(Constraint, NamesUnifyAcrossTensors) {
  ConstraintBindings bindings;
  ASSERT_EQ(match(parse("{ dT | (m, k) | (~) }"), compact({2, 3}), bindings), InfiniStatus::success);
  const ConstraintBindings before = bindings;
  EXPECT_EQ(match(parse("{ dT | (k, n) | (~) }"), compact({4, 5}), bindings), InfiniStatus::bad_tensor_shape);
  EXPECT_EQ(match(parse("{ dT | (k, n) | (~) }"), compact({3, 5}, infini_F16), bindings),
            InfiniStatus::bad_tensor_dtype);
  EXPECT_EQ(match(parse("{ dT | (k, n) | (m, 1) }"), compact({3, 5}), bindings), InfiniStatus::bad_tensor_strides);
  EXPECT_EQ(bindings, before);
  EXPECT_EQ(match(parse("{ dT | (k, n) | (n, 1) }"), compact({3, 5}), bindings), InfiniStatus::success);
  EXPECT_EQ(bindings.numbers.at("n"), 5);
}

TEST(Constraint, VariablesForDtypesMayBeRestricted) {
  ConstraintBindings bindings;
  bindings.allowed["dT"] = {infini_F16, infini_F32};
  EXPECT_EQ(match(parse("{ dT | (n) | (~) }"), compact({2}, infini_F64), bindings), InfiniStatus::bad_tensor_dtype);
  EXPECT_EQ(match(parse("{ dT | (n) | (~) }"), compact({2}, infini_F16), bindings), InfiniStatus::success);
}

TEST(Constraint, GroupsAreLeftOutFromTheEnd) {
  const char* text = "{ dT | ((2,) (3,) 4) | (...) }";
  EXPECT_TRUE(fits(text, compact({4})));
  EXPECT_TRUE(fits(text, compact({2, 4})));
  EXPECT_FALSE(fits(text, compact({3, 4})));
  EXPECT_TRUE(fits(text, compact({2, 3, 4})));
  EXPECT_EQ(match_alone(text, compact({1, 2, 3, 4})), InfiniStatus::bad_tensor_shape);
  EXPECT_EQ(match_alone(text, compact({})), InfiniStatus::bad_tensor_shape);
  const char* nested = "{ dT | ((2, (3,),) 4) | (...) }";
  EXPECT_TRUE(fits(nested, compact({2, 4})));
  EXPECT_TRUE(fits(nested, compact({2, 3, 4})));
  EXPECT_FALSE(fits(nested, compact({3, 4})));
}

TEST(Constraint, AnEllipsisTakesWhatIsLeft) {
  for (const Numbers& shape : {Numbers{3, 4}, {9, 3, 4}, {8, 9, 3, 4}}) {
    EXPECT_TRUE(fits("{ dT | ((...,) 3, 4) | (~) }", compact(shape)));
    EXPECT_TRUE(fits("{ dT | (..., 3, 4) | (~) }", compact(shape)));
  }
  EXPECT_FALSE(fits("{ dT | (..., 3, 4) | (~) }", compact({4})));
  EXPECT_TRUE(fits("{ dT | (2, ..., 5) | (..., 1) }", compact({2, 3, 4, 5})));
  EXPECT_FALSE(fits("{ dT | (2, ..., 5) | (~) }", compact({5, 3, 4, 2})));
  const char* with_axis = "{ dT | ((7, ...,) 4) | (~) }";
  EXPECT_TRUE(fits(with_axis, compact({4})));
  EXPECT_TRUE(fits(with_axis, compact({7, 4})));
  EXPECT_TRUE(fits(with_axis, compact({7, 1, 2, 4})));
  EXPECT_FALSE(fits(with_axis, compact({1, 2, 4})));
}

TEST(Constraint, ArithmeticBindsInBothDirections) {
  ConstraintBindings bindings;
  ASSERT_EQ(match(parse("{ dT | (s, head_dim/2) | (~) }"), compact({5, 4}), bindings), InfiniStatus::success);
  EXPECT_EQ(bindings.numbers.at("head_dim"), 8);
  EXPECT_EQ(match(parse("{ dT | (head_dim) | (~) }"), compact({9}), bindings), InfiniStatus::bad_tensor_shape);
  EXPECT_EQ(match(parse("{ dT | (head_dim*3) | (~) }"), compact({24}), bindings), InfiniStatus::success);
  EXPECT_FALSE(fits("{ dT | (n*2) | (~) }", compact({5})));
  EXPECT_FALSE(fits("{ dT | (n/2) | (~) }", compact({most}, infini_U8)));
}

TEST(Constraint, TheStrideOfOneExtentCannotBeSeen) {
  EXPECT_TRUE(fits("{ dT | (m, n) | (..., 1) }", tensor({3, 1}, {1, 77})));
  EXPECT_FALSE(fits("{ dT | (m, n) | (..., 1) }", tensor({3, 2}, {1, 77})));
  EXPECT_TRUE(fits("{ dT | (m, n) | (s, s) }", tensor({3, 1}, {5, 77})));
  EXPECT_FALSE(fits("{ dT | (m, n) | (s, s) }", tensor({3, 2}, {5, 77})));
  EXPECT_TRUE(fits("{ dT | (m, n) | (2, -1) }", tensor({3, 2}, {2, -1})));
}

TEST(Constraint, TensorsWithoutElementsShowNoStrides) {
  EXPECT_TRUE(fits("{ dT | (m, n) | (~) }", tensor({3, 0}, {-4, 9})));
  EXPECT_TRUE(fits("{ dT | (m, n) | (5, s) }", tensor({3, 0}, {-4, 9})));
  EXPECT_EQ(match_alone("{ dT | (m, n) | (5) }", tensor({3, 0}, {-4, 9})), InfiniStatus::bad_tensor_strides);
}

TEST(Constraint, ScalarsSatisfyEveryListWithoutAxes) {
  for (const char* strides : {"(~)", "(...)", "(,)", "s"}) {
    for (const char* shape : {"(,)", "(...)", "n"}) {
      EXPECT_TRUE(fits(std::string("{ dT | ") + shape + " | " + strides + " }", compact({})));
    }
  }
  EXPECT_EQ(match_alone("{ dT | (,) | (1,) }", compact({})), InfiniStatus::bad_tensor_strides);
  EXPECT_EQ(match_alone("{ dT | (,) | (,) }", compact({1})), InfiniStatus::bad_tensor_shape);
  EXPECT_EQ(match_alone("{ dT | (n) | (,) }", compact({2})), InfiniStatus::bad_tensor_strides);
}

TEST(Constraint, WholeShapesAndStridesAreVariables) {
  ConstraintBindings bindings;
  ASSERT_EQ(match(parse("{ dT | shape | strides }"), tensor({2, 1, 3}, {3, 9, 1}), bindings), InfiniStatus::success);
  EXPECT_EQ(match(parse("{ dT | shape | other }"), compact({2, 1, 4}), bindings), InfiniStatus::bad_tensor_shape);
  EXPECT_EQ(match(parse("{ dT | (...) | strides }"), compact({2, 3}), bindings), InfiniStatus::bad_tensor_strides);
  EXPECT_EQ(match(parse("{ dT | shape | strides }"), tensor({2, 1, 3}, {3, -9, 1}), bindings), InfiniStatus::success);
  EXPECT_EQ(match(parse("{ dT | shape | strides }"), tensor({2, 1, 3}, {6, -9, 1}), bindings),
            InfiniStatus::bad_tensor_strides);
  ASSERT_EQ(match(parse("{ dT | (...) | strides }"), tensor({2, 4, 3}, {3, 50, 1}), bindings), InfiniStatus::success);
  EXPECT_EQ(match(parse("{ dT | (...) | strides }"), tensor({2, 4, 3}, {3, 51, 1}), bindings),
            InfiniStatus::bad_tensor_strides);
}

TEST(Constraint, ConcreteDtypesHaveTwoNamesInAnyCase) {
  for (const char* name : {"float16", "Float16", "F16", "f16"}) {
    EXPECT_TRUE(fits(std::string("{") + name + "|(n)|(~)}", compact({2}, infini_F16)));
    EXPECT_EQ(match_alone(std::string("{") + name + "|(n)|(~)}", compact({2}, infini_BF16)),
              InfiniStatus::bad_tensor_dtype);
  }
}

}  // namespace
}  // namespace dlspec::reference
