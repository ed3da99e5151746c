"""Steps that ask an array for an export."""

from dlspec_worker.facts.dlpack import IS_COPIED, NOBODY, READ_ONLY
from dlspec_worker.sequence import findings, orders
from dlspec_worker.sequence.findings import RELEASED, Finding, Lost, name_of
from dlspec_worker.sequence.holders import Export
from dlspec_worker.trial.attempts import attempt

REFUSED = {"device": {"dl_device": NOBODY}, "stream": {"stream": 1}, "keyword": {"dlspec_keyword": None}}


def export(carrying, name, of, path):
    array = carrying.live(of)
    if array is None:
        return
    if orders.shares_structs(carrying.subject, array):
        carrying.refused += 1
        return
    method, refusal = attempt(getattr, array.made, "__dlpack__")
    if refusal is None:
        capsule, refusal = attempt(method, **orders.REQUESTS[path])
    elif path == "legacy" and "to_dlpack" in carrying.library.provides:
        capsule, refusal = attempt(carrying.library.to_dlpack, array.made)
    if refusal is None and not orders.is_sound(carrying.subject, array, path, capsule):
        carrying.native.keep_forever(capsule)  # its destructor may call what is no deleter
        _keep(array)
        refusal = True
    if refusal:
        carrying.refused += 1
        return
    if any(other.capsule is capsule for other in carrying.exports.values()):
        raise Finding("capsule.fresh-per-call", f"{name} is the capsule of an export that lives")
    number = int(name[1:])
    facts = _enter(carrying, number, capsule)
    if facts is None:
        return
    copied = "asked" if path == "copy" else "flagged" if facts[1] & IS_COPIED else ""
    made = Export(array, number, capsule, facts, copied)
    array.was_exported = True
    if made.null_deleter:
        _keep(array)
    carrying.exports[name] = carrying.by_number[number] = made
    if array.is_opaque:
        made.link = False
        made.shown = [carrying.ledger.elements(number)]
        return
    if carrying.ledger.elements(number) != made.expected:
        if orders.exports_rightly(carrying, array, path):
            raise Finding("tensor.element-address", f"{name} shows other elements than {of}")
        _give_up(carrying, name)  # so does the first export of a fresh array: it is judged by itself
        return
    _judge_read_only(carrying, made)


def _keep(array):
    """Whatever this export holds is not released: the array, what it is a view of, and what those were made of."""
    while array is not None:
        if array.is_array:
            array.is_kept = True
            for export in array.lent:
                export.is_kept = True
        array = array.parent


def _enter(carrying, number, capsule):
    """The facts of an export that can be followed, else None."""
    facts, misfit = attempt(carrying.ledger.enter, number, capsule)
    if facts == findings.SHARED:
        raise Lost  # one struct for several capsules: whose deleter is called cannot be told
    if misfit or isinstance(facts, str):
        carrying.refused += 1
        return None
    return facts


def _give_up(carrying, name):
    export = carrying.exports.pop(name)
    carrying.ledger.give(export.number, RELEASED)
    export.alive, export.state, export.capsule = False, "gone", None
    carrying.refused += 1


def _judge_read_only(carrying, export):
    # Only memory that was imported as READ_ONLY, is not released, and begins where this export begins.
    if export.generation == "legacy" or export.flags & READ_ONLY or export.copied:
        return
    for lent in export.array.lent:
        readable = lent.generation == "versioned" and not carrying.ledger.calls(lent.number)
        if not (readable and lent.flags & READ_ONLY and lent.first == export.first and lent.array.is_own):
            continue
        if not carrying.library.has_no_read_only(export.root.order):
            raise Finding("flags.read-only-propagated", f"{name_of(export)} is not READ_ONLY, as its memory is")


def refuse(carrying, of, kind):
    array = carrying.live(of)
    if array is None:
        return
    method, refusal = attempt(getattr, array.made, "__dlpack__")
    if refusal is None:
        # Whether it must be refused is judged elsewhere; a capsule that comes all the same is dropped.
        attempt(method, **REFUSED[kind])
