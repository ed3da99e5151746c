"""Steps that make arrays: the library's own, dlspec's, views and imports."""

import sys

from dlspec_worker.sequence import orders
from dlspec_worker.sequence.findings import Finding
from dlspec_worker.sequence.holders import Array, Root, rows_of
from dlspec_worker.sequence.leaks import Left
from dlspec_worker.sequence.lending import Lender
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.outcomes import Unsupported

VIEWS = {"all": slice(None), "tail": slice(1, None), "alternate": slice(None, None, 2)}


def make(carrying, name, layout, dtype, origin):
    order = carrying.subject.orders.find(layout, dtype, carrying.made)
    if order is None:
        carrying.refused += 1
        return
    carrying.made += 1
    if origin == "own":
        made = orders.own(carrying.native, order)
    else:
        try:
            made = carrying.library.make(order)
        except Unsupported:
            carrying.refused += 1
            carrying.subject.orders.cannot(layout, dtype)
            return
    shown = rows_of(order.bytes, order)
    root = Root(order, layout, dtype)
    array = Array(root, None, tuple(range(len(shown))), shown, made)
    del made
    array.is_own = origin == "own"
    array.references = sys.getrefcount(array.made)
    carrying.roots.append(root)
    carrying.arrays[name] = array
    if not array.is_own:
        carrying.watched.append(Left.of_array(array))


def view(carrying, name, of, kind):
    array = carrying.live(of)
    if array is None or array.is_opaque:
        carrying.refused += array is not None
        return
    part = VIEWS[kind]
    made, refusal = attempt(lambda: array.made[part])
    numbers, shown = array.numbers[part], array.shown[part]
    if refusal or not numbers or carrying.contents(made) != b"".join(shown):
        carrying.refused += 1
        return
    seen = Array(array.root, array, numbers, shown, made)
    seen.is_import = array.is_import
    seen.lent = array.lent
    seen.recipe = None if array.recipe is None else (*array.recipe, part)
    carrying.arrays[name] = seen


def import_(carrying, name, of, how):
    source = carrying.arrays.get(of)
    if source is None or source.is_opaque or not carrying.subject.imports:
        carrying.refused += source is not None
        return
    if not source.is_own and orders.shares_structs(carrying.subject, source):
        carrying.refused += 1
        return
    lender = Lender(carrying, source)
    keywords = {"copy": True} if how == "copy" else {}
    made, refusal = carrying.library.from_dlpack(lender, **keywords)
    lent = lender.end(refusal)
    if refusal or not lent or lender.is_wrong:
        carrying.refused += 1
        return
    found, _ = carrying.library.imported_contents(made)
    if found != source.expected:
        if found is not None and orders.imports_rightly(carrying.subject, source, **keywords):
            raise Finding("tensor.element-address", f"{name} shows other elements than {of}", "consumer")
        carrying.refused += 1
        return
    asked = how == "copy" and orders.copies_imports(carrying.subject, source.root.order)
    copied = asked or (_are_released(carrying, lent) and not _is_held_otherwise(carrying, source))
    array = Array(source.root, source, source.numbers, list(source.shown), made, False if copied else None)
    array.is_import, array.lent, array.recipe = True, lent, None
    carrying.arrays[name] = array


def _are_released(carrying, lent):
    return all(carrying.ledger.calls(each.number) for each in lent)


def _is_held_otherwise(carrying, source):
    """Whether the library may keep the source's memory without what was lent now: it is the library's own, or lent to
    it by an earlier export that is not released."""
    root = source.root
    lent = (each for each in root.holders if not each.is_array and each.state == "lent")
    return not root.holders[0].is_own or any(each.alive and not carrying.ledger.calls(each.number) for each in lent)
