// The text form of tensors. An input is a text, and the bytes of a struct as well: a text is refused at a place in it,
// or is the one that its tensor is printed as; what a struct is described as is printed, and read back as the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "fail.h"
#include "parsers.h"

#include <dlspec/reference/descriptor/describe.h>
#include <dlspec/reference/descriptor/text.h>
#include <dlspec/reference/testing/decoder.h>

namespace {

using namespace dlspec;

void check_text(std::string_view text) {
  const auto read = reference::parse_text(text);
  if (const auto* descriptor = std::get_if<Descriptor>(&read))
    return fuzz::expect_same("a tensor", std::string(text), reference::print_text(*descriptor));
  const auto& error = std::get<reference::TextError>(read);
  if (error.message.empty() || error.position > text.size())
    fuzz::fail("a text is refused without a reason or a place");
}

void check_struct(const Exported& exported) {
  const void* const object = exported.object();
  if (object == nullptr || reinterpret_cast<std::uintptr_t>(object) % alignof(abi::Tensor) != 0) return;
  const Descriptor described = reference::describe(exported);
  const std::string printed = reference::print_text(described);
  const auto again = reference::parse_text(printed);
  const auto* const descriptor = std::get_if<Descriptor>(&again);
  if (descriptor == nullptr) fuzz::expect_same("a struct", printed, std::get<reference::TextError>(again).message);
  if (*descriptor != described)
    fuzz::expect_same("a struct", printed, reference::print_text(*descriptor) + " (differs)");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check_text(fuzz::text_of(data, size));
  check_struct(testing::DecodedTensor({data, size}).exported());
  return 0;
}
