"""Whether an import has the memory of its source: told by writing on one side and reading on the other."""

from dlspec_worker.exports import exporting
from dlspec_worker.facts.dlpack import IS_COPIED, NEWEST_FIRST
from dlspec_worker.trial.attempts import attempt


def is_shared(trial, done):
    """True when the import has the source's memory: what is written on one side is seen on the other."""
    if done.source.is_released() or not trial.order.bytes:
        return False
    trial.library.imported_contents(done.array)  # lazy copies are made now
    return _shows_the_source(trial, done) or bool(_reaches_the_source(trial, done)) or bool(_same_address(trial, done))


def _turned(trial, size):
    """The elements with the first bytes behind the others; None for a scalar, which that leaves as it is."""
    data = trial.order.bytes[size:] + trial.order.bytes[:size]
    return None if data == trial.order.bytes else data


def _shows_the_source(trial, done):
    data = _turned(trial, 4)
    if data is None:
        return False
    done.source.overwrite(data)
    return trial.library.imported_contents(done.array)[0] == data


def _reaches_the_source(trial, done):
    """None when the import cannot be written, or is a scalar, which shows nothing."""
    data = _turned(trial, 8)
    if data is None or "write" not in trial.library.provides or trial.library.write(done.array, data) is not None:
        return None
    return data in done.source.contents()


def _same_address(trial, done):
    """None when the import is not exported, or its exports are copies."""
    for keywords in NEWEST_FIRST:
        made, _ = attempt(exporting.Export, trial, done.array, keywords)
        if made is not None and made.generation and not made.is_flagged(IS_COPIED):
            return made.first_element() in [offer.data_address for offer in done.source.offers]
    return None


def is_copied(trial, done):
    """True when the import cannot have the source's memory, by all that can be seen.

    Either its elements survive the release, or a write into the source before the first read does not show and no
    other sign of shared memory is found.
    """
    if done.source.is_released():
        return trial.library.imported_contents(done.array)[0] == trial.order.bytes
    if _turned(trial, 4) is None:
        return False  # a write of other values cannot be told
    if "contents" not in trial.library.provides or _shows_the_source(trial, done):
        return False
    return not _reaches_the_source(trial, done) and not _same_address(trial, done)
