"""The array that a library can make in the place of one that it cannot: another dtype, a plainer layout, one axis."""

from dlspec_worker.facts import elements, values
from dlspec_worker.trial.outcomes import Unsupported

# In the order in which they are tried: first those as wide as the ordered one, then the most common.
COMMON = ("float32", "int32", "uint8", "int64", "float64", "int16", "uint16", "bool", "int8", "float16", "complex64")


def choose(library, order):
    """The order itself, or the nearest one that the library can make. Raises Unsupported for the first reason."""
    first = None
    for each in _candidates(library, order):
        reason = _reason(library, each)
        if reason is None:
            return each
        first = first or reason
    raise Unsupported(first)


def plainest(order):
    """The plainest array: most stimuli are tried on it alone."""
    return values.plain_order(order)


def choose_plainest(library, order):
    """The order; but in the place of the plainest array, which most rules are tried on, one that can be made."""
    if kind_of(order) != kind_of(plainest(order)):
        return order
    try:
        return choose(library, order)
    except Unsupported:
        return order


def choose_taken(library, order, takes):
    """The order, or one of the nearest dtype that the library imports; the order where it imports none."""
    for dtype in [
        order.dtype,
        *sorted(COMMON, key=lambda name: elements.bits_of(name) != elements.bits_of(order.dtype)),
    ]:
        each = order if dtype == order.dtype else values.order(order, dtype=dtype)
        if dtype not in library.takes:
            library.takes[dtype] = takes(values.plain_order(each, dtype))
        if library.takes[dtype]:
            return each
    return order


def _reason(library, order):
    """Why the library cannot make it, or None; asked once for each kind of array."""
    kind = kind_of(order)
    if kind not in library.makes:
        try:
            library.make(order)
            library.makes[kind] = None
        except Unsupported as reason:
            library.makes[kind] = str(reason)
    return library.makes[kind]


def kind_of(order):
    return order.dtype, order.shape, order.strides, order.offset, order.readonly


def _candidates(library, order):
    dtypes = _dtypes(library, order.dtype)
    layouts = _layouts(library, order)
    for dtype in dtypes:
        for layout in layouts:
            if dtype == order.dtype and layout is layouts[0] and _fits(library, order):
                yield order
            else:
                yield values.order(order, dtype=dtype, **layout)


def _fits(library, order):
    return library.max_rank is None or len(order.shape) <= library.max_rank


def _dtypes(library, wanted):
    known = library.dtypes or COMMON
    width = elements.bits_of(wanted)
    others = sorted((name for name in known if name != wanted), key=lambda name: elements.bits_of(name) != width)
    return ([wanted] if library.dtypes is None or wanted in library.dtypes else []) + others


def _layouts(library, order):
    """The ordered layout, then a writable one, the default one, and one axis."""
    own = {"shape": order.shape, "strides": order.strides, "offset": order.offset, "readonly": order.readonly}
    plain = {**own, "strides": None, "offset": 0}
    writable = {**plain, "readonly": False}
    flat = {**writable, "shape": (elements.count_of(order),)}
    found = [own, {**own, "readonly": False}, plain, writable, flat]
    if library.max_rank is not None:
        found = [each for each in found if len(each["shape"]) <= library.max_rank] or [flat]
    return [each for place, each in enumerate(found) if each not in found[:place]]
