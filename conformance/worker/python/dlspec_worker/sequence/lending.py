"""The source of an import: hands out another array's exports, and enters each of them into the ledger."""

from dlspec_worker.facts.dlpack import CPU
from dlspec_worker.sequence import findings
from dlspec_worker.sequence.findings import RELEASED
from dlspec_worker.sequence.holders import Export
from dlspec_worker.trial.attempts import attempt

THEIRS = 1  # of Ledger.give


class Lender:
    """An object of no known type, so that the library uses the protocol also for arrays of its own."""

    def __init__(self, carrying, source):
        self._carrying = carrying
        self._array = source
        self._source = source.made
        self._lent = []
        self.is_wrong = False  # an export showed other elements than the array

    def __dlpack__(self, **keywords):
        capsule = self._source.__dlpack__(**keywords)
        carrying = self._carrying
        carrying.lent_numbers += 1
        number = carrying.lent_numbers
        facts, misfit = attempt(carrying.ledger.enter, number, capsule)
        if facts == findings.SHARED:
            self.is_wrong = True
        if misfit is None and not isinstance(facts, str):
            export = Export(self._array, number, None, facts, "asked" if keywords.get("copy") else "")
            export.state = "lent"
            carrying.by_number[number] = export
            carrying.ledger.give(number, THEIRS)
            # Wrong elements are the exporter's, not the import's.
            self.is_wrong = self.is_wrong or carrying.ledger.elements(number) != self._array.expected
            self._lent.append(export)
        return capsule

    def __dlpack_device__(self):
        device, misfit = attempt(lambda: self._source.__dlpack_device__())
        return CPU if misfit else device

    def end(self, refusal):
        """The exports that the import was made of; forgets the source, which an import may keep."""
        lent, carrying = self._lent, self._carrying
        self._carrying = self._array = self._source = None
        self._lent = []
        if refusal:
            for export in lent:
                export.alive = False
                # A refusal releases: by a call of the deleter, or by the capsule's destructor in a way of its own.
                carrying.ledger.give(export.number, RELEASED)
        return lent
