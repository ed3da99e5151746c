"""What a library calls a capsule that it has consumed, and what becomes of one that keeps its name."""

from dlspec_worker.facts import dlpack
from dlspec_worker.imports.importing import Import
from dlspec_worker.imports.source import Replay, Source
from dlspec_worker.trial.attempts import attempt

# Lengths of what the two names may have been kept in: plain text, or a Python object with a head before it. So many
# of each that they reach every hole in the memory of a process that has been running for a while.
_LENGTHS, _OBJECTS, _HOLES = (14, 24), (13, 23), 20_000
UNREADABLE = "no text"


def keeps_names(trial):
    """False when the library gives capsules names that it does not keep: then whatever comes there next is the name.

    Asked once, because such a capsule cannot be told from a misnamed one, nor from one that was never consumed.
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
    """The capsules' names while all free memory of such sizes holds `filling`."""
    filled = []
    for _ in range(_HOLES if filling else 0):
        filled += [bytearray(filling * length) for length in _LENGTHS]
        filled += [filling * length for length in _OBJECTS]
    looks = [attempt(trial.native.look, capsule)[0] for capsule in source.capsules]
    del filled
    return tuple(look["name"] if look else UNREADABLE for look in looks)


def names_are_lost(trial):
    """True when capsule.names-static is broken: nothing else can be told by a capsule, and all answers say so."""
    if keeps_names(trial):
        return False
    trial.out.blocked("by capsule.names-static", *trial.out.rest())
    return True


def judge_renamed(trial, generation, source, capsules, stays_whole):
    """capsule.renamed-*: by effect. Dropping the capsule releases nothing, and nobody can consume it again."""
    rule = f"capsule.renamed-{generation}"
    allowed = f'"used_{dlpack.NAMES[generation]}"'
    if capsules.misnamed:
        trial.out.broken(rule, f'the consumed capsule is named "{capsules.misnamed}"', allowed)
    elif capsules.renamed:
        trial.out.pass_(rule)
    elif not stays_whole:
        trial.out.broken(rule, "the capsule keeps its name, and dropping it took the memory from the import", allowed)
    elif source.left_to_capsules:
        trial.out.info(rule, "the elements were copied and the capsule was left to its destructor", allowed)
    elif _is_accepted_again(trial, source):
        trial.out.broken(rule, "the capsule keeps its name and was consumed a second time", allowed)
    elif capsules.cleared:
        trial.out.info(rule, "the capsule keeps its name, but has lost its destructor", allowed)
    else:
        trial.out.info(rule, "the capsule keeps its name, but no second import takes it", allowed)


def _is_accepted_again(trial, source):
    """True when a capsule that kept its name is taken once more, or released once more in the attempt.

    One of its own, readable after its release: who copies has released the tensor by now.
    """
    another = source.another(poison_on_release=False)
    first = Import(trial, another)
    if first.refusal or not another.capsules:
        return False
    before = another.deleter_calls
    return imported_again(trial, another.capsules[-1]) or another.deleter_calls > before


def imported_again(trial, capsule):
    """True when the library takes a capsule that it has consumed."""
    array, refusal = trial.library.from_dlpack(Replay(capsule))
    del array
    return refusal is None
