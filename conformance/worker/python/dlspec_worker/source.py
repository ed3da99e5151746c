"""What consumers are offered: objects with the two methods of the protocol over dlspec's own tensors."""

from dlspec_worker.trial import settle

CPU = (1, 0)


def row_major(shape):
    """The strides of a compact array, in elements."""
    strides, step = [], 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


def make_offer(trial, generation, **changes):
    """dlspec's tensor as the case orders it: a conforming one, but for the fields named in `changes`."""
    order = trial.order
    elements = 1
    for extent in order.shape:
        elements *= extent
    negative = any(stride < 0 < extent - 1 for stride, extent in zip(order.strides or (), order.shape))
    fields = {
        "dtype": order.dtype,
        "shape": order.shape,
        # Written out, because DLPack 1.2 demands it; who wants NULL says so.
        "strides": row_major(order.shape) if order.strides is None else order.strides,
        # Element (0, ..., 0) lies at data itself where strides are negative: those layouts try strides, not byte_offset.
        "byte_offset": 0 if negative or not elements else order.offset * len(order.bytes) // elements,
        "contents": order.bytes,
        "generation": generation,
        "null_data": elements == 0,
    }
    if generation == "versioned":
        fields["flags"] = 1 if order.readonly else 0
    fields.update(changes)
    return trial.native.Offer(**fields)


class Source:
    """Hands out capsules of one generation, or of the newest that the consumer asks for.

    Conforms to the array API in what it takes and refuses, but that it never minds a stream: host memory has none,
    and a consumer is not judged by it here. `changes` are fields of make_offer; `name` is what the capsule says
    in place of the truth.
    """

    def __init__(self, trial, generation=None, name=None, **changes):
        self._trial = trial
        self._generation = generation
        self._name = name
        self._origin = (trial, generation, name)
        self._device = changes.get("device", CPU)
        self._changes = changes
        self._offers = {}
        self.capsules = []
        self.handed_out = 0
        self.asked = []

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        self.asked.append({"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy})
        if copy:
            raise BufferError("this tensor is not copied")
        if dl_device is not None and tuple(dl_device) != self._device:
            raise BufferError("this tensor stays on its device")
        return self._hand_out(max_version)

    def __dlpack_device__(self):
        return self._device

    def _hand_out(self, max_version):
        knows_versions = max_version is not None and max_version[0] >= 1
        if self._generation == "versioned" and not knows_versions:
            raise BufferError("this tensor is only exported in a versioned capsule")
        generation = self._generation or ("versioned" if knows_versions else "legacy")
        capsule = self._offer(generation).capsule(self._capsule_name(generation))
        self.capsules.append(capsule)
        self.handed_out += 1
        return capsule

    def _capsule_name(self, generation):
        return self._name.get(generation) if isinstance(self._name, dict) else self._name

    def _offer(self, generation):
        if generation not in self._offers:
            self._offers[generation] = make_offer(self._trial, generation, **self._changes)
        return self._offers[generation]

    def another(self, **changes):
        """A source of the same tensor, with a memory of its own, but for the fields named in `changes`."""
        return type(self)(*self._origin, **{**self._changes, **changes})

    # What has become of it.

    @property
    def offers(self):
        return list(self._offers.values())

    @property
    def refused_the_question(self):
        """True when the consumer never asked for what this source has."""
        return self._generation == "versioned" and self.handed_out == 0 and bool(self.asked)

    @property
    def live(self):
        return sum(offer.live_exports for offer in self.offers)

    @property
    def deleter_calls(self):
        return sum(offer.deleter_calls for offer in self.offers)

    def is_released(self):
        return self.live == 0

    def forget_capsules(self):
        """Drops the references that were kept for looking at the capsules after the import."""
        self.capsules.clear()

    def wait_for_release(self):
        """Gives a consumer that releases late its time; then a moment for a second, wrong release."""
        settle(self.is_released)
        settle(lambda: False, seconds=0)

    def let_write(self):
        """Who writes READ_ONLY elements dies of it, until this: then it lives and is told."""
        for offer in self.offers:
            offer.let_write()

    def contents(self):
        return [offer.contents() for offer in self.offers]

    def is_touched_late(self):
        """True when memory beside the elements was written to, or anything at all after the release."""
        return any(offer.late_writes or not offer.memory_intact() for offer in self.offers)


class LegacySource(Source):
    """An exporter of the array API 2021.12: any newer keyword is a TypeError."""

    def __dlpack__(self, *, stream=None):  # noqa: D105
        return self._hand_out(None)


class Replay:
    """Hands out one capsule again and again, as no exporter may."""

    def __init__(self, capsule, device=CPU):
        self._capsule = capsule
        self._device = device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return self._capsule

    def __dlpack_device__(self):
        return self._device


class Forwarder:
    """An object of no known type that passes the protocol on to a library's own array."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **keywords):
        return self._array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()
