"""The state in which the library left the capsules that it was given."""

import gc

from dlspec_worker.trial.attempts import attempt


class Capsules:
    """The state in which the library left the capsules of a source. Keeps none of them.

    renamed: one has the name that it must have after its consumption
    misnamed: the name of one that has another name than before, but not that one
    cleared: one kept its name, but lost its destructor
    """

    def __init__(self, trial, source):
        self.renamed, self.misnamed, self.cleared = False, None, False
        for capsule, name in zip(source.capsules, source.names):
            look = attempt(trial.native.look, capsule)[0] or {}
            if look.get("name") == "used_" + name:
                self.renamed = True
            elif look.get("name") != name:
                self.misnamed = look.get("name") or "NULL"
            elif not look.get("has_destructor", True):
                self.cleared = True
        self.touched = bool(self.renamed or self.misnamed or self.cleared)


def is_taken(trial, source):
    """True when the consumer changed one of the capsules: consumed it, emptied it, or renamed it."""
    return bool(source.offers) and source.is_released() or Capsules(trial, source).touched


def consumed_capsule(trial, source):
    """The capsule that the library renamed as required, or None. A consumer may get several and consume one."""
    for capsule, name in zip(source.capsules, source.names):
        if (attempt(trial.native.look, capsule)[0] or {}).get("name") == "used_" + name:
            return capsule
    return None


def capsules_release(source):
    """Drops the capsules. True when that released the tensor."""
    gc.collect()  # what an import in a reference cycle has released by itself
    released = source.is_released()
    source.forget_capsules()
    gc.collect()
    return source.is_released() and not released
