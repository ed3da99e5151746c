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

TEST(CaseRequest, SequencesBringTheArraysThatTheyMake) {
  Case work = sample();
  work.sequences = {"make a0 fortran int16 library; export e0 a0 copy", "collect"};
  work.journal = "/tmp/page";
  const std::string line = case_request(work, 1);
  EXPECT_NE(line.find(R"("sequences":["make a0 fortran int16 library; export e0 a0 copy","collect"])"), line.npos);
  EXPECT_NE(line.find(R"("journal":"/tmp/page")"), line.npos);
  // What a library falls back to comes along.
  for (const char* name : {"fortran int16", "c int16", "fortran float32", "c float32", "c uint8"}) {
    EXPECT_NE(line.find('"' + std::string(name) + R"(":{"dtype":)"), line.npos) << name;
  }
}

TEST(CaseRequest, LeavesStridesToTheLibrary) {
  Case work = sample();
  work.order.strides.reset();
  work.order.shape.clear();
  EXPECT_NE(case_request(work, 1).find(R"("shape":[],"strides":null,)"), std::string::npos);
}

}  // namespace
}  // namespace dlspec::conformance
