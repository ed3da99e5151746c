"""A case of a path: its levels, and the fewest of them that a deviation needs.

A deviation that shows on a simpler path, too, is reported there: by the case of that simpler path, or by an ordinary
variant. Only what needs the combination is reported for it, so that one fault has one name.
"""

import itertools
import re

from dlspec_worker.facts import values
from dlspec_worker.trial.outcomes import Unsupported

# What an array has of the one of the case, in the place of the plainest.
PLAIN, DTYPE, LAYOUT, BOTH = "plain", "dtype", "layout", "both"

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
        before = self._violated_before(trial, path)
        try:
            self._act(trial, path)
        except Unsupported as reason:
            trial.out.unsupported(str(reason), *trial.out.rest())
        found = trial.out.deviations()
        for rule in [rule for rule in trial.out.rules if rule in found]:
            self._explain(trial, path, rule, before)
        if "stimulus" in path.levels:
            self._withdraw_infos(trial, path.levels["stimulus"])

    def _withdraw_infos(self, trial, stimulus):
        """What the ordinary stimulus says, too, is left to its own case."""
        found = trial.out.infos()
        if found and stimulus not in trial.library.said:
            again = trial.again(trial.plain)
            self._carry_out(again, Path({"stimulus": stimulus}, trial.plain))
            trial.library.said[stimulus] = {*again.out.infos(), *again.out.deviations()}
        for rule in found:
            if rule in trial.library.said[stimulus]:
                trial.out.withdraw(rule, f"by {rule}, {_where({'stimulus': stimulus})}", rule)

    def _violated_before(self, trial, path):
        """The deviations without the history of this case, before it is made; None where the case has no history.

        A library may never be the same again after a refusal: then an ordinary exchange shows later what it does not
        show in a worker in which nothing was refused. Without a stimulus this is looked at in a worker of its own only:
        the judging process asks again there, where the ordinary exchange that a deviation was left to does not show it.
        """
        if "before" not in path.levels or ("stimulus" not in path.levels and not trial.alone):
            return None
        without = {factor: level for factor, level in path.levels.items() if factor != "before"}
        return self._violated(trial, Path(without, path.order))

    def _explain(self, trial, path, rule, before):
        for levels, kind, order in self._simpler(trial, path):
            if before is not None and rule not in before and "before" not in levels:
                continue
            found = self._violated(trial, Path(levels, order))
            same = [each for each in found if each == rule or _ELEMENTS.match(each) and _ELEMENTS.match(rule)]
            if not same:
                continue
            named = rule if rule in same else same[0]
            if self._is_told_elsewhere(trial, levels, kind, named):
                trial.out.withdraw(rule, f"by {named}, {_where(levels)}", named)
                return
            if named != rule:
                trial.out.withdraw(rule, f"by {named}, {_where(levels)}")
                trial.out.repeat(named, found[named])
            trial.out.amend(named, _where(levels, None if kind == PLAIN else order))
            return
        if self._is_told_elsewhere(trial, path.levels, BOTH, rule):
            trial.out.withdraw(rule, f"by {rule}, {_where(path.levels)}", rule)
        else:
            trial.out.amend(rule, _where(path.levels, path.order))

    def _is_told_elsewhere(self, trial, levels, kind, rule):
        """True when a case that is no path judges this rule on such an array, and nothing else."""
        if trial.drawn and kind in (LAYOUT, BOTH):
            return False
        if trial.only_witness and levels and "stimulus" not in levels:
            return False
        if "stimulus" in levels:
            return len(levels) == 1 and (kind == PLAIN or kind in trial.ordinary)
        return self._is_told(levels, kind == PLAIN, rule)

    def _simpler(self, trial, path):
        """Paths with fewer levels, the simplest first; each with the plainest array, then with more of the case's."""
        orders = self._orders(trial, path.order)
        needed = {name: level for name, level in path.levels.items() if name == "stimulus"}
        names = sorted(path.levels.keys() - needed.keys())
        for count in range(min(2, len(names)) + 1):
            for kept in itertools.combinations(names, count):
                levels = {**needed, **{name: path.levels[name] for name in kept}}
                for kind, order in orders:
                    if self._replaced(levels) != levels:
                        yield self._replaced(levels), kind, order
                    if count < len(names) or order is not path.order:
                        yield levels, kind, order

    def _orders(self, trial, order):
        """(what it has of the case, order): the plainest array first."""
        plain = trial.plain or self._plain_order(order)
        found = [(PLAIN, plain)]
        if _layout_of(order) != _layout_of(plain) and order.dtype != plain.dtype:
            found.append((DTYPE, values.order(plain, dtype=order.dtype)))
            found.append((LAYOUT, values.order(order, dtype=plain.dtype)))
        return [*found, (_kind_of(order, plain), order)]

    def _replaced(self, levels):
        """The same with those levels that ordinary variants know."""
        known = {name: self._alike.get(name, {}).get(level, level) for name, level in levels.items()}
        return {name: level for name, level in known.items() if level is not None}

    def _violated(self, trial, path):
        """The deviations on another path: rule -> its answer."""
        again = trial.again(path.order)
        self._carry_out(again, path)
        return again.out.deviations()

    def _carry_out(self, trial, path):
        try:
            self._act(trial, path)
        except Unsupported:
            pass


def _layout_of(order):
    return order.shape, order.strides, order.offset, order.readonly


def _kind_of(order, plain):
    if order.dtype == plain.dtype:
        return LAYOUT
    return DTYPE if _layout_of(order) == _layout_of(plain) else BOTH


def _where(levels, order=None):
    """ "with copy=true and before=refusal, for int16 (3,4)"."""
    words = " and ".join(f"{factor}={level}" for factor, level in sorted(levels.items())) or "an ordinary exchange"
    if order is None:
        return f"with {words}"
    return f"with {words}, for {order.dtype} of shape {tuple(order.shape)}"
