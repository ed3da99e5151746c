#include <dlspec/conformance/worker/protocol/messages.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/plan/spec_json.h>

namespace dlspec::conformance {
namespace {

using namespace std::string_literals;

TEST(Messages, StartComesBack) {
  const auto parsed = parse_request(encode(StartRequest{SubjectKind::plugin, "/a \"b\".so", "/n.so", 7}));
  const auto& start = std::get<StartRequest>(parsed);
  EXPECT_EQ(start.kind, SubjectKind::plugin);
  EXPECT_EQ(start.path, "/a \"b\".so");
  EXPECT_EQ(start.native, "/n.so");
  EXPECT_EQ(start.seed, 7U);
}

// --seed takes any number of 64 bits; those above 2^63 reached the worker as 0.
TEST(Messages, LargeSeedsComeBack) {
  const auto parsed = parse_request(encode(StartRequest{SubjectKind::plugin, "", "", UINT64_MAX}));
  EXPECT_EQ(std::get<StartRequest>(parsed).seed, UINT64_MAX);
}

// An extent of 2^64 - 1 was read as -1.
TEST(Messages, NumbersBeyondInt64AreNoExtents) {
  const char* const line =
      R"({"case":{"n":1,"role":"producer","spec":{"dtype":"int8","shape":[18446744073709551615],"bytes":""}}})";
  EXPECT_TRUE(std::holds_alternative<Rubbish>(parse_request(line)));
}

TEST(Messages, EveryPlannedCaseComesBack) {
  Selection selection;
  selection.cases = "*/float32/*";
  const auto plan = make_plan(selection);
  ASSERT_FALSE(plan.empty());
  for (const Case& work : plan) {
    const auto parsed = parse_request(case_request(work, 5));
    const auto* request = std::get_if<CaseRequest>(&parsed);
    ASSERT_NE(request, nullptr) << work.id;
    EXPECT_EQ(request->number, 5U);
    EXPECT_EQ(request->work.id, work.id);
    EXPECT_EQ(request->work.role, work.role);
    EXPECT_EQ(request->work.variant, work.variant);
    EXPECT_EQ(request->work.order.shape, work.order.shape);
    EXPECT_EQ(request->work.order.strides, work.order.strides);
    EXPECT_EQ(request->work.order.offset, work.order.offset);
    EXPECT_EQ(request->work.order.read_only, work.order.read_only);
    EXPECT_EQ(request->work.order.bytes, work.order.bytes);
    EXPECT_EQ(request->work.rules, work.rules);
  }
}

TEST(Messages, QuitComesBack) {
  EXPECT_TRUE(std::holds_alternative<QuitRequest>(parse_request(encode(QuitRequest{}))));
}

TEST(Messages, ReadyComesBack) {
  const Ready ready{12, "NumPy", "2.4.6", "/x", "3.11.2", {Role::consumer}, "dlpack", {"make"}, "revision 1a"};
  const auto parsed = parse_first_reply(encode(ready));
  const auto& read = std::get<Ready>(parsed);
  EXPECT_EQ(read.pid, 12);
  EXPECT_EQ(read.name + read.version + read.loaded_from + read.python + read.standard, "NumPy2.4.6/x3.11.2dlpack");
  EXPECT_EQ(read.build, "revision 1a");
  EXPECT_EQ(read.roles, std::vector<Role>{Role::consumer});
  EXPECT_EQ(read.provides, std::vector<std::string>{"make"});
}

TEST(Messages, TextsOfSubjectsMayBeAnyBytes) {
  const auto shown = [](const std::string& text) {
    const auto parsed = parse_case_reply("{\"n\":3,\"pid\":12,\"unsupported\":\"" + text + "\"}");
    const auto* reply = std::get_if<CaseReply>(&parsed);
    return reply != nullptr ? reply->answer.text : "rubbish";
  };
  EXPECT_EQ(shown(R"(half \ud800 a pair)"), "half \uFFFD a pair");
  EXPECT_EQ(shown(R"(\udc80\udc80)"), "\uFFFD\uFFFD");
  EXPECT_EQ(shown(R"(\ud83d\ude00 \\ud800 \u00e4 \ud800\n)"), "\U0001F600 \\ud800 \u00e4 \uFFFD\n");
  EXPECT_EQ(shown("latin-1 \xe4, \xff"), "latin-1 \uFFFD, \uFFFD");
  EXPECT_EQ(shown("\"unquoted"), "rubbish");
  CaseReply reply;
  reply.answer.kind = Answer::Kind::unsupported;
  reply.answer.text = "\xff and \0 NUL"s;
  EXPECT_EQ(std::get<CaseReply>(parse_case_reply(encode(reply))).answer.text, "\uFFFD and \0 NUL"s);
}

TEST(Messages, FailedComesBack) {
  const auto parsed = parse_first_reply(encode(Failed{"import", "no such module", "Traceback"}));
  const auto& read = std::get<Failed>(parsed);
  EXPECT_EQ(read.stage + "|" + read.message + "|" + read.detail, "import|no such module|Traceback");
}

TEST(Messages, AnswerComesBackWithEveryOutcome) {
  CaseReply reply{3, 4, {}};
  reply.answer.outcomes[RuleId::tensor_element_address] = {Outcome::Kind::violated, "seen \xff", "allowed",
                                                           Verdict::warn};
  reply.answer.outcomes[RuleId::tensor_strides_not_null] = {Outcome::Kind::not_applicable, "", "", std::nullopt};
  const auto parsed = parse_case_reply(encode(reply));
  const auto& read = std::get<CaseReply>(parsed);
  EXPECT_EQ(read.number, 3U);
  EXPECT_EQ(read.pid, 4);
  ASSERT_EQ(read.answer.outcomes.size(), 2U);
  const Outcome& violated = read.answer.outcomes.at(RuleId::tensor_element_address);
  EXPECT_EQ(violated.kind, Outcome::Kind::violated);
  EXPECT_EQ(violated.observed, "seen \xEF\xBF\xBD");
  EXPECT_EQ(violated.verdict, Verdict::warn);
  EXPECT_EQ(read.answer.outcomes.at(RuleId::tensor_strides_not_null).kind, Outcome::Kind::not_applicable);
}

TEST(Messages, OutcomesWithoutTextAreLettersInTheOrderOfTheRules) {
  constexpr RuleId asked[] = {RuleId::managed_borrow, RuleId::tensor_element_address, RuleId::tensor_strides_not_null,
                              RuleId::managed_deleter_once};
  CaseReply reply{3, 4, {}};
  reply.answer.outcomes[RuleId::managed_borrow].kind = Outcome::Kind::not_applicable;
  reply.answer.outcomes[RuleId::tensor_element_address].kind = Outcome::Kind::pass;
  reply.answer.outcomes[RuleId::tensor_strides_not_null] = {Outcome::Kind::pass, "seen", "", std::nullopt};
  const std::string line = encode(reply, asked);
  EXPECT_NE(line.find(R"("letters":"np--")"), std::string::npos) << line;
  EXPECT_EQ(line.find("tensor.element-address"), std::string::npos) << line;
  const auto parsed = parse_case_reply(line, asked);
  const auto& outcomes = std::get<CaseReply>(parsed).answer.outcomes;
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_EQ(outcomes.at(RuleId::managed_borrow).kind, Outcome::Kind::not_applicable);
  EXPECT_EQ(outcomes.at(RuleId::tensor_element_address).kind, Outcome::Kind::pass);
  EXPECT_EQ(outcomes.at(RuleId::tensor_strides_not_null).observed, "seen");
}

TEST(Messages, LettersForOtherRulesAreRubbish) {
  constexpr RuleId asked[] = {RuleId::managed_borrow, RuleId::tensor_element_address};
  const auto answer = [&](const std::string& letters) {
    return parse_case_reply(R"({"n":1,"pid":2,"outcomes":{},"letters":")" + letters + "\"}", asked);
  };
  EXPECT_TRUE(std::holds_alternative<CaseReply>(answer("p-")));
  for (const char* letters : {"", "p", "ppp", "px", "P-"})
    EXPECT_TRUE(std::holds_alternative<Rubbish>(answer(letters))) << letters;
}

TEST(Messages, TheReportOfSequencesComesBack) {
  CaseReply reply{3, 4, {}};
  reply.answer.sequence = SequenceReport{12, 3, std::nullopt};
  const auto clean = parse_case_reply(encode(reply));
  EXPECT_EQ(std::get<CaseReply>(clean).answer.sequence, reply.answer.sequence);
  reply.answer.sequence->novelties = {{0, {1, UINT64_MAX}, {}}, {5, {}, {7}}};
  reply.answer.sequence->places = 900;
  const auto novel = parse_case_reply(encode(reply));
  EXPECT_EQ(std::get<CaseReply>(novel).answer.sequence, reply.answer.sequence);
  reply.answer.sequence->finding = {7, 2, RuleId::managed_borrow, Role::producer, "seen", "allowed"};
  const auto found = parse_case_reply(encode(reply));
  EXPECT_EQ(std::get<CaseReply>(found).answer.sequence, reply.answer.sequence);
}

TEST(Messages, AReportOfSequencesWithoutItsFieldsHasNoFinding) {
  for (const char* report : {"{}", R"({"novel":7,"places":-1})", R"({"novel":[[0,[1]],[-1,[],[]],7]})",
                             R"({"index":0,"step":1,"rule":"no.such","role":"producer"})", "[]", "7",
                             R"({"index":-1,"step":1,"rule":"managed.borrow","role":"producer"})",
                             R"({"index":0,"step":1,"rule":"managed.borrow","role":"spectator"})"}) {
    const auto parsed = parse_case_reply(R"({"n":1,"pid":2,"outcomes":{},"sequence":)" + std::string(report) + "}");
    const auto* reply = std::get_if<CaseReply>(&parsed);
    ASSERT_NE(reply, nullptr) << report;
    EXPECT_EQ(reply->answer.sequence, SequenceReport{}) << report;
  }
}

TEST(Messages, AWorkerCannotDeclareItsOwnDeath) {
  for (const char* outcome : {"crash", "timeout", "skipped", "", "PASS"}) {
    const std::string line =
        R"({"n":1,"pid":2,"outcomes":{"tensor.element-address":{"outcome":")" + std::string(outcome) + R"("}}})";
    EXPECT_TRUE(std::holds_alternative<Rubbish>(parse_case_reply(line))) << outcome;
  }
}

TEST(Messages, AVerdictIsOneThatAFindingCanHave) {
  for (const char* verdict : {"crash", "xfail", "blocked", "", "Fail"}) {
    const std::string line =
        R"({"n":1,"pid":2,"outcomes":{"tensor.element-address":{"outcome":"violated","verdict":")" +
        std::string(verdict) + R"("}}})";
    EXPECT_TRUE(std::holds_alternative<Rubbish>(parse_case_reply(line))) << verdict;
  }
}

