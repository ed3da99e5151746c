#include <algorithm>
#include <iterator>

#include <dlspec/conformance/core/json_fields.h>
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/worker/protocol/messages.h>
#include <dlspec/vocabulary/by_name.h>

namespace dlspec::conformance {

namespace {

using fields::Json;

// The outcomes that a worker may send; only the supervisor reports crashes and timeouts.
constexpr Outcome::Kind answerable[] = {Outcome::Kind::pass,        Outcome::Kind::violated,
                                        Outcome::Kind::unsupported, Outcome::Kind::not_applicable,
                                        Outcome::Kind::blocked,     Outcome::Kind::info};
// Of the outcomes without a text: most are one of these.
constexpr Outcome::Kind lettered[] = {Outcome::Kind::pass, Outcome::Kind::not_applicable};
constexpr char no_letter = '-';
char letter_of(Outcome::Kind kind) { return kind == Outcome::Kind::pass ? 'p' : 'n'; }

constexpr Verdict overriding[] = {Verdict::fail, Verdict::warn, Verdict::info, Verdict::unsupported};

// A worker's line. Texts of a subject may hold any bytes: those that are no JSON cost themselves, not the whole answer.
Json parse_line(std::string_view line, std::string& why) {
  Json object = fields::parse_object(line, why);
  if (why.empty()) return object;
  std::string again;
  Json repaired = fields::parse_object(with_valid_text(line), again);
  if (again.empty()) why.clear();
  return repaired;
}

// Sets `outcome`. Returns the error, or "".
std::string read_outcome(const std::string& rule_id, const Json& value, Outcome& outcome) {
  const auto kind = by_name(answerable, outcome_name, fields::text_or_empty(value, "outcome"));
  if (!kind) return "an unknown outcome for " + rule_id;
  outcome.kind = *kind;
  outcome.observed = fields::text_or_empty(value, "observed");
  outcome.allowed = fields::text_or_empty(value, "allowed");
  if (const auto name = fields::text(value, "verdict")) {
    outcome.verdict = by_name(overriding, verdict_name, *name);
    if (!outcome.verdict) return "an unknown verdict for " + rule_id;
  }
  if (const auto id = fields::text(value, "mitigation")) {
    outcome.mitigation = find_mitigation(*id);
    if (!outcome.mitigation) return "an unknown mitigation for " + rule_id;
  }
  if (const auto id = fields::text(value, "left_to")) {
    const Rule* const named = find_rule(*id);
    if (named == nullptr) return "an unknown rule that " + rule_id + " is left to";
    outcome.left_to = named->rule;
  }
  return "";
}

// Drops unknown rules: no case can have asked for them.
std::string read_outcomes(const Json& object, Answer& answer) {
  if (!object.is_object()) return "outcomes that are no object";
  for (const auto& [rule_id, value] : object.items()) {
    const Rule* known = find_rule(rule_id);
    if (!known) continue;
    if (std::string why = read_outcome(rule_id, value, answer.outcomes[known->rule]); !why.empty()) return why;
  }
  return "";
}

// The outcomes without a text, a letter for each rule that was asked. Returns the error, or "".
std::string read_letters(const std::string& letters, std::span<const RuleId> asked, Answer& answer) {
  if (letters.size() != asked.size()) return "letters for another number of rules";
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (letters[i] == no_letter) continue;
    const auto kind = std::find_if(std::begin(lettered), std::end(lettered),
                                   [&](Outcome::Kind each) { return letter_of(each) == letters[i]; });
    if (kind == std::end(lettered)) return std::string("an unknown letter for ") + rule(asked[i]).id;
    answer.outcomes[asked[i]].kind = *kind;
  }
  return "";
}

void read_observation(const Json& object, Answer& answer) {
  answer.observation.emplace();
  answer.observation->tensor = fields::text_or_empty(object, "tensor");
  answer.observation->layout = fields::text_or_empty(object, "layout");
  answer.observation->memory = fields::text_or_empty(object, "memory");
  answer.observation->read_only = fields::text_or_empty(object, "read_only");
  answer.observation->by_table = fields::text_or_empty(object, "by_table");
}

std::vector<std::uint64_t> read_numbers(const Json& array) {
  std::vector<std::uint64_t> numbers;
  for (const Json& each : array) {
    if (each.is_number_unsigned()) numbers.push_back(each.get<std::uint64_t>());
  }
  return numbers;
}

// Each is [index, [number, ...], [number, ...]]; what is not is left out.
void read_novelties(const Json& object, SequenceReport& report) {
  report.places = fields::whole_number(object, "places").value_or(0);
  const Json* const novelties = fields::find(object, "novel");
  if (novelties == nullptr || !novelties->is_array()) return;
  for (const Json& each : *novelties) {
    if (!each.is_array() || each.size() != 3 || !each[0].is_number_unsigned()) continue;
    report.novelties.push_back({each[0].get<std::size_t>(), read_numbers(each[1]), read_numbers(each[2])});
  }
}

// A report with fields that are missing or unknown has no finding: the outcomes are judged without it.
void read_sequence(const Json& object, Answer& answer) {
  SequenceReport& report = answer.sequence.emplace();
  report.steps = static_cast<std::uint64_t>(fields::integer(object, "steps").value_or(0));
  report.refused = static_cast<std::uint64_t>(fields::integer(object, "refused").value_or(0));
  read_novelties(object, report);
  const auto index = fields::integer(object, "index");
  const auto step = fields::integer(object, "step");
  const Rule* const known = find_rule(fields::text_or_empty(object, "rule"));
  const auto role = parse_role(fields::text_or_empty(object, "role"));
  if (!index || *index < 0 || !step || *step < 0 || known == nullptr || !role) return;
  report.finding = {
      static_cast<std::size_t>(*index),          static_cast<std::size_t>(*step),         known->rule, *role,
      fields::text_or_empty(object, "observed"), fields::text_or_empty(object, "allowed")};
}

Json sequence_json(const SequenceReport& report) {
  Json object{{"steps", report.steps}, {"refused", report.refused}};
  for (const SequenceReport::Novelty& each : report.novelties)
    object["novel"].push_back({each.index, each.observations, each.covered});
  if (report.places != 0) object["places"] = report.places;
  if (!report.finding) return object;
  const SequenceReport::Finding& finding = *report.finding;
  object.update({{"index", finding.index},
                 {"step", finding.step},
                 {"rule", rule(finding.rule).id},
                 {"role", role_name(finding.role)},
                 {"observed", finding.observed},
                 {"allowed", finding.allowed}});
  return object;
}

std::string read_answer(const Json& object, std::span<const RuleId> asked, Answer& answer) {
  if (const Json* sequence = fields::find(object, "sequence")) read_sequence(*sequence, answer);
  answer.table_calls = fields::texts(object, "table_calls");
  if (const auto text = fields::text(object, "unsupported")) {
    answer.kind = Answer::Kind::unsupported;
    answer.text = *text;
  } else if (const auto fault = fields::text(object, "adapter_fault")) {
    answer.kind = Answer::Kind::adapter_fault;
    answer.text = *fault;
  } else if (const auto why = fields::text(object, "blocked")) {
    answer.kind = Answer::Kind::blocked;
    answer.text = *why;
  } else if (const Json* outcomes = fields::find(object, "outcomes")) {
    if (const Json* observation = fields::find(object, "came")) read_observation(*observation, answer);
    const auto letters = fields::text(object, "letters");
    const std::string wrong = letters ? read_letters(*letters, asked, answer) : "";
    return wrong.empty() ? read_outcomes(*outcomes, answer) : wrong;
  } else {
    return "an answer without outcomes";
  }
  return "";
}

FirstReply parse_ready(const Json& object) {
  const auto pid = fields::integer(object, "pid");
  if (!pid) return Rubbish{"a ready message without pid"};
  Ready ready;
  ready.pid = *pid;
  ready.name = fields::text_or_empty(object, "name");
  ready.version = fields::text_or_empty(object, "version");
  ready.loaded_from = fields::text_or_empty(object, "loaded_from");
  ready.build = fields::text_or_empty(object, "build");
  ready.python = fields::text_or_empty(object, "python");
  for (const std::string& role : fields::texts(object, "roles")) {
    const std::optional<Role> played = parse_role(role);
    if (played && *played != Role::exchange) ready.roles.push_back(*played);
  }
  ready.standard = fields::text_or_empty(object, "standard");
  ready.provides = fields::texts(object, "provides");
  return ready;
}

Json outcome_json(const Outcome& outcome) {
  Json value{{"outcome", outcome_name(outcome.kind)}};
  if (!outcome.observed.empty()) value["observed"] = outcome.observed;
  if (!outcome.allowed.empty()) value["allowed"] = outcome.allowed;
  if (outcome.verdict) value["verdict"] = verdict_name(*outcome.verdict);
  if (outcome.mitigation != nullptr) value["mitigation"] = outcome.mitigation->id;
  if (outcome.left_to) value["left_to"] = rule(*outcome.left_to).id;
  return value;
}

bool is_lettered(const Outcome& outcome) {
  const bool has_letter = std::find(std::begin(lettered), std::end(lettered), outcome.kind) != std::end(lettered);
  return has_letter && outcome.observed.empty() && outcome.allowed.empty() && !outcome.verdict &&
         outcome.mitigation == nullptr && !outcome.left_to;
}

}  // namespace

