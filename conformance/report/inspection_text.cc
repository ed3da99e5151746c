#include <dlspec/conformance/report/inspection.h>

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/report/console_parts.h>
#include <dlspec/conformance/report/rules_text.h>
#include <dlspec/conformance/report/wrap.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {

namespace {

constexpr const char* unreadable = "cannot be read";

constexpr std::size_t value_column = 16, meaning_column = 46;

// A line while it is made of rows; wrap_rows fits it to the width, which nothing before has to know.
constexpr char meaning_mark = '\x01';  // clean_text leaves none

std::string row(const char* field, const std::string& value, const std::string& meaning = "") {
  return fmt::format("  {:<14}{}{}\n", field, value, meaning.empty() ? "" : meaning_mark + meaning);
}

// What a field means stands beside it, where both fit; else it begins a line of its own.
std::string wrapped_row(std::string_view line, std::size_t width) {
  const std::size_t mark = std::min(line.find(meaning_mark), line.size());
  const std::string_view value = line.substr(value_column, mark - value_column);
  std::string text(line.substr(0, value_column));
  text += wrapped(value, value_column, value_column, width);
  if (mark == line.size()) return text + "\n";
  const std::string_view meaning = line.substr(mark + 1);
  constexpr std::size_t least = 24;  // columns, for a text that is broken there
  const std::size_t used = value_column + columns(value);
  if (used + 2 > meaning_column || width < meaning_column + least) {
    const bool fits = used + 2 + columns(meaning) <= width;
    text += fits ? "  " : "\n" + std::string(value_column, ' ');
    return text + wrapped(meaning, value_column, fits ? used + 2 : value_column, width) + "\n";
  }
  text += std::string(meaning_column - used, ' ');
  return text + wrapped(meaning, meaning_column, meaning_column, width) + "\n";
}

std::string wrap_rows(std::string_view rows, std::size_t width) {
  std::string text;
  while (!rows.empty()) {
    const std::size_t end = rows.find('\n');
    text += wrapped_row(rows.substr(0, end), width);
    rows.remove_prefix(end + 1);
  }
  return text;
}

std::string tuple(const std::vector<std::int64_t>& numbers) {
  return fmt::format("({}{})", fmt::join(numbers, ", "), numbers.size() == 1 ? "," : "");
}

template <class T, class Show>
std::string value_or_unreadable(const std::optional<T>& value, Show show) {
  return value ? show(*value) : std::string(unreadable);
}

std::string flag_names(std::uint64_t bits) {
  std::string names;
  for (const flags::FlagRow& flag : flags::table) {
    if (bits & flag.bit) names += (names.empty() ? "" : " | ") + std::string(flag.name);
  }
  const std::uint64_t rest = bits & ~flags::defined;
  if (rest) names += fmt::format("{}{:#x} (undefined)", names.empty() ? "" : " | ", rest);
  return names.empty() ? "none set" : names;
}

std::optional<abi::DataType> dtype_of(const Inspection& found) {
  if (!found.dtype || found.dtype->size() != 3) return std::nullopt;
  const auto& numbers = *found.dtype;
  return abi::DataType{static_cast<std::uint8_t>(numbers[0]), static_cast<std::uint8_t>(numbers[1]),
                       static_cast<std::uint16_t>(numbers[2])};
}

std::string dtype_row(const Inspection& found) {
  const auto dtype = dtype_of(found);
  if (!dtype) return row("dtype", unreadable);
  const DtypeCodeRow* code = find_dtype_code(dtype->code);
  return row("dtype", tuple(*found.dtype),
             fmt::format("{}: code {} ({}), {} bits, {} lane{}", dtype_name(*dtype), dtype->code,
                         code ? code->name : "undefined", dtype->bits, dtype->lanes, dtype->lanes == 1 ? "" : "s"));
}

std::string device_row(const Inspection& found) {
  if (!found.device) return row("device", unreadable);
  const auto type = static_cast<std::int32_t>(found.device->first);
  const DeviceRow* known = find_device(type);
  return row("device", fmt::format("({}, {})", found.device->first, found.device->second),
             fmt::format("{}, {}", known ? known->name : "undefined",
                         device_text({type, static_cast<std::int32_t>(found.device->second)})));
}

std::string strides_row(const Inspection& found) {
  if (!found.shape) return row("strides", unreadable);
  if (!found.strides) return row("strides", "NULL", "row-major and compact");
  return row("strides", tuple(*found.strides), "in elements");
}

// The byte span of the elements, relative to `data`.
std::string reach_row(const Inspection& found) {
  const auto dtype = dtype_of(found);
  if (!dtype || !found.shape || !found.data || !found.byte_offset) return row("reaches", unreadable);
  if (!reference::extents_valid(*found.shape))
    return row("reaches", "nothing that makes sense", "an extent is negative");
  const bool padded = (found.flags.value_or(0) & flags::subbyte_padded) != 0;
  const reference::Axes axes(*found.shape, found.strides ? found.strides->data() : nullptr);
  const auto reach = reference::reach(axes, reference::storage_bits(*dtype, padded));
  if (!reach) return row("reaches", "no byte", "the tensor is empty");
  const reference::Wide low = reach->low_bytes + *found.byte_offset;
  const reference::Wide high = reach->high_bytes + *found.byte_offset;
  std::string where;
  const auto first = (low + *found.data).to_uint64();
  const auto last = (high + *found.data).to_uint64();
  if (first && last) where = fmt::format("addresses {:#x} to {:#x}", *first, *last);
  return row("reaches", fmt::format("[{}, {}) from data", low.to_string(), high.to_string()),
             fmt::format("{} bytes{}{}", (high - low).to_string(), where.empty() ? "" : ", ", where));
}

std::string capsule_rows(const Inspection& found) {
  const auto quoted = [](const std::string& text) { return "\"" + on_one_line(text) + "\""; };
  std::string text = row("object", on_one_line(found.type), "exported by " + on_one_line(found.asked));
  text += row("capsule", found.name ? quoted(*found.name) : "NULL",
              fmt::format("{}, {}", found.generation ? *found.generation + " struct" : "no name that DLPack knows",
                          found.has_destructor ? "with a destructor" : "without destructor"));
  return text;
}

std::string struct_rows(const Inspection& found) {
  std::string text;
  if (found.generation == "versioned") {
    text += row("version", value_or_unreadable(found.version,
                                               [](const auto& v) { return fmt::format("{}.{}", v.first, v.second); }));
    text += row("flags", value_or_unreadable(found.flags, [](std::uint64_t v) { return fmt::format("{:#x}", v); }),
                found.flags ? flag_names(*found.flags) : "");
  }
  text += row("deleter",
              value_or_unreadable(found.null_deleter, [](bool null) { return std::string(null ? "NULL" : "set"); }));
  text +=
      row("data", value_or_unreadable(found.data, [](std::uint64_t v) { return v ? fmt::format("{:#x}", v) : "NULL"; }),
          found.data && *found.data ? fmt::format("aligned to {} bytes", *found.data & (~*found.data + 1)) : "");
  text += device_row(found);
  text += row("ndim", value_or_unreadable(found.ndim, [](std::int64_t v) { return std::to_string(v); }));
  text += dtype_row(found);
  text += row("shape", value_or_unreadable(found.shape, tuple));
  text += strides_row(found);
  text += row("byte_offset", value_or_unreadable(found.byte_offset, [](std::uint64_t v) { return std::to_string(v); }));
  return text + reach_row(found);
}

std::string finding_text(const InspectedRule& finding, const ConsoleOptions& options) {
  const Rule& violated = rule(finding.rule);
  const Paint paint(options);
  const std::string status = upper(verdict_name(finding.status));
  std::string text =
      "\n" + paint.status(finding.status, status) + "  " + paint.rule_link(finding.rule, violated.id) + "  ";
  const std::size_t begun = status.size() + 2 + std::string_view(violated.id).size() + 2;
  constexpr std::size_t indent = 2, behind_name = 12;
  text += wrapped(level_text(violated) + ": " + violated.title, indent, begun, options.width) + "\n";
  const auto field = [&](const char* name, const std::string& value) {
    text += "  " + paint.faint(fmt::format("{:<10}", name)) +
            wrapped(on_one_line(value), behind_name, behind_name, options.width) + "\n";
  };
  field("observed", finding.observed);
  field("allowed", finding.allowed);
  field("source", violated.source);
  return text;
}

}  // namespace

std::optional<Drawn> drawn_of(const Inspection& found) {
  const auto dtype = dtype_of(found);
  if (!dtype || !found.shape || !found.byte_offset) return std::nullopt;
  const bool padded = (found.flags.value_or(0) & flags::subbyte_padded) != 0;
  Drawn drawn;
  drawn.layout = {*dtype, *found.shape, found.strides, *found.byte_offset};
  drawn.storage_bits = reference::storage_bits(*dtype, padded);
  return drawn;
}

std::string show_inspection(const Inspection& found, const std::string& picture, const ConsoleOptions& options) {
  std::string text = found.text.empty() ? "" : paragraph(clean_text(found.text), options.width);
  text += wrap_rows(capsule_rows(found), options.width);
  if (!found.generation)
    return text + "\n" +
           paragraph("The struct cannot be judged: the capsule was used, or is not DLPack's.", options.width);
  text += wrap_rows(struct_rows(found), options.width);
  if (!picture.empty()) text += "\n" + picture;
  for (const InspectedRule& finding : found.findings) text += finding_text(finding, options);
  if (found.findings.empty()) text += "\nNo rule about the struct is violated.\n";
  return text;
}

}  // namespace dlspec::conformance
