// The document that is written against the schema that is published.
#include <gtest/gtest.h>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/core/sample_document.h>
#include <dlspec/conformance/report/schema_validator.h>

namespace dlspec::conformance {
namespace {

constexpr const char* schema_file = "dlspec-result-1.schema.json";

Json written() {
  Document document = sample_document();
  document.shard = Shard{1, 2};
  document.seconds = {{"numpy", {0, 0.5, 2}}};
  return Json::parse(write_document(document));
}

std::vector<std::string> problems_of(const Json& document) {
  return SchemaValidator(published_schema(__FILE__, schema_file)).problems(document);
}

TEST(Schema, HoldsForWhatIsWritten) {
  EXPECT_EQ(problems_of(written()), std::vector<std::string>{});
  EXPECT_EQ(problems_of(Json::parse(write_document(Document{}))), std::vector<std::string>{});
}

TEST(Schema, NamesEveryStatusLevelAndKind) {
  const Json schema = published_schema(__FILE__, schema_file);
  std::vector<std::string> statuses;
  for (const Verdict status : all_verdicts) statuses.emplace_back(verdict_name(status));
  EXPECT_EQ(schema["$defs"]["status"]["enum"], Json(statuses));
  for (const Rule& row : rules()) {
    const Json& levels = schema["$defs"]["record"]["properties"]["level"]["enum"];
    EXPECT_NE(std::find(levels.begin(), levels.end(), level_name(row.level)), levels.end()) << row.id;
    EXPECT_TRUE(std::regex_search(row.id, std::regex(schema["$defs"]["rule"]["pattern"].get<std::string>()))) << row.id;
  }
}

TEST(Schema, IsAboutEveryPropertyThatIsRead) {
  Json document = written();
  document["results"][1].erase("observed");
  EXPECT_EQ(problems_of(document), std::vector<std::string>{"$.results[1]: lacks \"observed\""});
}

TEST(Schema, RefusesWhatADocumentIsNot) {
  const auto broken = [](const char* pointer, const Json& value) {
    Json document = written();
    document[Json::json_pointer(pointer)] = value;
    return problems_of(document).size();
  };
  EXPECT_EQ(broken("/schema", "dlspec-result/2"), 1u);
  EXPECT_EQ(broken("/seed", -1), 1u);
  EXPECT_EQ(broken("/shard/index", 0), 1u);
  EXPECT_EQ(broken("/results/1/status", "bad"), 1u);
  EXPECT_EQ(broken("/results/0/observed", "a pass has none"), 1u);
  EXPECT_EQ(broken("/results/1/rule", "No Rule"), 1u);
  EXPECT_EQ(broken("/subjects/0/kind", "ruby"), 1u);
  EXPECT_EQ(broken("/subjects/0/unpublished", 1), 1u);
  EXPECT_EQ(broken("/summary/unknown", 1), 1u);
  EXPECT_EQ(broken("/host/cores", 2), 1u);
  EXPECT_EQ(broken("/seconds/numpy/import", -1), 1u);
}

}  // namespace
}  // namespace dlspec::conformance
