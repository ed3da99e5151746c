#include <dlspec/conformance/reproducers/program.h>

#include <fmt/format.h>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/reproducers/pieces.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {

namespace {

// A C string literal. Uses octal escapes, which unlike \\x end after three digits.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char character : clean_text(text)) {
    const auto byte = static_cast<unsigned char>(character);
    const bool is_plain = byte >= ' ' && byte < 0x7F && character != '"' && character != '\\' && character != '?';
    result += is_plain ? std::string(1, character) : fmt::format("\\{:03o}", byte);
  }
  return result + "\"";
}

// An initializer list; C99 does not allow an empty one.
template <class Numbers>
std::string braced(const Numbers& numbers) {
  std::string text;
  for (const auto number : numbers) text += fmt::format("{}{}", text.empty() ? "" : ", ", number);
  return "{" + (text.empty() ? "0" : text) + "}";
}

std::string braced_bytes(const std::string& bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text += fmt::format("{}{}",
                        i == 0        ? ""
                        : i % 24 == 0 ? ", \\\n  "
                                      : ", ",
                        int{static_cast<unsigned char>(bytes[i])});
  }
  return "{" + (text.empty() ? "0" : text) + "}";
}

bool is_legacy(const std::string& variant) {
  return variant == "legacy" || variant == "strides-null=legacy" || variant == "legacy-neighbours";
}

std::string defined(std::string_view name, const std::string& value) {
  return fmt::format("#define {} {}\n", name, value);
}

std::string constants(const Templates& templates, const std::filesystem::path& plugin, const Case& work,
                      const Record& record) {
  const Order& order = work.order;
  const abi::DataType dtype = parse_dtype(order.dtype).value_or(abi::DataType{});
  std::string text = defined("PLUGIN", quoted(std::filesystem::absolute(plugin).string()));
  text += defined("ALLOWED", quoted(record.allowed)) +
          defined("GENERATION", is_legacy(work.variant) ? "DLSPEC_LEGACY" : "DLSPEC_VERSIONED");
  text += "\n// The array that is requested or offered: strides and offset in elements, bytes in C order.\n";
  text += defined("CODE", std::to_string(dtype.code)) + defined("BITS", std::to_string(dtype.bits));
  text += defined("LANES", std::to_string(dtype.lanes) + "  // " + order.dtype) +
          defined("NDIM", std::to_string(order.shape.size()));
  text += defined("SHAPE", braced(order.shape));
  const auto row_major =
      reference::row_major_strides(order.shape).value_or(std::vector<std::int64_t>(order.shape.size()));
  text += defined("STRIDES", braced(order.strides.value_or(row_major)));
  text += defined("HAS_STRIDES", order.strides ? "1" : "0") + defined("OFFSET", std::to_string(order.offset));
  text += defined("REQUESTED_READ_ONLY", order.read_only ? "1" : "0");
  text += defined("BYTE_COUNT", std::to_string(order.bytes.size())) + defined("BYTES", braced_bytes(order.bytes));
  const auto& altered = templates.of(work.role).keywords;
  const auto found = altered.find(work.variant);
  text += defined("VARIANT", quoted(work.variant)) + defined("ALTER", found == altered.end() ? "" : found->second);
  return text;
}

}  // namespace

Script make_program(const Templates& templates, const std::string& title, const std::filesystem::path& plugin,
                    const Case& work, const Record& record) {
  const Piece* const piece = piece_for(templates, work, record);
  const bool can_alter = work.role == Role::producer || templates.consumer.keywords.contains(work.variant);
  if (piece == nullptr || !can_alter) return {"", "no program in C shows this rule in the variant " + work.variant};
  std::vector<std::string> used{"frame", "plugin"};
  used.insert(used.end(), piece->uses.begin(), piece->uses.end());
  used.emplace_back("main");
  std::string first;
  std::string before;
  std::string after;
  for (const Piece* part : templates.parts_of(used, work.variant)) {
    const std::string& name = part->names.front();
    (name == "frame" ? first : name == "main" ? after : before) += part->text;
  }
  const std::string orders = constants(templates, plugin, work, record);
  const std::string rest = before + "\n// The fault.\nstatic void try_it(void) {\n" + piece->text + "}\n\n" + after;
  return {heading("//", title, work, record) + "// cc -std=c99 THIS.c -ldl && ./a.out [PLUGIN]\n" + orders + "\n" +
              first + templates.facts_of(orders + rest) + "\n" + rest,
          ""};
}

}  // namespace dlspec::conformance
