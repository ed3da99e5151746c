"""Calls of __dlpack__: a capsule that can be read, or a refusal."""

import functools
import types

from dlspec_worker.exports import structs
from dlspec_worker.facts import editions, elements, wording
from dlspec_worker.facts.dlpack import NEWEST
from dlspec_worker.observing import memory
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.outcomes import Unsupported


class Export:
    """The result of one call of __dlpack__: a capsule and the facts of its struct, or a refusal."""

    def __init__(self, trial, array, keywords):
        self.keywords = keywords
        self.capsule, self.refusal = attempt(dlpack_of(trial, array), **keywords)
        self.facts = None
        self.problem = None  # why dlspec cannot read the result as a capsule
        self.fault = None  # a struct that must not be read field by field
        if self.refusal is None:
            self._look(trial, array)
        if self.fault:
            self.facts = None
            # Its destructor may call what is no deleter.
            trial.native.keep_forever(self.capsule)

    def _look(self, trial, array):
        order = trial.order
        self.fault = fault_of(trial, order, self.capsule)
        if self.fault:
            if _is_vague(order):
                self.fault = _fault_of_another(trial, self.keywords) or self.fault
            return
        self.facts, misfit = attempt(trial.native.look, self.capsule)
        if misfit:
            self.problem = f"__dlpack__ returned an object of type {type(self.capsule).__name__}"
        elif self.generation:
            self.fault = self._told_by_fields(order) or self._told_by_another(trial)

    def _told_by_fields(self, order):
        _, bits, lanes = self.facts["dtype"] or (0, 1, 0)
        if bits or lanes != elements.bits_of(order.dtype):
            return None
        observed = f"the width of {order.dtype} stands where its lanes should be, and 0 in its own place"
        return structs.Fault("abi.dtype-4-bytes", observed, "code and bits of 8 bits, lanes of 16")

    def _told_by_another(self, trial):
        if _is_vague(trial.order) and not _is_as_ordered(trial.order, self.facts):
            return _fault_of_another(trial, self.keywords)
        if self.generation == "legacy" and self.facts["null_deleter"]:
            # Anything may follow a bare DLTensor in memory, zeros too: an export of the other generation tells.
            fault = _fault_of_another(trial, {"max_version": NEWEST})
            if fault and fault.rule in ("capsule.pointer-type", "capsule.name-matches-struct"):
                return structs.tensor_alone()
        return None

    @property
    def call(self):
        """The call as a user would write it."""
        given = (f"{name}={wording.of_repr(value)}" for name, value in self.keywords.items())
        return f"__dlpack__({', '.join(given)})"

    @property
    def name(self):
        return self.facts["name"] if self.facts else None

    @property
    def generation(self):
        """ "legacy", "versioned", or None when there is no such capsule."""
        return self.facts["generation"] if self.facts else None

    def first_element(self):
        """The address of element (0, ..., 0); None where the struct tells none, as after a foreign major version."""
        return None if self.facts["data"] is None else self.facts["data"] + self.facts["byte_offset"]

    def device(self):
        """(type, id) by the struct, or None as for first_element."""
        return None if self.facts["device"] is None else tuple(self.facts["device"])

    def is_flagged(self, bit):
        return bool((self.facts.get("flags") or 0) & bit)

    def drop(self):
        self.capsule = None


def dlpack_of(trial, array):
    """The method; where the library has a function in its place, that function, which takes no keywords."""
    if trial.channel:
        return trial.channel.method(array)
    method, refusal = attempt(getattr, array, "__dlpack__")
    if refusal is None:
        return functools.partial(method, **trial.request) if trial.request else method
    reason = "the object has no __dlpack__"
    of_methods = [rule for rule in trial.out.rules if rule.startswith(("python.", "stream."))]
    if "to_dlpack" not in trial.library.provides or of_methods == trial.out.rules:
        raise Unsupported(reason)
    trial.out.unsupported(reason, *of_methods)
    return functools.partial(trial.library.to_dlpack, array)


def export(trial, array, **keywords):
    """One call of __dlpack__ that either gave a readable capsule, or was refused.

    Any other result ends the case: the rule on the capsule's name is reported where the case has it.
    """
    made = Export(trial, array, keywords)
    if made.fault:
        # Its deleter may be anything, so that dlspec never calls it; the destructor is the exporter's own.
        trial.out.violated(made.fault.rule, made.fault.observed, made.fault.allowed)
        trial.out.blocked(f"by {made.fault.rule}", *trial.out.rest())
        raise Unsupported("a struct that cannot be read")
    if made.refusal is None and made.generation is None:
        observed = made.problem or f"{made.call} gave a capsule named {_quoted(made.name)}"
        _report_no_capsule(trial, observed, keywords)
        trial.out.blocked("by the capsule, which is none of DLPack's", *trial.out.rest())
        raise Unsupported("no capsule of DLPack")
    if made.refusal is None and not trial.out.wants("capsule.name-matches-struct") and other_struct(made):
        trial.out.blocked("by capsule.name-matches-struct", *trial.out.rest())
        raise Unsupported("a struct that does not belong to the capsule's name")
    return made