TEST(Messages, AMitigationIsARowOfTheTable) {
  CaseReply reply{3, 4, {}};
  const RuleId id = RuleId::version_major_mismatch_release;
  reply.answer.outcomes[id] = {Outcome::Kind::violated, "seen", "allowed", {}, find_mitigation("major-zero")};
  const std::string line = encode(reply);
  EXPECT_EQ(std::get<CaseReply>(parse_case_reply(line)).answer.outcomes.at(id).mitigation,
            find_mitigation("major-zero"));
  const std::string unknown = std::string(line).replace(line.find("major-zero"), 10, "major-none");
  EXPECT_TRUE(std::holds_alternative<Rubbish>(parse_case_reply(unknown))) << unknown;
}

TEST(Messages, ADeviationIsLeftToAKnownRule) {
  CaseReply reply{3, 4, {}};
  const RuleId id = RuleId::dtype_truthful;
  reply.answer.outcomes[id] = {Outcome::Kind::blocked, "by another", "", {}, nullptr, RuleId::managed_borrow};
  const std::string line = encode(reply);
  EXPECT_EQ(std::get<CaseReply>(parse_case_reply(line)).answer.outcomes.at(id).left_to, RuleId::managed_borrow);
  const std::string unknown = std::string(line).replace(line.find("managed.borrow"), 14, "managed.lender");
  EXPECT_TRUE(std::holds_alternative<Rubbish>(parse_case_reply(unknown))) << unknown;
}

