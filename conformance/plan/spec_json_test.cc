#include <dlspec/conformance/plan/spec_json.h>

#include <gtest/gtest.h>

namespace dlspec::conformance {
namespace {

Case sample() {
  Case work;
  work.id = "producer/int16/negative1/plain";
  work.dtype = "int16";
  work.layout = "negative1";
  work.variant = "plain";
  work.order.dtype = "int16";
  work.order.shape = {2};
  work.order.strides = {{-1}};
  work.order.offset = 1;
  work.order.bytes = std::string("\x00\xff\x10\x0a", 4);
  work.rules = {RuleId::tensor_element_address, RuleId::managed_deleter_once};
  return work;
}

TEST(CaseRequest, IsTheLineThatWorkersRead) {
  EXPECT_EQ(case_request(sample(), 17),
            R"({"case":{"n":17,"id":"producer/int16/negative1/plain","role":"producer","dtype":"int16",)"
            R"("layout":"negative1","variant":"plain","spec":{"dtype":"int16","shape":[2],"strides":[-1],"offset":1,)"
            R"("readonly":false,"device":[1,0],"bytes":"00ff100a"},)"
            R"("rules":["tensor.element-address","managed.deleter-once"]}})");
}

TEST(CaseRequest, LeavesStridesToTheLibrary) {
  Case work = sample();
  work.order.strides.reset();
  work.order.shape.clear();
  EXPECT_NE(case_request(work, 1).find(R"("shape":[],"strides":null,)"), std::string::npos);
}

}  // namespace
}  // namespace dlspec::conformance