const char* outcome_name(Outcome::Kind kind) {
  switch (kind) {
    case Outcome::Kind::pass: return "pass";
    case Outcome::Kind::violated: return "violated";
    case Outcome::Kind::unsupported: return "unsupported";
    case Outcome::Kind::not_applicable: return "not-applicable";
    case Outcome::Kind::blocked: return "blocked";
    case Outcome::Kind::info: return "info";
    case Outcome::Kind::crash: return "crash";
    case Outcome::Kind::timeout: return "timeout";
    case Outcome::Kind::skipped: return "skipped";
  }
  return "unknown";
}

std::string encode(const Ready& ready) {
  Json roles = Json::array();
  for (const Role role : ready.roles) roles.push_back(role_name(role));
  return fields::dump({{"ready",
                        {{"pid", ready.pid},
                         {"name", ready.name},
                         {"version", ready.version},
                         {"loaded_from", ready.loaded_from},
                         {"build", ready.build},
                         {"python", ready.python},
                         {"roles", roles},
                         {"standard", ready.standard},
                         {"provides", ready.provides}}}});
}

std::string encode(const Failed& failed) {
  return fields::dump({{"failed", {{"stage", failed.stage}, {"message", failed.message}, {"detail", failed.detail}}}});
}

std::string encode(const CaseReply& reply, std::span<const RuleId> asked) {
  Json object{{"n", reply.number}, {"pid", reply.pid}};
  switch (reply.answer.kind) {
    case Answer::Kind::unsupported: object["unsupported"] = reply.answer.text; break;
    case Answer::Kind::adapter_fault: object["adapter_fault"] = reply.answer.text; break;
    case Answer::Kind::answered: {
      Json outcomes = Json::object();
      std::string letters(asked.size(), no_letter);
      for (const auto& [id, outcome] : reply.answer.outcomes) {
        const auto place = std::find(asked.begin(), asked.end(), id);
        if (place != asked.end() && is_lettered(outcome))
          letters[static_cast<std::size_t>(place - asked.begin())] = letter_of(outcome.kind);
        else
          outcomes[rule(id).id] = outcome_json(outcome);
      }
      object["letters"] = std::move(letters);
      object["outcomes"] = std::move(outcomes);
      if (reply.answer.sequence) object["sequence"] = sequence_json(*reply.answer.sequence);
      break;
    }
    default: object["blocked"] = reply.answer.text; break;
  }
  return fields::dump(object);
}

FirstReply parse_first_reply(std::string_view line) {
  std::string why;
  const Json object = parse_line(line, why);
  if (!why.empty()) return Rubbish{why};
  if (const Json* ready = fields::find(object, "ready")) return parse_ready(*ready);
  if (const Json* failed = fields::find(object, "failed")) {
    return Failed{fields::text_or_empty(*failed, "stage"), fields::text_or_empty(*failed, "message"),
                  fields::text_or_empty(*failed, "detail")};
  }
  return Rubbish{"neither ready nor failed"};
}

std::variant<CaseReply, Rubbish> parse_case_reply(std::string_view line, std::span<const RuleId> asked) {
  std::string why;
  const Json object = parse_line(line, why);
  if (!why.empty()) return Rubbish{why};
  const auto number = fields::integer(object, "n");
  const auto pid = fields::integer(object, "pid");
  if (!number || *number < 0 || !pid) return Rubbish{"an answer without number and pid"};
  CaseReply reply;
  reply.number = static_cast<std::uint64_t>(*number);
  reply.pid = *pid;
  why = read_answer(object, asked, reply.answer);
  if (!why.empty()) return Rubbish{why};
  return reply;
}

}  // namespace dlspec::conformance
