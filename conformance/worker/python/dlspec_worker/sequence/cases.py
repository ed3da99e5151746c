"""A case of sequences: those of every run, or a batch of `dlspec fuzz`."""

import mmap
import os
import struct

from dlspec_worker.sequence import leaks
from dlspec_worker.sequence.carrying import Carrying
from dlspec_worker.sequence.novelty import Novelties
from dlspec_worker.sequence.orders import Orders

_PLACE = struct.Struct("<qq")  # number of the sequence, number of the step; the names of functions follow
_PAGE = 4096


class Subject:
    """What all sequences of one library share."""

    def __init__(self, library, native):
        self.library, self.native = library, native
        self.orders = Orders({})
        self.sound = {}
        self.shared = {}
        self.tried = set()
        self.suspicions = 0
        self.kept = {}  # whether arrays of an order live on although nobody exported them
        self.imports = "from_dlpack" in library.provides
        self.writes = "write" in library.provides and "contents" in library.provides
        self.mutates = "mutate" in library.provides
        self.steps = self.refused = 0
        self.novelties = None  # of batches of `dlspec fuzz`
        self.observations = []  # of the last sequence

    def run(self, text, journal):
        """A Finding, or None."""
        steps = [step.split(" ") for step in text.split("; ")]
        carrying = Carrying(self)
        finding = carrying.carry_out(steps, journal)
        self.steps += len(steps)
        self.refused += carrying.refused
        self.observations = carrying.observations
        if finding is None and carrying.left:
            finding = leaks.judge(self, carrying, lambda: self._again(steps))
            if finding:
                finding.step = len(steps)
        return finding

    def _again(self, steps):
        carrying = Carrying(self)
        carrying.carry_out(steps, lambda number: None)
        return carrying


def judge(trial):
    """Carries out the sequences of a case, up to the first that shows something."""
    subject = _subject(trial)
    subject.orders = Orders(trial.orders)  # anew, so that no case depends on those before it
    subject.tried.clear()
    steps, refused = subject.steps, subject.refused
    journal = Journal(trial.journal)
    finding, index, novel = None, 0, []
    if trial.journal and subject.novelties is None:
        subject.novelties = Novelties()
    if subject.novelties:
        journal.name_functions_at_death(subject.novelties)
    for index, text in enumerate(trial.sequences):
        journal.begin(index)
        finding = subject.run(text, journal.write)
        if subject.novelties:
            novel.append(subject.novelties.of(index, subject.observations))
        if finding:
            break
    trial.report = {"steps": subject.steps - steps, "refused": subject.refused - refused}
    if subject.novelties:
        trial.report.update(novel=list(filter(None, novel)), places=subject.novelties.places)
    if finding:
        trial.report.update(_told(finding, index))
        _report(trial, finding, trial.sequences[index])
    _answer(trial, subject, finding)


def _subject(trial):
    # One for all batches of a library, so that what was learnt of it is not forgotten.
    known = vars(trial.library)
    if "sequences" not in known:
        known["sequences"] = Subject(trial.library, trial.native)
    return known["sequences"]


def _told(finding, index):
    return {
        "index": index,
        "step": finding.step,
        "rule": finding.rule,
        "role": finding.role,
        "observed": finding.observed,
        "allowed": finding.allowed,
    }


def _report(trial, finding, text):
    steps = text.split("; ")[: finding.step + 1]
    observed = f"{finding.observed} (steps: {'; '.join(steps)})"
    trial.out.wrong_value(finding.rule, observed, finding.allowed)


def _answer(trial, subject, finding):
    if finding is None:
        trial.out.pass_(*(rule for rule in trial.out.rest() if rule in subject.tried))
        nothing = not subject.tried
        if nothing:
            trial.out.unsupported("the library refuses what the sequences need", *trial.out.rest())
        trial.out.not_applicable(*trial.out.rest())
    elif finding.rule in trial.out.rules:
        trial.out.blocked(f"by {finding.rule}", *trial.out.rest())
    else:
        trial.out.blocked(f"by {finding.rule}, which other cases decide", *trial.out.rest())


class Journal:
    """A shared page that names the step under way: what is left of a worker that dies."""

    _open = {}

    def __init__(self, path):
        self._page = self._mapped(path) if path else bytearray(_PAGE)
        self._index = 0

    @classmethod
    def _mapped(cls, path):
        if path not in cls._open:
            descriptor = os.open(path, os.O_RDWR)
            try:
                cls._open[path] = mmap.mmap(descriptor, _PAGE)
            finally:
                os.close(descriptor)
        return cls._open[path]

    def name_functions_at_death(self, novelties):
        novelties.name_functions_at_death(self._page, _PLACE.size)

    def begin(self, index):
        self._index = index
        self.write(0)

    def write(self, step):
        _PLACE.pack_into(self._page, 0, self._index, step)
