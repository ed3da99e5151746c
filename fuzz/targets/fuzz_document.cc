// Result documents of any bytes: refused with a sentence, or read, rendered in every format, and written as a text that
// is read back as the same.
#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/report/formats.h>

#include "parsers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dlspec::conformance;
  const ReadDocument read = parse_document(dlspec::fuzz::text_of(data, size), "input");
  if (!read.document) {
    if (read.error.empty()) std::abort();
    return 0;
  }
  const std::string written = write_document(*read.document);
  const ReadDocument again = parse_document(written, "written");
  dlspec::fuzz::expect_same("a document", written, again.document ? write_document(*again.document) : again.error);
  for (const ReportFormat& format : formats()) (void)format.render(*read.document);
  return 0;
}
