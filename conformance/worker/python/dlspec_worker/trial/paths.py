"""A case of a path: its levels, and the fewest of them that a deviation needs.

A deviation that shows on a simpler path, too, is reported there: by the case of that simpler path, or by an ordinary
variant. Only what needs the combination is reported for it, so that one fault has one name.
"""

import itertools
import re

from dlspec_worker.trial.outcomes import Unsupported

# Rules on what the elements are: the same fault may show as one or as the other, by the layout that it meets.
_ELEMENTS = re.compile(r"tensor\.(element|byte-offset|strides|ndim0|row-major|overlap-read)|dtype\.|python\.copy-true$")


class Path:
    """The levels of the factors of plan/paths.def that a case combines; `get` gives the default for all others."""

    def __init__(self, levels, order):
        self.levels = levels
        self.order = order

    @classmethod
    def of(cls, trial):
        words = trial.variant.partition(":")[2]
        named = [] if words == "ordinary" else words.split("+")
        return cls(dict(word.split("=", 1) for word in named), trial.order)

    def get(self, factor, default):
        return self.levels.get(factor, default)


class Judge:
    """Carries out the path of a case, and finds the simplest path on which each deviation shows.

    act(trial, path): one exchange, whose findings it tells trial.out.
    plain_order(order): the order of the plainest array, in whose place the case has another dtype or layout.
    alike: factor -> level -> the level that is tried in its place first, None for the default.
    is_told(levels, is_plain, rule): true when an ordinary variant judges this rule on a path of these levels alone.
    """

    def __init__(self, act, plain_order, is_told, alike=None):
        self._alike = alike or {}
        self._act = act
        self._plain_order = plain_order
        self._is_told = is_told

    def judge(self, trial):
        path = Path.of(trial)
        try:
            self._act(trial, path)
        except Unsupported as reason:
            trial.out.unsupported(str(reason), *trial.out.rest())
        for rule in [rule for rule in trial.out.rules if trial.out.is_broken(rule)]:
            self._explain(trial, path, rule)

    def _explain(self, trial, path, rule):
        for levels, order in self._simpler(path):
            found = self._broken(trial, Path(levels, order))
            same = [each for each in found if each == rule or _ELEMENTS.match(each) and _ELEMENTS.match(rule)]
            if not same:
                continue
            is_plain = order is not path.order
            named = rule if rule in same else same[0]
            if self._is_told(levels, is_plain, named):
                trial.out.withdraw(rule, f"by {named}, {_where(levels)}")
                return
            if named != rule:
                trial.out.withdraw(rule, f"by {named}, {_where(levels)}")
                trial.out.repeat(named, found[named])
            trial.out.amend(named, _where(levels, None if is_plain else path.order))
            return
        if self._is_told(path.levels, False, rule):
            trial.out.withdraw(rule, f"by {rule}, {_where(path.levels)}")
        else:
            trial.out.amend(rule, _where(path.levels, path.order))

    def _simpler(self, path):
        """Paths with fewer levels, the simplest first; each with the plainest array, then with that of the case."""
        orders = [self._plain_order(path.order), path.order]
        names = sorted(path.levels)
        for count in range(min(2, len(names)) + 1):
            for kept in itertools.combinations(names, count):
                levels = {name: path.levels[name] for name in kept}
                for order in orders:
                    if self._replaced(levels) != levels:
                        yield self._replaced(levels), order
                    if count < len(names) or order is not path.order:
                        yield levels, order

    def _replaced(self, levels):
        """The same with those levels that ordinary variants know."""
        known = {name: self._alike.get(name, {}).get(level, level) for name, level in levels.items()}
        return {name: level for name, level in known.items() if level is not None}

    def _broken(self, trial, path):
        """The deviations on another path: rule -> its answer."""
        again = trial.again(path.order)
        try:
            self._act(again, path)
        except Unsupported:
            pass
        return again.out.deviations()


def _where(levels, order=None):
    """ "with copy=true and before=refusal, for int16 (3,4)"."""
    words = " and ".join(f"{factor}={level}" for factor, level in sorted(levels.items())) or "an ordinary exchange"
    if order is None:
        return f"with {words}"
    return f"with {words}, for {order.dtype} of shape {tuple(order.shape)}"
