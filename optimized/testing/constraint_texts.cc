#include <dlspec/optimized/testing/constraint_texts.h>

#include <algorithm>

#include <dlspec/optimized/descriptor/constraint.h>
#include <dlspec/reference/descriptor/constraint.h>

namespace dlspec::optimized::testing {
namespace {

std::string text_of(const reference::InfiniTensor& tensor) {
  std::string text = infini_dtype_table[tensor.dtype].name;
  for (const auto* numbers : {&tensor.layout.shape, &tensor.layout.strides}) {
    text += " (";
    for (const std::int64_t number : *numbers) text += std::to_string(number) + ",";
    text += ')';
  }
  return text;
}

std::string compare_numbers(const reference::ConstraintBindings& slow, const Names& names, const Bindings& fast) {
  for (const auto& [name, value] : slow.numbers) {
    std::int64_t bound = 0;
    if (!fast.number(names.find(Names::Kind::number, name), bound) || bound != value)
      return name + " is bound differently";
  }
  return "";
}

std::string compare_match(const reference::Constraint& slow, const Constraint& fast,
                          const reference::InfiniTensor& tensor, const Names& names,
                          reference::ConstraintBindings& slow_bindings, Bindings& fast_bindings,
                          ConstraintCounts& counts) {
  const InfiniStatus expected = reference::match(slow, tensor, slow_bindings);
  const View view{infini_dtype_table[tensor.dtype].dlpack, tensor.layout.shape, tensor.layout.strides.data()};
  const InfiniStatus answer = fast.match(tensor.dtype, view, fast_bindings);
  (expected == InfiniStatus::success ? counts.matched : counts.refused)++;
  if (answer != expected) {
    return text_of(tensor) + ": " + describe(answer) + " instead of " + describe(expected);
  }
  return compare_numbers(slow_bindings, names, fast_bindings);
}

}  // namespace

std::string constraint_disagreement(std::span<const std::string> texts,
                                    std::span<const reference::InfiniTensor> tensors, ConstraintCounts& counts) {
  Names names;
  reference::ConstraintBindings slow_bindings;
  Bindings fast_bindings;
  std::vector<std::pair<reference::Constraint, Constraint>> constraints;
  for (const std::string& text : texts) {
    const auto slow = reference::parse_constraint(text);
    Names alone;  // fresh, so that limits apply to one text
    Constraint fast;
    ConstraintError error;
    const bool parsed = fast.parse(text, alone, error);
    if (const auto* expected = std::get_if<ConstraintError>(&slow)) {
      ++counts.malformed;
      if (parsed || error != *expected)
        return text + ": fault differs from \"" + describe(expected->fault) + "\" at " +
               std::to_string(expected->position);
      continue;
    }
    const auto& constraint = std::get<reference::Constraint>(slow);
    if (!parsed) return text + ": refused at " + std::to_string(error.position);
    const auto again = reference::parse_constraint(reference::print_constraint(constraint));
    if (again != slow) return text + ": prints as " + reference::print_constraint(constraint);
    if (fast.parse(text, names, error)) constraints.emplace_back(constraint, fast);
  }
  for (std::size_t i = 0; i < tensors.size() && !constraints.empty(); ++i) {
    const auto& [slow, fast] = constraints[i % constraints.size()];
    const std::string difference = compare_match(slow, fast, tensors[i], names, slow_bindings, fast_bindings, counts);
    if (!difference.empty()) return reference::print_constraint(slow) + " with " + difference;
  }
  return "";
}

std::string constraint_disagreement_one_by_one(const std::string& text,
                                               std::span<const reference::InfiniTensor> tensors,
                                               ConstraintCounts& counts) {
  if (std::string difference = constraint_disagreement({&text, 1}, {}, counts); !difference.empty()) return difference;
  const auto slow = reference::parse_constraint(text);
  Names names;
  Constraint fast;
  ConstraintError error;
  if (!fast.parse(text, names, error)) return "";
  for (const reference::InfiniTensor& tensor : tensors) {
    reference::ConstraintBindings slow_bindings;
    Bindings fast_bindings;
    std::string difference =
        compare_match(std::get<reference::Constraint>(slow), fast, tensor, names, slow_bindings, fast_bindings, counts);
    if (!difference.empty()) return text + " with " + difference;
  }
  return "";
}

std::string constraint_disagreement(std::span<const std::string> texts,
                                    std::span<const reference::InfiniTensor> tensors) {
  ConstraintCounts ignored;
  return constraint_disagreement(texts, tensors, ignored);
}

namespace {

class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  std::uint8_t next() {
    if (bytes_.empty()) return 0;
    const std::uint8_t byte = bytes_[0];
    bytes_ = bytes_.subspan(1);
    return byte;
  }
  template <class Table>
  const auto& pick(const Table& table) {
    return table[next() % std::size(table)];
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

constexpr std::string_view pieces[] = {"m",
                                       "n",
                                       "m, ",
                                       "n, ",
                                       "k, ",
                                       ", ",
                                       "...",
                                       "..., ",
                                       "1",
                                       "0",
                                       "2",
                                       "(",
                                       ")",
                                       "(b,) ",
                                       "(...,) ",
                                       "[c, d,] ",
                                       "m/2",
                                       "n*2",
                                       "*",
                                       "/",
                                       "~",
                                       "-1",
                                       "-",
                                       " ",
                                       "9223372036854775807",
                                       "9223372036854775808",
                                       "{",
                                       "}",
                                       "|",
                                       ";",
                                       "(,)",
                                       "s",
                                       "\\ldots",
                                       "[",
                                       "]",
                                       "F8"};
constexpr std::string_view dtypes[] = {"dT", "dT", "float32", "F16", "dW", "bool"};
constexpr std::string_view separators[] = {" | ", " | ", ";"};

// Each of InfiniOP's is within reach, in either spelling.
constexpr std::uint8_t any_dtype_from = 192;
InfiniDtype dtype_of(std::uint8_t byte) { return static_cast<InfiniDtype>(1 + byte % (infini_dtype_count - 1)); }

std::string_view dtype_word(std::uint8_t byte) {
  if (byte < any_dtype_from) return dtypes[byte % std::size(dtypes)];
  const InfiniDtypeRow& row = infini_dtype_table[dtype_of(byte)];
  return byte % 2 == 0 ? row.name : row.notation;
}

void add_list(Bytes& bytes, std::string& text) {
  text += '(';
  for (std::size_t left = bytes.next() % 8; left > 0; --left) text += bytes.pick(pieces);
  text += ')';
}

std::string make_text(Bytes& bytes) {
  const std::uint8_t form = bytes.next();
  std::string text;
  if (form % 16 == 15) {  // leaves it out
    for (std::size_t left = bytes.next() % 16; left > 0; --left) text += bytes.pick(pieces);
    return text;
  }
  text = "{ ";
  text += dtype_word(bytes.next());
  text += bytes.pick(separators);
  if (form % 16 == 14)
    text += "shape";
  else
    add_list(bytes, text);
  text += bytes.pick(separators);
  if (form / 16 % 8 == 0)
    text += "st";
  else if (form / 16 % 8 < 3)
    text += "(~)";
  else if (form / 16 % 8 == 3)
    text += "(...)";
  else
    add_list(bytes, text);
  return text + " }";
}

reference::InfiniTensor make_tensor(Bytes& bytes) {
  static constexpr std::int64_t extents[] = {1, 2, 3, 4, 0, 1, 2, 6, INT64_MAX};
  static constexpr std::int64_t strides[] = {1, 2, 3, 6, -1, 0, 12, INT64_MIN, 4};
  reference::InfiniTensor tensor;
  static constexpr InfiniDtype ordinary[] = {infini_F32, infini_F16, infini_BOOL, infini_F8};
  const std::uint8_t dtype = bytes.next();
  tensor.dtype = dtype < any_dtype_from ? ordinary[dtype % std::size(ordinary)] : dtype_of(dtype);
  const std::uint8_t form = bytes.next();
  for (std::size_t axis = 0; axis < form % 8u; ++axis) {
    tensor.layout.shape.push_back(bytes.pick(extents));
    tensor.layout.strides.push_back(bytes.pick(strides));
  }
  if (form >= 128) tensor.layout.strides = reference::compact_strides(tensor.layout.shape);
  return tensor;
}

}  // namespace

ConstraintCase decode_constraint_case(std::span<const std::uint8_t> input) {
  Bytes bytes(input);
  ConstraintCase result;
  for (std::size_t count = 1 + bytes.next() % 3; count > 0; --count) result.texts.push_back(make_text(bytes));
  while (!bytes.empty() && result.tensors.size() < 8) {
    reference::InfiniTensor tensor = make_tensor(bytes);
    if (reference::judge(tensor.layout) == InfiniStatus::success) result.tensors.push_back(std::move(tensor));
  }
  return result;
}

}  // namespace dlspec::optimized::testing
