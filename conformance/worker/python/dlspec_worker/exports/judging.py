"""The rules that any capsule is judged by, shared by the producers' cases."""

from dlspec_worker.exports.exporting import other_struct
from dlspec_worker.facts import elements
from dlspec_worker.facts.dlpack import FP8, HOST, LARGEST_RANK
from dlspec_worker.observing import memory
from dlspec_worker.trial.attempts import attempt


def judge_name(trial, made):
    """Judges capsule.name-* for a capsule that has one of the two names."""
    # Python specification, Implementation: the name says which struct the capsule holds.
    legacy = made.generation == "legacy"
    mistaken = other_struct(made)
    if mistaken:
        trial.out.violated("capsule.name-matches-struct", mistaken, "the struct that belongs to the name")
        trial.out.blocked("by capsule.name-matches-struct", *trial.out.rest())
        return False
    trial.out.pass_("capsule.name-matches-struct", "capsule.name-legacy" if legacy else "capsule.name-versioned")
    trial.out.not_applicable("capsule.name-versioned" if legacy else "capsule.name-legacy")
    return True


def judge_struct(trial, made, **origin):
    """Judges all rules of the case that can be read off the struct. False when its elements cannot be read.

    `origin`: what is known of the source beyond the order, or in its place; `read_only` None: nothing is.
    """
    known = {"dtype": trial.order.dtype, "shape": trial.order.shape, **_likely_strides(trial.order)}
    known.update({"read_only": trial.order.readonly or None, **origin})
    if known["read_only"] is None:
        del known["read_only"]
    held = trial.order.bytes if is_host(trial.order) else b""
    judged = trial.native.judge(made.capsule, trial.out.rules, known, held)
    named = made.facts["dtype_name"]
    if trial.order.dtype in FP8 and named in FP8 and named != trial.order.dtype:
        judged["outcomes"].pop("dtype.truthful", None)
        trial.out.blocked("by dtype.fp8-variants-distinct", "dtype.truthful")
    take(trial, made, judged["outcomes"])
    rank = made.facts.get("ndim") or 0  # None after a foreign major version
    if rank > LARGEST_RANK:
        # Its extents are not read; no ordered array has this rank.
        observed, allowed = f"rank {rank}", f"the source's rank, {len(trial.order.shape)}"
        trial.out.wrong_value("tensor.shape-truthful", observed, allowed)
    if judged["readable"] and not _is_reachable(made.facts):
        rule, allowed = "device.cpu-dereferenceable", "memory that the process can read"
        trial.out.violated(rule, "an element lies where no memory can be read", allowed)
        return False
    return judged["readable"]


def is_as_described(trial, made, *rules):
    """True when the struct is unchanged since it was first read; else `rules`, or all that are left, are blocked."""
    if trial.native.look(made.capsule)["text"] == made.facts["text"]:
        return True
    trial.out.blocked("by tensor.metadata-constant", *(rules or trial.out.rest()))
    return False


def is_readable(trial, made):
    """True when the elements that the struct leads to can be read safely."""
    understood = made.facts.get("data") is not None  # not so after a foreign major version
    return understood and _is_judged_readable(trial, made) and _is_reachable(made.facts)


def _is_judged_readable(trial, made):
    order, known, held = trial.order, {}, b""
    if (made.facts["dtype_name"], made.facts["shape"]) == (order.dtype, order.shape) and is_host(order):
        # Strides in bytes lead beyond the array.
        known, held = {"dtype": order.dtype, "shape": order.shape, **_likely_strides(order)}, order.bytes
    return trial.native.judge(made.capsule, [], known, held)["readable"]


def is_of_other_width(order, facts):
    if facts["dtype"] is None:
        return False  # not read after a foreign major version
    return facts["dtype"][1] * facts["dtype"][2] != elements.bits_of(order.dtype)


def _is_reachable(facts):
    """False when the first or the last byte of a host tensor cannot be read: reading it would kill the worker."""
    if facts["device"] is None or facts["device"][0] != HOST or not facts["data"] or facts["shape"] is None:
        return True
    if 0 in facts["shape"]:
        return True
    strides = elements.row_major(facts["shape"]) if facts["strides"] is None else facts["strides"]
    ways = [(extent - 1) * stride for extent, stride in zip(facts["shape"], strides)]
    bits, first = facts["dtype"][1] * facts["dtype"][2], facts["data"] + facts["byte_offset"]
    ends = (first + sum(min(0, way) for way in ways) * bits // 8, first + sum(max(0, way) for way in ways) * bits // 8)
    return all(memory.is_readable(end) for end in ends)


def shows_elements(trial, made, *rules):
    """True when an export leads to the ordered elements: only then can later damage be told.

    Otherwise another rule is reported in a case of its own, and `rules`, or all that are left, are blocked.
    """
    rules = rules or trial.out.rest()
    if not is_readable(trial, made):
        trial.out.blocked("by the struct, which cannot be followed", *rules)
        return False
    found, misfit = attempt(trial.native.contents, made.capsule)
    if misfit:
        trial.out.blocked(f"dlspec cannot read the export ({misfit.text})", *rules)
        return False
    if found != trial.order.bytes:
        trial.out.blocked("by tensor.element-address", *rules)
        return False
    return True


def is_host(order):
    """True when the addresses of the ordered array can be read here."""
    return order.device[0] == HOST


def _likely_strides(order):
    """Those ordered, else row-major ones, of which strides in bytes are multiples.

    The latter are a guess: padded rows are multiples too. It is made only where the elements can be read, which decide.
    """
    if order.strides is not None:
        return {"strides": order.strides}
    return {"strides": elements.row_major(order.shape)} if is_host(order) else {}


def take(trial, made, outcomes):
    """Records what native.judge says of an export."""
    trial.out.pass_(*[rule for rule, answer in outcomes.items() if answer["outcome"] == "pass"])
    trial.out.not_applicable(*[rule for rule, answer in outcomes.items() if answer["outcome"] == "not-applicable"])
    for rule, answer in outcomes.items():
        if answer["outcome"] in ("pass", "not-applicable"):
            continue
        if rule.startswith("dtype.") and answer.get("verdict") == "info" and is_of_other_width(trial.order, made.facts):
            # An odd name is only an info, but elements of another size are wrong values.
            trial.out.wrong_value(rule, answer["observed"], answer["allowed"])
        _take(trial.out, rule, answer)


def _take(out, rule, answer):
    kind = answer["outcome"]
    if kind == "violated":
        out.violated(rule, answer["observed"], answer["allowed"], answer.get("mitigation"))
    elif kind == "unsupported":
        out.unsupported(answer["observed"], rule)
    else:
        out.blocked(answer["observed"], rule)
