#include <dlspec/conformance/report/smoke.h>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/sample_document.h>

namespace dlspec::conformance {
namespace {

using Texts = std::vector<std::string>;

const Texts whole{"make", "from_dlpack", "contents", "write"};

Document with(std::initializer_list<Verdict> statuses) {
  Document document = sample_document();
  document.results.clear();
  int number = 0;
  for (const Verdict status : statuses) {
    document.results.push_back(
        sample_record(RuleId::tensor_element_address, status, "producer/float32/c/" + std::to_string(number++)));
  }
  return document;
}

std::string said(const Document& document, const Texts& provides = whole, const Texts& faults = {}) {
  return smoke_text(document, document.subjects.front(), provides, faults);
}

TEST(Smoke, NobodyIsAtFaultWhenExchangesSucceed) {
  EXPECT_NE(said(with({Verdict::pass, Verdict::warn, Verdict::unsupported})).find("agree"), std::string::npos);
}

TEST(Smoke, TheLibraryIsAtFaultWhereTheAdapterVouches) {
  EXPECT_NE(said(with({Verdict::pass, Verdict::fail})).find("The library is at fault:"), std::string::npos);
  for (const Texts& provides : {Texts{"make", "from_dlpack"}, Texts{"from_dlpack", "contents"}}) {
    EXPECT_NE(said(with({Verdict::pass, Verdict::crash}), provides).find("nothing shows which"), std::string::npos);
  }
}

TEST(Smoke, AFaultIsCorrectedFirst) {
  EXPECT_NE(said(with({Verdict::fail}), whole, {"the adapter contradicts itself"}).find("corrected first"),
            std::string::npos);
}

TEST(Smoke, NothingIsSaidOfWhatDidNotTakePlace) {
  EXPECT_NE(said(with({Verdict::unsupported, Verdict::blocked})).find("No exchange took place"), std::string::npos);
}

TEST(Smoke, EachExchangeCountsOnceByItsWorstRecord) {
  Document document = with({Verdict::pass, Verdict::pass, Verdict::unsupported});
  document.results.push_back(sample_record(RuleId::tensor_strides_not_null, Verdict::fail, "producer/float32/c/1"));
  const std::string text = said(document, {"make", "contents"});
  EXPECT_NE(text.find("exports     1 not supported, 1 fine, 1 with failures\n"), std::string::npos) << text;
  EXPECT_NE(text.find("adapter     make, contents; without from_dlpack, write\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("imports"), std::string::npos) << text;
}

TEST(Smoke, CountsCopies) {
  Document document = with({Verdict::pass});
  document.results.push_back(sample_record(RuleId::bridge_rearrange_src_any, Verdict::fail, "bridge/float32/c/source"));
  const std::string text = said(document);
  EXPECT_NE(text.find("exports     1 fine\n  copies      1 with failures\n"), std::string::npos) << text;
  EXPECT_NE(text.find("The library is at fault:"), std::string::npos) << text;
}

}  // namespace
}  // namespace dlspec::conformance
