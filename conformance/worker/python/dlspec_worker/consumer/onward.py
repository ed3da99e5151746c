"""Consumers: the re-export of an import, its size, and ranks beyond a limit."""

import copy

from dlspec_worker.exports import judging
from dlspec_worker.exports.exporting import Export
from dlspec_worker.exports.sizes import judge_size
from dlspec_worker.facts import dlpack, elements, values
from dlspec_worker.facts.dlpack import NEWEST_FIRST
from dlspec_worker.imports import readers
from dlspec_worker.imports.dtypes import has_parts_as_axis
from dlspec_worker.imports.importing import Import, judge_refusal_releases, refused
from dlspec_worker.imports.offers import byte_offset
from dlspec_worker.imports.reading import exported, has_lanes_as_axis
from dlspec_worker.imports.source import Source
from dlspec_worker.trial.attempts import attempt
from dlspec_worker.trial.outcomes import Unsupported
from dlspec_worker.trial.variants import variant

FAR = 4160  # a byte_offset that no layout of the plan has


def imported(trial, **changes):
    """An import that shows what was offered. Anything else ends the case."""
    done = Import(trial, Source(trial, **changes))
    if done.refusal:
        refused(trial, done)
        raise Unsupported(done.refusal.text)
    found = trial.library.imported_contents(done.array)[0]
    if found is not None and found != trial.order.bytes:
        trial.out.blocked("by the elements of the import", *trial.out.rest())
        raise Unsupported("other elements")
    return done


def exported_again(trial, array):
    """An export of the import; a refusal ends the case."""
    for keywords in NEWEST_FIRST:
        made, _ = attempt(Export, trial, array, keywords)
        if made is not None and made.generation and made.facts["data"] is not None:
            return made
    trial.out.unsupported("the imported array exports nothing", *trial.out.rest())
    raise Unsupported("no export")


@variant("consumer", "re-export")
def re_export(trial):
    """dlpack.h, DLTensor.byte_offset and DLDataType: a re-export names the same place and the same dtype."""
    done = imported(trial)
    judge_again(trial, done, exported_again(trial, done.array))
    if elements.count_of(trial.order):
        _judge_far(trial)


def _judge_far(trial):
    """The place of an export of what began far behind `data`, where that is imported as it should be."""
    done = Import(trial, Source(trial, byte_offset=FAR))
    if done.refusal or trial.library.imported_contents(done.array)[0] != trial.order.bytes:
        return  # the variants of byte_offset say so
    made = exported(trial, done.array)
    if made is not None and made.facts["data"] is not None:
        _judge_place(trial, done, made, FAR)


def judge_again(trial, done, made):
    """The dtype and the place of `made`, an export of an import that shows what was offered."""
    _judge_dtype(trial, done.array, made)
    _judge_place(trial, done, made)


