#include <dlspec/conformance/reproducers/program.h>

#include <fmt/format.h>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/reproducers/pieces.h>
#include <dlspec/conformance/reproducers/program_parts.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {

namespace {

bool is_legacy(const std::string& variant) {
  return variant == "legacy" || variant == "strides-null=legacy" || variant == "legacy-neighbours";
}

std::string constants(const Templates& templates, const std::filesystem::path& plugin, const Case& work,
                      const Record& record) {
  const Order& order = work.order;
  const abi::DataType dtype = parse_dtype(order.dtype).value_or(abi::DataType{});
  std::string text = c_constant("PLUGIN", c_quoted(std::filesystem::absolute(plugin).string()));
  text += c_constant("ALLOWED", c_quoted(record.allowed)) +
          c_constant("GENERATION", is_legacy(work.variant) ? "DLSPEC_LEGACY" : "DLSPEC_VERSIONED");
  text += "\n// The array that is requested or offered: strides and offset in elements, bytes in C order.\n";
  text += c_constant("CODE", std::to_string(dtype.code)) + c_constant("BITS", std::to_string(dtype.bits));
  text += c_constant("LANES", std::to_string(dtype.lanes) + "  // " + order.dtype) +
          c_constant("NDIM", std::to_string(order.shape.size()));
  text += c_constant("SHAPE", c_list(order.shape));
  const auto row_major =
      reference::row_major_strides(order.shape).value_or(std::vector<std::int64_t>(order.shape.size()));
  text += c_constant("STRIDES", c_list(order.strides.value_or(row_major)));
  text += c_constant("HAS_STRIDES", order.strides ? "1" : "0") + c_constant("OFFSET", std::to_string(order.offset));
  text += c_constant("REQUESTED_READ_ONLY", order.read_only ? "1" : "0");
  text += c_constant("BYTE_COUNT", std::to_string(order.bytes.size())) + c_constant("BYTES", c_bytes(order.bytes));
  const auto& altered = templates.of(work.role).keywords;
  const auto found = altered.find(work.variant);
  text +=
      c_constant("VARIANT", c_quoted(work.variant)) + c_constant("ALTER", found == altered.end() ? "" : found->second);
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