TEST(Messages, RubbishIsNamed) {
  for (const char* line :
       {"", "hello", "[1]", "{}", R"({"n":-1,"pid":1,"outcomes":{}})", R"({"n":1,"outcomes":{}})", R"({"n":1,"pid":1})",
        R"({"n":1,"pid":1,"outcomes":[]})", R"({"n":1e300,"pid":1,"outcomes":{}})",
        R"({"n":1,"pid":99999999999999999999,"outcomes":{}})"}) {
    const auto parsed = parse_case_reply(line);
    ASSERT_TRUE(std::holds_alternative<Rubbish>(parsed)) << line;
    EXPECT_FALSE(std::get<Rubbish>(parsed).why.empty()) << line;
  }
}

RC_GTEST_PROP(Messages, AnyBytesAreAnswered, (const std::string& bytes)) {
  RC_ASSERT(std::holds_alternative<Rubbish>(parse_request(bytes)));
  RC_ASSERT(std::holds_alternative<Rubbish>(parse_first_reply(bytes)));
  RC_ASSERT(std::holds_alternative<Rubbish>(parse_case_reply(bytes)));
}

// A valid line with a changed or missing byte is parsed or refused, without a crash.
RC_GTEST_PROP(Messages, DamagedLinesAreSurvived, (std::uint16_t place, char byte)) {
  CaseReply reply{3, 4, {}};
  reply.answer.outcomes[RuleId::tensor_element_address] = {Outcome::Kind::violated, "seen", "allowed", Verdict::warn};
  std::string line = encode(reply);
  line[place % line.size()] = byte;
  (void)parse_case_reply(line);
  (void)parse_case_reply(line.substr(0, place % line.size()));
}

}  // namespace
}  // namespace dlspec::conformance