def judge_place_of_part(trial, done, part, made):
    """The place of `made`, an export of array[1:, 1:] of an import."""
    if _exports_own_parts_wrongly(trial):
        reason = "by tensor.element-address, which exports of the library's own parts break"
        trial.out.blocked(reason, "tensor.byte-offset-roundtrip")
        return
    inner = copy.copy(trial)
    inner.order = part.order
    steps = part.order.offset - trial.order.offset
    _judge_place(inner, done, made, byte_offset(trial.order) + steps * elements.bits_of(part.order.dtype) // 8)


def _exports_own_parts_wrongly(trial):
    """True when array[1:, 1:] of the library's own array is exported with other elements: a fault of the producer."""
    index, order = values.part(trial.order)
    plain = values.changed(trial.order, strides=None, offset=0, readonly=False)
    own, misfit = attempt(lambda: trial.library.make(plain)[index])
    made = None if misfit else exported(trial, own)
    if made is None or not judging.is_readable(trial, made):
        return False
    found, misfit = attempt(trial.native.contents, made.capsule)
    return not misfit and found != order.bytes


def _judge_dtype(trial, array, made):
    rule, order = "dtype.roundtrip", trial.order
    found = made.facts["dtype_name"]
    if has_lanes_as_axis(trial, array):
        trial.out.not_applicable(rule)  # the import has the elements of the vectors, which are what goes out
    elif found == order.dtype or (found, order.dtype) == ("float4_e2m1fnx2", "float4_e2m1fn"):
        trial.out.pass_(rule)
    elif made.facts["dtype"][1] * made.facts["dtype"][2] == elements.bits_of(order.dtype) or has_parts_as_axis(
        order, made.facts
    ):
        trial.out.blocked("by dtype.no-silent-reinterpret", rule)
    else:
        trial.out.info(rule, f"{order.dtype} came in, and goes out as {found}", f"{order.dtype}")


def _judge_place(trial, done, made, offset=None):
    """`offset`: the byte_offset of what came in; None where it is that of the order."""
    rule, order = "tensor.byte-offset-roundtrip", trial.order
    if made.facts["shape"] != order.shape or made.facts["dtype_name"] != order.dtype:
        trial.out.blocked("by the shape or dtype of what is exported again", rule)
        return
    offset = byte_offset(order) if offset is None else offset
    places = [offer.data_address + offset for offer in done.source.offers]
    if made.first_element() in places or not judging.is_readable(trial, made):
        trial.out.pass_(rule)
        return
    found, misfit = attempt(trial.native.contents, made.capsule)
    if misfit or found == order.bytes:
        trial.out.unsupported("what is exported again is a copy, or cannot be read", rule)
    else:
        observed = "the import is right, but exported again element 0 lies elsewhere, and other elements show"
        trial.out.violated(rule, observed, "the address of the first element that came in")


@variant("consumer", "size")
def size(trial):
    """dlpack.h 1.1, DLDataType against the size formula of DLTensor.data: packed elements are rounded up once."""
    if elements.bits_of(trial.order.dtype) >= 8:
        trial.out.not_applicable("tensor.size-formula")
        return
    judge_size(trial, imported(trial).array)


@variant("consumer", "dtype-refused")
def dtype_refused(trial):
    """numpy/numpy#31000: from_dlpack may raise what __dlpack__ raises for a dtype that cannot be expressed."""
    rule = "dtype.unsupported-buffererror"
    done = Import(trial, Source(trial))
    if done.refusal is None:
        trial.out.not_applicable(rule)
    elif done.source.refused_the_question or done.source.handed_out == 0 or not _takes_common(trial):
        refused(trial, done)
    elif not done.refusal.is_a(BufferError):
        observed = f"{trial.order.dtype} was refused by {done.refusal.text}"
        trial.out.info(rule, observed, "BufferError", "import-error-by-analogy")
    trial.out.pass_(rule)


def _takes_common(trial):
    """Whether such an array of a common dtype is imported: else the refusal is not about the dtype."""
    again = trial.again(values.order(trial.order, dtype="float32"))
    done = Import(again, Source(again))
    done.source.forget_capsules()
    return done.refusal is None


@variant("consumer", "rank=33", "rank=65", "rank=129", "rank=1048576")
def high_rank(trial):
    """dlpack.h, DLTensor.ndim: no text sets a limit. A library that has one refuses the whole tensor."""
    rule = "tensor.ndim-cap-refused"
    rank = int(trial.variant.split("=")[1])
    source = Source(trial, ndim=rank)
    done = Import(trial, source)
    if done.refusal:
        if source.refused_the_question:
            refused(trial, done)
        elif judge_refusal_releases(trial, source):
            trial.out.pass_(rule)
        else:
            trial.out.violated(rule, "refused, but not released", "a refusal and one release")
        return
    ordinary = Import(trial, Source(trial))
    if ordinary.refusal is None and _is_whole(trial, ordinary.array, 2) and not _is_whole(trial, done.array, rank):
        trial.out.violated(
            rule,
            f"a tensor of rank {rank} was imported with fewer axes, or with other elements",
            f"all {rank} axes, or a refusal",
        )
    trial.out.pass_(rule)


MOST_READ = 129  # axes; beyond, readers that call themselves for each axis die of the library's own arrays, too


def _reads(trial, rank):
    """Whether contents() has no limit of its own: NumPy makes an object of what has more axes than it knows."""
    return readers.reads_made(trial, shape=(1,) * (rank - len(trial.order.shape)) + trial.order.shape)


def _is_whole(trial, array, rank):
    found = trial.library.imported_contents(array)[0] if rank <= MOST_READ else None
    if found is not None and found != trial.order.bytes and _reads(trial, rank):
        return False
    told, _ = attempt(lambda: len(array.shape))
    told = rank if told is None else told
    if rank > MOST_READ:
        return told == rank  # Open3D puts the whole array into the text of a refusal, axis by axis
    made, _ = attempt(Export, trial, array, {"max_version": dlpack.NEWEST})
    if made is not None and made.generation and made.facts["ndim"] is not None:
        return told == made.facts["ndim"] == rank
    return told == rank
