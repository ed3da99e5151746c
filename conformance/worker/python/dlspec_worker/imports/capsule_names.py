"""The name of a consumed capsule, and what happens to a capsule that keeps its name."""

import itertools

from dlspec_worker.facts import dlpack
from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.source import Replay, Source
from dlspec_worker.trial.attempts import attempt

# Sizes of the blocks that may have held the two names: a C string, or a bytes object of Python. 20,000 of each fill
# the free blocks of such sizes in a process that has been running for a while.
_LENGTHS, _OBJECTS, _HOLES = (14, 24), (13, 23), 20_000
UNREADABLE = "no text"
RENAMED = ("capsule.renamed-legacy", "capsule.renamed-versioned")


def keeps_names(trial):
    """False when the library renames capsules to a string that it then frees: later data becomes the name.

    Tested once per library: such a capsule looks like a misnamed one, or like one that was never consumed.
    """
    if trial.library.keeps_names is None:
        source = Source(trial)
        done = Import(trial, source)
        if done.refusal:
            return True
        seen = {_names_amid(trial, source, filling) for filling in (None, b"x", b"y")}
        trial.library.keeps_names = len(seen) == 1 and not {UNREADABLE, ""} & set(seen.pop())
    return trial.library.keeps_names


def _names_amid(trial, source, filling):
    """The names of the capsules while all free memory of suitable sizes holds `filling`."""
    filled = []
    if filling:
        for length in _LENGTHS:
            filled += map(bytearray, itertools.repeat(filling * length, _HOLES))
        for length in _OBJECTS:
            filled += map(filling.__mul__, itertools.repeat(length, _HOLES))
    looks = [attempt(trial.native.look, capsule)[0] for capsule in source.capsules]
    del filled
    return tuple(look["name"] if look else UNREADABLE for look in looks)


def names_are_lost(trial):
    """True when capsule.names-static is violated: it masks every rule that needs the name of a capsule."""
    if keeps_names(trial):
        return False
    trial.out.blocked("by capsule.names-static", *trial.out.rest())
    return True


def judge_misnamed(trial, generation, capsules):
    """capsule.renamed-*, of capsules that were consumed and now have a name that no text knows."""
    allowed = f'"used_{dlpack.NAMES[generation]}"'
    observed = f'the consumed capsule is named "{capsules.misnamed}"'
    trial.out.violated(f"capsule.renamed-{generation}", observed, allowed)


def judge_renamed(trial, generation, source, capsules, stays_whole):
    """Judges capsule.renamed-* by effect: dropping the capsule releases nothing, and it cannot be consumed again."""
    rule = f"capsule.renamed-{generation}"
    allowed = f'"used_{dlpack.NAMES[generation]}"'
    if capsules.misnamed:
        judge_misnamed(trial, generation, capsules)
    elif capsules.renamed:
        trial.out.pass_(rule)
    elif not stays_whole:
        trial.out.violated(rule, "the capsule keeps its name, and dropping it took the memory from the import", allowed)
    elif source.left_to_capsules:
        observed = "the elements were copied and the capsule was left to its destructor"
        trial.out.info(rule, observed, allowed, "copied-capsule-left")
    elif _is_accepted_again(trial, source):
        trial.out.violated(rule, "the capsule keeps its name and was consumed a second time", allowed)
    elif capsules.cleared:
        trial.out.info(rule, "the capsule keeps its name, but has lost its destructor", allowed, "capsule-spent")
    else:
        trial.out.info(rule, "the capsule keeps its name, but no second import takes it", allowed, "capsule-spent")


def _is_accepted_again(trial, source):
    """True when a capsule that kept its name is imported again, or released again in the attempt.

    A fresh capsule whose memory stays readable, because a consumer that copies has released the tensor by now.
    """
    another = source.another(poison_on_release=False)
    first = Import(trial, another)
    if first.refusal or not another.capsules:
        return False
    before = another.deleter_calls
    return imported_again(trial, another.capsules[-1]) or another.deleter_calls > before


def imported_again(trial, capsule):
    """True when the library imports a capsule that it has consumed."""
    array, refusal = trial.library.from_dlpack(Replay(capsule))
    del array
    return refusal is None
