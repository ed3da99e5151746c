"""Steps that write elements, and the arrays and exports that must show the change."""

from dlspec_worker.facts.dlpack import READ_ONLY
from dlspec_worker.sequence import orders
from dlspec_worker.sequence.findings import Finding, Lost, name_of
from dlspec_worker.sequence.holders import follow_write


def write(carrying, name, choice):
    number = int(choice) + carrying.made
    if name.startswith("a"):
        _write_array(carrying, name, number)
        return
    export = carrying.exports.get(name)
    # Where a library's arrays cannot be written, it is unknown who else reads their memory.
    if export is None or export.flags & READ_ONLY or export.generation == "legacy" or export.array.is_opaque:
        return
    if not carrying.subject.writes:
        return
    shown = orders.others(export, number)
    carrying.ledger.write(export.number, b"".join(shown))
    _follow(carrying, export, shown)


def _write_array(carrying, name, number):
    array = carrying.live(name)
    if array is None or array.is_opaque or not carrying.subject.writes:
        carrying.refused += array is not None
        return
    shown = orders.others(array, number)
    data = b"".join(shown)
    refusal = carrying.library.write(array.made, data)
    if refusal is not None or carrying.contents(array.made) != data:
        did = f"refuses to be written: {refusal.text}" if refusal else "does not take what is written to it"
        _judge_frozen(carrying, name, array, did, lambda fresh: _is_written(carrying, fresh, data))
        if refusal is None:
            raise Lost
        return
    carrying.subject.tried.add("python.no-effect-on-source")
    _follow(carrying, array, shown)


def _is_written(carrying, fresh, data):
    return carrying.library.write(fresh, data) is None and carrying.contents(fresh) == data


def _judge_frozen(carrying, name, array, did, works):
    """A source that was exported must be as usable as a fresh array, to which the same is done."""
    carrying.refused += 1
    if not array.was_exported or array.recipe is None or array.root.order.readonly:
        return
    fresh = orders.fresh(carrying.subject, array)
    if fresh is not None and works(fresh):
        raise Finding("python.no-effect-on-source", f"after its export {name} {did}")


def _follow(carrying, writer, shown):
    carrying.writer = writer
    changed, torn = follow_write(writer, shown, lambda holder: _read(carrying, holder))
    for holder in changed:
        if not holder.is_array and holder.alive:
            carrying.ledger.expect(holder.number, holder.expected)
    if any(getattr(export, "copied", "") for export in carrying.exports.values()):
        carrying.subject.tried.update(("python.copy-true", "flags.is-copied-honest"))
    for holder in torn:
        if holder.is_array:
            raise Lost
        raise Finding("managed.borrow", f"{name_of(holder)} shows neither the old nor the new elements")


def _read(carrying, holder):
    if holder.is_array:
        if holder.is_opaque:
            return None
        return holder.made.tobytes() if holder.is_own else carrying.contents(holder.made)
    if holder.state == "lent" and carrying.ledger.calls(holder.number):
        return None
    return carrying.ledger.elements(holder.number) if holder.alive else None


def mutate(carrying, name, kind):
    array = carrying.live(name)
    if array is None or not carrying.subject.mutates:
        carrying.refused += array is not None
        return
    refusal = carrying.library.mutate(array.made, kind)
    if refusal is None:
        carrying.subject.tried.add("tensor.metadata-constant")
        for holder in array.root.holders:
            if holder.is_array:
                holder.is_opaque = True
            elif holder.alive:
                holder.link = False
    elif not any(other.alive for other in array.root.holders if other is not array):
        # While something else uses the memory, a library may refuse.
        _judge_frozen(
            carrying, name, array, f"refuses {kind}: {refusal.text}", lambda fresh: _mutates(carrying, fresh, kind)
        )
    if refusal is not None and not refusal.is_a(NotImplementedError):
        array.is_torn = array.is_opaque = True


def _mutates(carrying, fresh, kind):
    return carrying.library.mutate(fresh, kind) is None
