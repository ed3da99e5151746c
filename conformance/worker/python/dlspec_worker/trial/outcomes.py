"""The answers of one case, rule by rule, and the two exceptions that end a case."""

import types

from dlspec_worker.facts import editions


class Unsupported(Exception):
    """The library, or its adapter, cannot do what the case needs. The message is the reason."""


class AdapterFault(Exception):
    """The adapter contradicts its contract. The message is a sentence for its author."""


class Outcomes:
    """The answers of one case, at most one for each rule that the case asks about.

    A deviation replaces any other answer; otherwise the first answer stands. Rules that the case does not ask about are
    ignored, so that a check can answer every rule that it decides.
    """

    def __init__(self, rules, standard, native):
        self.rules = list(rules)
        self._asked = frozenset(self.rules)
        self._standard = standard
        self._facts_of = native.rule
        self._verdict_of = native.mitigation
        self._answers = {}

    def wants(self, *rules):
        return not self._asked.isdisjoint(rules)

    def answered(self, rule):
        return rule in self._answers

    def is_violated(self, *rules):
        return any(rule in self._answers and self._answers[rule]["outcome"] == "violated" for rule in rules)

    def is_passed(self, rule):
        return self._answers.get(rule, {}).get("outcome") == "pass"

    def pass_(self, *rules):
        self._say(rules, {"outcome": "pass"})

    def violated(self, rule, observed, allowed, mitigation=None):
        """`mitigation`: the row of mitigations.def by which this deviation is judged more mildly than its level."""
        verdict = self._verdict_of(mitigation) if mitigation else self._facts_of(rule)["violated"]
        mitigation = editions.mitigation(rule, verdict, self._standard, self._facts_of) or mitigation
        self._say([rule], self._mitigated("violated", observed, allowed, mitigation), replaces=True)

    def wrong_value(self, rule, observed, allowed):
        """Wrong values: a failure whatever standard the library claims."""
        self._say([rule], {"outcome": "violated", "observed": observed, "allowed": allowed, "verdict": "fail"}, True)

    def info(self, rule, observed, allowed, mitigation=None):
        """Without a row of mitigations.def, of a rule whose violation is information by itself."""
        if mitigation is None and self._facts_of(rule)["violated"] != "info":
            raise ValueError(f"information of {rule} needs a row of mitigations.def")
        self._say([rule], self._mitigated("info", observed, allowed, mitigation))

    def deviations(self):
        """rule -> answer, of the rules that are violated."""
        return {rule: answer for rule, answer in self._answers.items() if answer["outcome"] == "violated"}

    def infos(self):
        """The rules of which something is said that is no deviation."""
        return [rule for rule, answer in self._answers.items() if answer["outcome"] == "info"]

    def repeat(self, rule, answer):
        """Takes over the deviation that another attempt showed."""
        self._answers[rule] = dict(answer)

    def take_over(self, other):
        """The answers of another attempt, where this one has none."""
        self._answers = {**other._answers, **self._answers}

    def is_open_to_doubt(self):
        """True when a rule is violated, or blocked."""
        return any(answer["outcome"] in ("violated", "blocked") for answer in self._answers.values())

    def amend(self, rule, circumstance):
        """Says under which circumstance a deviation shows."""
        self._answers[rule]["observed"] = f"{circumstance}: {self._answers[rule]['observed']}"

    def excuse(self, rule, mitigation):
        """Judges a deviation more mildly, by this row of mitigations.def."""
        told = self._answers[rule]
        self._answers[rule] = self._mitigated("violated", told["observed"], told["allowed"], mitigation)

    def withdraw(self, rule, by, left_to=None):
        """Takes a deviation back that is reported under `left_to`: by another case, or without it by this one."""
        self._answers[rule] = {"outcome": "blocked", "observed": by}
        if left_to:
            self._answers[rule]["left_to"] = left_to

    def unsupported(self, reason, *rules):
        self._say(rules, {"outcome": "unsupported", "observed": reason})

    def not_applicable(self, *rules):
        self._say(rules, {"outcome": "not-applicable"})

    def blocked(self, by, *rules):
        self._say(rules, {"outcome": "blocked", "observed": by})

    def fresh(self):
        """Outcomes of the same rules, none of them answered."""
        return Outcomes(
            self.rules, self._standard, types.SimpleNamespace(rule=self._facts_of, mitigation=self._verdict_of)
        )

    def rest(self):
        """The rules that have no answer yet."""
        return [rule for rule in self.rules if rule not in self._answers]

    def complete(self):
        """Every rule of the case with its answer."""
        self.blocked("not judged by the worker", *self.rest())
        return {rule: self._answers[rule] for rule in self.rules}

    def _mitigated(self, outcome, observed, allowed, mitigation):
        answer = {"outcome": outcome, "observed": observed, "allowed": allowed}
        if mitigation:
            self._verdict_of(mitigation)  # ValueError where there is no such row
            answer["mitigation"] = mitigation
        return answer

    def _say(self, rules, answer, replaces=False):
        for rule in rules:
            old = self._answers.get(rule)
            if rule in self._asked and (old is None or (replaces and old["outcome"] != "violated")):
                self._answers[rule] = answer