def fault_of(trial, order, capsule):
    """The fault of a capsule's struct because of which its fields cannot be read, or None."""
    located, misfit = attempt(trial.native.locate, capsule)
    if misfit or located is None:
        return None
    return structs.fault_of(order, *located)


def _is_vague(order):
    """True when the ordered numbers are too few or too small to recognise a struct by."""
    return len(order.shape) < 2 or 0 in order.shape or structs.is_vague(order.strides or ())


def _is_as_ordered(order, facts):
    steps = order.strides if order.strides is not None else elements.row_major(order.shape)
    return (
        facts["shape"] == order.shape
        and facts["dtype_name"] == order.dtype
        and facts["device"] == order.device
        and facts["strides"] in (None, steps)
        and facts["byte_offset"] < 1 << 40  # beyond that it is an address, and maybe below
        and memory.peek(facts["byte_offset"], 1) is None
    )


def _fault_of_another(trial, keywords):
    """The fault of an array of twelve elements by the same library, where that has one."""
    size = (12 * elements.bits_of(trial.order.dtype) + 7) // 8
    order = types.SimpleNamespace(
        **{**vars(trial.order), "shape": (3, 4), "strides": None, "offset": 0, "readonly": False, "bytes": bytes(size)}
    )
    # It lives until its struct has been looked at: what a table lends does not outlive the array.
    array, refusal = attempt(trial.library.make, order)
    capsule, refusal = (None, refusal) if refusal else attempt(lambda: dlpack_of(trial, array)(**keywords))
    fault = None if refusal else fault_of(trial, order, capsule)
    if fault:
        trial.native.keep_forever(capsule)
    return fault


def _report_no_capsule(trial, observed, keywords):
    asked = keywords.get("max_version")
    names = ["capsule.name-versioned", "capsule.name-legacy"]
    if asked is None or asked[0] < 1:
        names.reverse()
    for rule in names:
        if trial.out.wants(rule):
            trial.out.wrong_value(rule, observed, 'a capsule named "dltensor" or "dltensor_versioned"')
            return


def _quoted(name):
    return "NULL" if name is None else f'"{name}"'


def newest_export(trial, array):
    """As a consumer of today asks: for 1.3, and without the keyword when the exporter does not know it."""
    made = export(trial, array, max_version=NEWEST)
    if made.refusal and made.refusal.is_a(TypeError):
        return export(trial, array)
    return made


def refuse_rest(trial, made):
    """A refusal to export is legal: everything not yet answered is unsupported."""
    trial.out.unsupported(f"{made.call} raised {made.refusal.text}", *trial.out.rest())


def unless_refused(trial, made):
    """The export. A refusal ends the case: everything left is unsupported."""
    if made.refusal:
        refuse_rest(trial, made)
        raise Unsupported(made.refusal.text)
    return made


def newest_unless_refused(trial, array):
    """newest_export(), of which a refusal ends the case."""
    return unless_refused(trial, newest_export(trial, array))


def newest_with_deleter(trial, array, *rules):
    """newest_unless_refused(). A struct without a deleter ends the case, too: these rules are about deleters."""
    made = newest_unless_refused(trial, array)
    if made.facts["null_deleter"]:
        trial.out.not_applicable(*rules)
        raise Unsupported("its struct has no deleter")
    return made


def is_keyword_unknown(trial, array, keyword):
    """True when __dlpack__ raises TypeError for this keyword even with None, and raises none without it.

    Without it the call may still be refused: read-only data, for example, is not exported in a legacy capsule.
    """
    made = Export(trial, array, {keyword: None})
    if made.refusal is None or not made.refusal.is_a(TypeError):
        return False
    plain = Export(trial, array, {})
    return plain.refusal is None or not plain.refusal.is_a(TypeError)


def below_edition(trial, array, keyword):
    """Answers the rest of a case whose keyword the exporter does not know: True when that was so.

    The keywords that it takes show such a library to follow the array API 2021.12; no later edition is applied.
    """
    if not is_keyword_unknown(trial, array, keyword):
        return False
    trial.out.not_applicable(*editions.later_than(2021, trial.out.rest(), trial.native.rule))
    trial.out.unsupported(f"__dlpack__ does not take {keyword}", *trial.out.rest())
    return True


def other_struct(made):
    """A text that tells how a struct of the other generation shows under this name, or None."""
    facts = made.facts
    if made.generation == "versioned":
        # The low half of a data pointer is read as the major version.
        major, minor = facts["version"] or (1, 0)
        # An empty tensor has no data pointer; its device is read as manager_ctx.
        empty = major == minor == 0 and facts["manager_ctx"] == 1
        if major > 1000 or (major == 0 and minor > 1000) or empty:
            return 'what is named "dltensor_versioned" begins with a pointer where the version should be'
        return None
    # The version is read as the data pointer, and the flags as shape.
    data = facts["data"] or 0
    if 0 < (data & 0xFFFFFFFF) < 100 and (data >> 32) < 1000 and facts.get("shape") is None:
        return f'what is named "dltensor" begins with version {data & 0xFFFFFFFF}.{data >> 32} where data should be'
    return None
