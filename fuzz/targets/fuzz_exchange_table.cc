// Chains of exchange tables (DLPackExchangeAPI) of any versions, with cycles and missing functions: the walk ends,
// reads of a foreign version its header alone, and what is taken has the functions that it is used by.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "fail.h"
#include "field_mutator.h"

#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/vocabulary/abi.h>

namespace {

using namespace dlspec::conformance;
namespace abi = dlspec::abi;
using Header = abi::v1::ExchangeApiHeader;
using Api = abi::v1::ExchangeApi;
using dlspec::fuzz::fail;
using dlspec::testing::FieldListener;

enum class Kind : std::uint8_t { length, version, next, missing, roles };

constexpr std::size_t longest = 24;
constexpr std::size_t functions = (sizeof(Api) - sizeof(Header)) / sizeof(void*);

struct Chain {
  std::vector<std::unique_ptr<std::uint64_t[]>> tables;  // a header, or a whole table
  bool make = false, import = false;
};

Header* header_of(const Chain& chain, std::size_t i) {
  return i < chain.tables.size() ? reinterpret_cast<Header*>(chain.tables[i].get()) : nullptr;
}

// Every string is a chain. The next table is mostly the one behind, else any: cycles.
Chain decode(std::span<const std::uint8_t> bytes, FieldListener* listener) {
  dlspec::testing::FieldReader reader(bytes, listener);
  Chain chain;
  reader.field(Kind::roles);
  const std::uint8_t roles = reader.byte();
  chain.make = (roles & 1) != 0;
  chain.import = (roles & 2) != 0;
  reader.field(Kind::length);
  std::vector<std::uint8_t> next(reader.byte() % longest);
  for (std::uint8_t& place : next) {
    reader.field(Kind::version);
    const std::uint8_t version = reader.byte();
    const abi::Version told{version < 96 ? 1u : version % 4u, version < 240 ? 3u : reader.word<std::uint32_t>()};
    reader.field(Kind::missing);
    const std::uint8_t missing = reader.byte();
    Api api = *static_cast<const Api*>(builtin_plugin()->exchange_api);
    api.header.version = told;
    for (std::size_t i = 0; i < functions; ++i) {
      if ((missing >> i & 1) != 0)
        std::memset(reinterpret_cast<unsigned char*>(&api) + sizeof(Header) + i * sizeof(void*), 0, sizeof(void*));
    }
    const std::size_t size = told.major == abi::newest_version.major ? sizeof api : sizeof(Header);
    chain.tables.push_back(std::make_unique<std::uint64_t[]>(size / sizeof(std::uint64_t)));
    std::memcpy(chain.tables.back().get(), &api, size);
    reader.field(Kind::next);
    place = reader.byte();
  }
  for (std::size_t i = 0; i < next.size(); ++i)
    header_of(chain, i)->prev_api = header_of(chain, next[i] < 192 ? i + 1 : next[i] % next.size());
  return chain;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Chain chain = decode({data, size}, nullptr);
  DlspecPlugin plugin = *builtin_plugin();
  plugin.exchange_api = header_of(chain, 0);
  if (!chain.make) plugin.make = nullptr;
  if (!chain.import) plugin.import_tensor = nullptr;
  const Api* const found = exchange_table_of(plugin);
  if (found != nullptr && found->header.version.major != abi::newest_version.major)
    fail("a table of a foreign version was taken");
  const bool usable = found != nullptr && found->managed_tensor_from_py_object_no_sync != nullptr &&
                      found->managed_tensor_to_py_object_no_sync != nullptr;
  const DlspecPlugin whole = completed_by_table(plugin);
  if ((whole.make != nullptr) != (chain.make || usable)) fail("make does not stand for what the table can do");
  if ((whole.import_tensor != nullptr) != (chain.import || usable))
    fail("import_tensor does not stand for what the table can do");
  if ((through_table(plugin).make != nullptr) != usable) fail("a table that cannot export is gone through");
  return 0;
}

DLSPEC_MUTATE_FIELDS([](std::span<const std::uint8_t> bytes, FieldListener& listener) {
  (void)decode(bytes, &listener);
})
