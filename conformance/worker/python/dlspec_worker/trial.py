"""One case on its way: what was ordered, who is asked, and the answers given so far."""

import gc
import sys
import time

from dlspec_worker import editions, wording

# Seconds that a library has for a release that it does late.
PATIENCE = 2.0


class Unsupported(Exception):
    """The library, or its adapter, cannot do what the case needs. The message is the reason."""


class AdapterFault(Exception):
    """The adapter contradicts its contract. The message is a sentence for its author."""


class Outcomes:
    """The answers of one case, at most one for each rule that the case asks about.

    A breach stands against any later word; otherwise the first answer stands. Rules that the case does not ask about
    are dropped silently, so that a check says all it knows without looking at the request.
    """

    def __init__(self, rules, standard):
        self.rules = list(rules)
        self._standard = standard
        self._answers = {}

    def wants(self, *rules):
        return any(rule in self.rules for rule in rules)

    def answered(self, rule):
        return rule in self._answers

    def is_broken(self, *rules):
        return any(self._answers.get(rule, {}).get("outcome") == "broken" for rule in rules)

    def is_passed(self, rule):
        return self._answers.get(rule, {}).get("outcome") == "pass"

    def pass_(self, *rules):
        self._say(rules, {"outcome": "pass"})

    def broken(self, rule, observed, allowed, verdict=None):
        """`verdict`: another status than the rule's own, where this breach deserves one."""
        verdict = editions.cap(rule, verdict, self._standard)
        answer = {"outcome": "broken", "observed": observed, "allowed": allowed}
        if verdict:
            answer["verdict"] = verdict
        self._say([rule], answer, outweighs=True)

    def broken_badly(self, rule, observed, allowed):
        """A failure whatever standard the library claims: a wrong value is one everywhere."""
        self._say([rule], {"outcome": "broken", "observed": observed, "allowed": allowed, "verdict": "fail"}, True)

    def info(self, rule, observed, allowed):
        self._say([rule], {"outcome": "info", "observed": observed, "allowed": allowed})

    def unsupported(self, reason, *rules):
        self._say(rules, {"outcome": "unsupported", "observed": reason})

    def not_applicable(self, *rules):
        self._say(rules, {"outcome": "not-applicable"})

    def blocked(self, by, *rules):
        self._say(rules, {"outcome": "blocked", "observed": by})

    def rest(self):
        """The rules that have no answer yet."""
        return [rule for rule in self.rules if rule not in self._answers]

    def complete(self):
        """Every rule of the case with its answer."""
        self.blocked("not judged by the worker", *self.rest())
        return {rule: self._answers[rule] for rule in self.rules}

    def _say(self, rules, answer, outweighs=False):
        for rule in rules:
            old = self._answers.get(rule)
            if rule in self.rules and (old is None or (outweighs and old["outcome"] != "broken")):
                self._answers[rule] = answer


class Refusal:
    """An exception that a library answered with. Holds no traceback: that would keep arrays alive."""

    def __init__(self, error):
        self.kind = type(error)
        self.text = wording.of_exception(error)

    def is_a(self, *kinds):
        return issubclass(self.kind, kinds)


def attempt(function, *arguments, **keywords):
    """(result, None), or (None, Refusal). Whatever a library raises is an answer, SystemExit included."""
    try:
        return function(*arguments, **keywords), None
    except BaseException as error:
        return None, Refusal(error)


def unraisable(act, *arguments, **keywords):
    """(result, texts of the Python exceptions that were raised where nobody can catch them, as in callbacks of C)."""
    seen = []
    before = sys.unraisablehook
    sys.unraisablehook = lambda raised: seen.append(wording.of_exception(raised.exc_value))
    try:
        return act(*arguments, **keywords), seen
    finally:
        sys.unraisablehook = before


class Trial:
    """What the function of a variant is given."""

    def __init__(self, case, order, library, native):
        self.variant = case["variant"]
        self.layout = case["layout"]
        self.order = order
        self.library = library
        self.native = native
        self.out = Outcomes(case["rules"], library.standard)


def goes_on(left, least=1):
    """True when the number that `left()` answers still falls by itself: what is late is not lost."""
    first = left()
    return settle(lambda: left() <= first - least, PATIENCE / 4)


def settle(done, seconds=None):
    """Waits until `done()`: three garbage collections at least, and PATIENCE seconds unless told otherwise."""
    for _ in range(3):
        gc.collect()
        if done():
            return True
    deadline = time.monotonic() + (PATIENCE if seconds is None else seconds)
    while time.monotonic() < deadline:
        time.sleep(0.02)
        gc.collect()
        if done():
            return True
    return False
