"""Carries out one sequence, asks the ledger after each step, and says which rule is not kept, if any."""

import gc
import sys

from dlspec_worker.sequence import consuming, exporting, findings, making, novelty, orders, writing
from dlspec_worker.sequence.findings import Finding, Lost, name_of
from dlspec_worker.sequence.leaks import Left


class Carrying:
    """One sequence. `subject`: what all sequences of a worker share (cases.Subject)."""

    def __init__(self, subject):
        self.subject = subject
        self.library, self.native = subject.library, subject.native
        self.ledger = subject.native.ledger()
        self.arrays, self.exports, self.by_number = {}, {}, {}
        self.words = ()
        self.writer = None  # the array or export that was written to last
        self.lent_numbers = 1000  # exports that are made within imports; those of steps have small numbers
        self.made = 0
        self.refused = 0
        self.roots = []
        self.watched = []  # what should be gone after the end
        self.left = []  # of that, and of what was lent: what the end, if it is reached, leaves to be judged
        self.observations = []

    def carry_out(self, steps, journal):
        """A Finding, or None."""
        number = 0
        try:
            for number, self.words in enumerate(steps):
                journal(number)
                self._act()
                self._ask()
            number = len(steps)
            journal(number)
            self._end()
        except Finding as finding:
            finding.step = number
            return finding
        except Lost:
            pass
        return None

    def _act(self):
        refused, words = self.refused, self.words
        before = novelty.circumstances(self, words) if self.subject.novelties else None
        ACTS[words[0]](self, *words[1:])
        if before:
            self.observations.append(novelty.observation(self, words, before, self.refused - refused))

    def _ask(self):
        while True:
            told = self.ledger.check()
            if told is None:
                return
            number, what, observed = told
            export = self.by_number[number]
            rule = findings.of_deviation(what, export, self.words, self.writer)
            if rule:
                raise Finding(rule, f"{name_of(export)}: {_text(what, observed)}")

    def contents(self, made):
        return self.library.imported_contents(made)[0]

    def collect(self):
        gc.collect()
        self._judge_arrays()

    def live(self, name):
        """The library's array of this name, or None where it has none that is whole."""
        array = self.arrays.get(name)
        return None if array is None or array.is_own or array.is_torn else array

    def _judge_arrays(self):
        for name, array in self.arrays.items():
            if array.is_opaque or array.is_own or "contents" not in self.library.provides:
                continue
            if self.contents(array.made) in (array.expected, None):
                continue
            if not array.is_import:
                raise Finding("python.no-effect-on-source", f"{name} shows other elements than were written to it")
            early = any(self.ledger.calls(lent.number) for lent in array.lent)
            rule = "managed.not-early" if early else "python.from-dlpack-keepalive"
            raise Finding(rule, f"{name}, an import, shows other elements than at first")

    def _end(self):
        self._judge_arrays()
        for name, export in list(self.exports.items()):
            self.words = ("release" if export.state == "taken" else "drop", name)
            if export.state == "taken":
                consuming.release(self, name, "here")
            else:
                consuming.drop(self, name)
            self._ask()
        self._judge_references()
        lent = [each for each in self.by_number.values() if each.state == "lent" and each.alive]
        left = [each for each in self.watched if each.was_exported()]
        left += [Left.of_loan(self.ledger, each) for each in lent if not (each.null_deleter or each.is_kept)]
        self.words = ("drop", "a")
        for root in self.roots:
            for holder in root.holders:
                if holder.is_array:
                    holder.made = None
        self._ask()
        self.arrays.clear()
        for root in self.roots:
            root.forget()
        self.left = left

    def _judge_references(self):
        for name, array in self.arrays.items():
            if array.parent is not None or array.is_own or sys.getrefcount(array.made) >= array.references:
                continue
            if not orders.loses_references(self.subject, array.root.order):
                raise Finding("managed.owner-balanced", f"the releases took references to {name} that were not theirs")


def _text(what, observed):
    return f"{observed} is no longer what it was" if what == "elements" else observed


ACTS = {
    "make": making.make,
    "view": making.view,
    "import": making.import_,
    "export": exporting.export,
    "refuse": exporting.refuse,
    "take": consuming.take,
    "release": consuming.release,
    "raise": consuming.raise_,
    "drop": consuming.drop,
    "write": writing.write,
    "mutate": writing.mutate,
    "collect": Carrying.collect,
}
