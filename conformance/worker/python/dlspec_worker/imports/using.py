"""A library that is used in between: what it puts off until then is done."""

from dlspec_worker.facts.dlpack import NEWEST
from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.attempts import attempt


def use(trial):
    """An array is made and exported, and a tensor imported; nothing of it is kept."""
    library = trial.library
    if "make" in library.provides:
        made, _ = attempt(library.make, trial.plain or trial.order)
        attempt(lambda: made.__dlpack__(max_version=NEWEST))
    if "from_dlpack" in library.provides:
        done = Import(trial, Source(trial))
        done.source.forget_capsules()
