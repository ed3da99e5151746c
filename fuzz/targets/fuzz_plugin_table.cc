// Tables of plug-ins with any numbers in them and any functions missing: refused with a sentence, or made whole, so
// that every role that is left has all of its functions. Of a table exactly the bytes exist that it says it has.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "fail.h"
#include "field_mutator.h"

#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/loaded_plugin.h>

namespace {

using namespace dlspec::conformance;
using dlspec::fuzz::fail;
using dlspec::testing::FieldListener;
using dlspec::testing::FieldReader;

enum class Kind : std::uint8_t { version, size, missing, bridge, bridge_missing };

struct Tables {
  std::vector<std::uint64_t> bytes;  // of the table, in words
  DlspecPlugin plugin{};
  DlspecBridge bridge{};
};

// Clears pointers by the bits of two bytes.
template <class Table>
void leave_out(Table& table, std::size_t first, FieldReader& reader) {
  const auto bits = reader.word<std::uint16_t>();
  auto* const bytes = reinterpret_cast<unsigned char*>(&table);
  for (std::size_t i = 0; first + (i + 1) * sizeof(void*) <= sizeof table; ++i) {
    if ((bits >> i & 1) != 0) std::memset(bytes + first + i * sizeof(void*), 0, sizeof(void*));
  }
}

// A number that is right for small bytes, else near it, else anything.
template <class Integer>
Integer near(FieldReader& reader, Integer right) {
  const std::uint8_t selector = reader.byte();
  if (selector < 192) return right;
  if (selector < 240) return static_cast<Integer>(right + static_cast<Integer>(selector) - 216);
  return reader.word<Integer>();
}

// Every string is a table: that of dlspec's own plug-in, with faults.
Tables decode(std::span<const std::uint8_t> bytes, FieldListener* listener) {
  constexpr std::size_t most = 4096;
  FieldReader reader(bytes, listener);
  Tables made;
  made.plugin = *builtin_plugin();
  if (made.plugin.bridge != nullptr) made.bridge = *made.plugin.bridge;
  reader.field(Kind::bridge_missing);
  leave_out(made.bridge, offsetof(DlspecBridge, describe), reader);
  reader.field(Kind::bridge);
  made.bridge.table_size = near(reader, made.bridge.table_size);
  reader.field(Kind::missing);
  leave_out(made.plugin, offsetof(DlspecPlugin, name), reader);
  reader.field(Kind::version);
  made.plugin.plugin_version = near(reader, made.plugin.plugin_version);
  reader.field(Kind::size);
  made.plugin.table_size = near(reader, made.plugin.table_size);
  const std::size_t size = std::clamp<std::size_t>(made.plugin.table_size, offsetof(DlspecPlugin, name), most);
  made.plugin.table_size = static_cast<decltype(made.plugin.table_size)>(size);
  made.bytes.assign((size + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t), 0);
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Tables tables = decode({data, size}, nullptr);
  if (tables.plugin.bridge != nullptr) tables.plugin.bridge = &tables.bridge;
  // Right up to the end of an allocation, where AddressSanitizer sees the next byte that is read.
  std::memcpy(tables.bytes.data(), &tables.plugin,
              std::min(sizeof tables.plugin, tables.bytes.size() * sizeof(std::uint64_t)));
  const LoadedPlugin loaded = take_table(reinterpret_cast<const DlspecPlugin*>(tables.bytes.data()));
  if (!loaded.table) return loaded.message.empty() ? (fail("refused without a sentence"), 0) : 0;
  const DlspecPlugin& whole = *loaded.table;
  if (whole.name == nullptr || whole.version == nullptr) fail("a table without names was taken");
  if (whole.import_tensor != nullptr && (whole.contents == nullptr || whole.release == nullptr))
    fail("a consumer without all of its functions was taken");
  if (whole.bridge != nullptr && (whole.bridge->describe == nullptr || whole.bridge->rearrange == nullptr))
    fail("a bridge without all of its functions was taken");
  if (whole.make == nullptr && whole.import_tensor == nullptr && whole.bridge == nullptr &&
      whole.exchange_api == nullptr)
    fail("a plug-in without a role was taken");
  return 0;
}

DLSPEC_MUTATE_FIELDS([](std::span<const std::uint8_t> bytes, FieldListener& listener) {
  (void)decode(bytes, &listener);
})
