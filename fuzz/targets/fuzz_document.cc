// Result documents of any bytes: refused with a sentence, or read, rendered in every format, and written as a text that
// is read back as the same.
#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/report/formats.h>

#include "parsers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dlspec::conformance;
  const auto document = dlspec::fuzz::read_twice("a document", dlspec::fuzz::text_of(data, size), parse_document,
                                                 &ReadDocument::document, write_document);
  if (!document) return 0;
  for (const ReportFormat& format : formats()) (void)format.render(*document);
  return 0;
}
