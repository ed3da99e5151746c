"""Steps of a consumer: it takes exports, and lets go of what it has."""

from dlspec_worker.sequence.findings import RELEASED, Finding, name_of


def take(carrying, name):
    export = carrying.exports.get(name)
    if export is not None and export.state == "capsule":
        carrying.ledger.take(export.capsule)
        export.state, export.was_taken = "taken", True


def release(carrying, name, how):
    export = carrying.exports.get(name)
    if export is None or export.state != "taken":
        return
    _tried(carrying, "managed.exports-independent", export)
    _gone(carrying, name)
    carrying.ledger.release(export.number, how)
    export.capsule = None


def raise_(carrying, name):
    """A release with an exception in flight."""
    export = carrying.exports.get(name)
    if export is None:
        return
    taken = export.state == "taken"
    if not (export.compiled and (taken or carrying.native.look(export.capsule)["compiled_destructor"])):
        # A callback that ctypes or its like makes at run time can neither keep an exception nor run beside one.
        if taken:
            release(carrying, name, "here")
        else:
            drop(carrying, name)
        return
    _tried(carrying, "managed.exports-independent", export)
    capsule, export.capsule = export.capsule, None
    _gone(carrying, name)
    if taken:
        rule, left = "managed.deleter-no-pyerr", carrying.ledger.release(export.number, "raise")
    else:
        box = [capsule]
        del capsule
        rule, left = "capsule.destructor-keeps-exception", carrying.native.drop_in_flight(box)
    carrying.subject.tried.add(rule)
    if left != "kept":
        raise Finding(rule, f"{name_of(export)}: the release {left} the exception in flight")


def drop(carrying, name):
    if name.startswith("a"):
        array = carrying.arrays.pop(name, None)
        if array is not None:
            array.alive, array.made = False, None
            carrying.subject.tried.update(("managed.borrow", "tensor.metadata-lifetime") if carrying.exports else ())
        return
    export = carrying.exports.get(name)
    if export is None:
        return
    if export.state == "capsule":
        _tried(carrying, "managed.exports-independent", export)
        _gone(carrying, name)
        carrying.ledger.give(export.number, RELEASED)
    else:
        carrying.subject.tried.add("capsule.destructor-noop-when-used")
    export.capsule = None


def _gone(carrying, name):
    export = carrying.exports.pop(name)
    export.alive, export.state = False, "gone"
    carrying.ledger.give(export.number, RELEASED)


def _tried(carrying, rule, export):
    if any(other is not export for other in carrying.exports.values()):
        carrying.subject.tried.add(rule)
