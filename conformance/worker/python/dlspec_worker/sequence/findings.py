"""Which rule is reported for what a sequence shows, and what the rule allows."""

ALLOWED = {
    "capsule.destructor-keeps-exception": "the exception as it was",
    "capsule.destructor-noop-when-used": "nothing: its consumer releases it",
    "capsule.destructor-present": "one call of the deleter, by the capsule's destructor",
    "capsule.fresh-per-call": "a new capsule from every call",
    "flags.is-copied-honest": "a copy that nobody else writes to",
    "flags.read-only-not-written": "READ_ONLY elements as they were",
    "flags.read-only-propagated": "READ_ONLY on the export of memory that was imported as READ_ONLY",
    "managed.borrow": "the source's elements until the release",
    "managed.deleter-no-pyerr": "the exception as it was",
    "managed.deleter-once": "one call of the deleter for each export that was imported",
    "managed.exports-independent": "exports that no other export's release, nor any new export, changes",
    "managed.not-early": "a deleter that is called when the import no longer needs the memory",
    "managed.owner-balanced": "the references to the source that there were before",
    "python.copy-true": "a copy that does not follow its source",
    "python.from-dlpack-keepalive": "the imported elements for as long as the import lives",
    "python.no-effect-on-source": "a source as usable as before, with its own elements",
    "tensor.element-address": "the elements of the array",
    "tensor.metadata-constant": "the description that was exported",
    "tensor.metadata-lifetime": "shape and strides that stay valid until the release",
}
CONSUMER = frozenset(
    (
        *("flags.read-only-not-written", "flags.read-only-propagated", "managed.deleter-once", "managed.not-early"),
        "python.from-dlpack-keepalive",
    )
)


RELEASED = 2  # of Ledger.give
SHARED = "its struct is that of another export"  # Ledger.enter


class Lost(Exception):
    """What the library shows cannot be followed any more; nothing is judged from here on."""


class Finding(Exception):
    """What ends a sequence: a rule that the subject does not keep."""

    def __init__(self, rule, observed, role=None):
        super().__init__(rule, observed)
        self.rule, self.observed = rule, observed
        self.role = role or ("consumer" if rule in CONSUMER else "producer")
        self.step = 0

    @property
    def allowed(self):
        return ALLOWED[self.rule]


def name_of(export):
    return f"the export of import {export.number - 1000}" if export.number >= 1000 else f"e{export.number}"


def of_deviation(what, export, words, writer):
    """The rule for a deviation that the ledger tells of an export after this step; None for what is not judged.

    `writer`: the array or export that the last step wrote to.
    """
    of = {"calls": _of_calls, "description": _of_description, "elements": _of_elements}
    return of[what](export, words, writer)


def _is_about(export, words):
    return len(words) > 1 and words[1] == f"e{export.number}"


def _releases_an_export(words):
    return words[0] in ("release", "raise", "drop") and words[1].startswith("e")


def _of_calls(export, words, writer):
    if export.state == "lent":
        return "managed.deleter-once"
    if export.state == "taken":
        about_capsule = words[0] == "drop" and _is_about(export, words)
        return "capsule.destructor-noop-when-used" if about_capsule else "managed.exports-independent"
    if export.state == "capsule":
        return "managed.exports-independent"
    return "capsule.destructor-noop-when-used" if export.was_taken else "capsule.destructor-present"


def _of_description(export, words, writer):
    if export.state == "lent":
        return None  # what a consumer does to a struct is no failure by itself
    if _releases_an_export(words):
        return "managed.exports-independent"
    return "tensor.metadata-constant" if export.array.alive else "tensor.metadata-lifetime"


def _of_elements(export, words, writer):
    if export.state == "lent":
        return "flags.read-only-not-written" if export.flags & 1 and export.array.is_own else None
    if words[0] == "write":
        # The copy is the one that was written, or the one that shows it.
        copied = export.copied or getattr(writer, "copied", "")
        return {"asked": "python.copy-true", "flagged": "flags.is-copied-honest"}.get(copied, "managed.borrow")
    if _releases_an_export(words):
        return "managed.exports-independent"
    if words[0] in ("export", "refuse") and export.array.alive:
        return "managed.exports-independent"
    return "managed.borrow"
