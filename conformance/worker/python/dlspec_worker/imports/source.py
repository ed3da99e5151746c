"""What consumers are offered: objects with the two methods of the protocol over dlspec's own tensors."""

import time

from dlspec_worker.facts.dlpack import CPU, IS_COPIED, NAMES, is_pair
from dlspec_worker.imports.offers import make_offer
from dlspec_worker.trial.waiting import settle

NOT_GIVEN = object()
NOTHING_ASKED = {"stream": None, "max_version": None, "dl_device": None, "copy": None}
ENOUGH_LEAKS = 3
SOON, ENOUGH_LATE = 0.02, 8.0  # seconds: what garbage collections take, and what late releases may take in all
_VERSIONED = ("version", "flags")  # members that legacy structs do not have


def goes_with_the_next(trial, is_released):
    """True when imports of other tensors bring the release: a consumer may keep its last arrays, or batch releases."""
    for imports in (1, 3, 12, 48):
        for _ in range(imports):
            other = Source(
                trial, dtype="float32", shape=(2,), strides=(1,), byte_offset=0, contents=bytes(8), null_data=False
            )
            trial.library.from_dlpack(other)
            other.forget_capsules()
        if settle(is_released, 0):
            return True
    return False


def major_of(max_version):
    """The highest major version that a consumer asks for; 0 without max_version. TypeError for what is no pair."""
    if max_version is None:
        return 0
    if not is_pair(max_version):
        raise TypeError("max_version is a tuple of two integers")
    return max_version[0]


class Source:
    """Exports capsules of one generation, or of the newest that the consumer asks for.

    Accepts and refuses arguments as the array API demands, except that it ignores the stream: host memory has none.
    `changes` are fields of make_offer; `name` replaces the name of the capsule; `says_device` is the answer of
    __dlpack_device__ where it is not the device of the struct.

    A source of the legacy generation alone is an exporter of the array API 2021.12, which raises TypeError for the
    newer keywords; for a consumer that cannot do without them see relents().
    """

    def __init__(self, trial, generation=None, name=None, says_device=None, **changes):
        self._trial = trial
        surrounded = {} if "placement" in changes else trial.sources
        generation = generation or surrounded.get("generation")
        changes = {**surrounded.get("fields", {}), **changes}
        self._version = surrounded.get("version")  # of versioned structs of which the case says nothing else
        self._copies = surrounded.get("copies", False)
        self._generation = generation
        self._name = name
        self._origin = (trial, generation, name)
        self._device = says_device or changes.get("device", CPU)
        self._changes = changes
        self._offers = {}
        self._strict = generation == "legacy"
        self._missed = False  # a call failed for that reason
        self.capsules = []
        self.names = []  # of the capsules at export
        self.handed_out = 0
        self.asked = []
        self.declined_to_copy = False  # which a consumer may ask for that was not asked for a copy
        self.kept_until_next = False  # released only when the consumer imported other arrays

    def __dlpack__(self, *, stream=None, max_version=NOT_GIVEN, dl_device=NOT_GIVEN, copy=NOT_GIVEN):
        newer = {"max_version": max_version, "dl_device": dl_device, "copy": copy}
        newer = {name: value for name, value in newer.items() if value is not NOT_GIVEN}
        self.asked.append({**NOTHING_ASKED, "stream": stream, **newer})
        self._missed = self._missed or (self._strict and bool(newer))
        if self._strict and newer:
            raise TypeError(f"__dlpack__() got an unexpected keyword argument '{next(iter(newer))}'")
        return self._answer(newer.get("max_version"), newer.get("dl_device"), newer.get("copy"))

    def _answer(self, max_version, dl_device, copy):
        if copy and not self._copies:
            self.declined_to_copy = True
            raise BufferError("this tensor is not copied")
        if dl_device is not None and tuple(dl_device) != self._device:
            raise BufferError("this tensor stays on its device")
        return self._hand_out(max_version)

    def __dlpack_device__(self):
        return self._device

    def relents(self):
        """True when the consumer failed for want of the newer keywords; from now on they are accepted."""
        relents = self._missed and self.handed_out == 0
        self._strict, self._missed = self._strict and not relents, False
        return relents

    def _hand_out(self, max_version):
        knows_versions = major_of(max_version) >= 1
        if self._generation == "versioned" and not knows_versions:
            raise BufferError("this tensor is only exported in a versioned capsule")
        generation = self._generation or ("versioned" if knows_versions else "legacy")
        return self._hand_over(self._offer(generation), self._capsule_name(generation))

    def _hand_over(self, offer, name=None):
        capsule = offer.capsule(name)
        self.capsules.append(capsule)
        self.names.append(self._trial.native.look(capsule)["name"])
        self.handed_out += 1
        return capsule

    def _capsule_name(self, generation):
        return self._name.get(generation) if isinstance(self._name, dict) else self._name

    def _offer(self, generation):
        if generation not in self._offers:
            version = {"version": self._version} if generation == "versioned" and self._version else {}
            self._offers[generation] = make_offer(self._trial, generation, **{**version, **self._changes})
        return self._offers[generation]

    def data_address(self):
        """Where the struct of this source's one generation points."""
        return self._offer(self._generation).data_address

    def another(self, **changes):
        """A source of an equal tensor in memory of its own, but for the fields named in `changes`."""
        return type(self)(*self._origin, **{**self._changes, **changes})

    # What happened to the exports.

    @property
    def was_versioned(self):
        """Whether a versioned struct was handed out, which alone has flags."""
        return NAMES["versioned"] in self.names

    @property
    def offers(self):
        return list(self._offers.values())

    @property
    def refused_the_question(self):
        """True when the consumer never asked for a versioned capsule, and this source has no other."""
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
        """Drops the capsules, which were kept to be examined after the import."""
        self.capsules.clear()
        self.names.clear()

    def wait_for_release(self):
        """Waits for a late release, and then a moment for a second one, which would be wrong.

        After ENOUGH_LEAKS imports without a release, further ones are not waited for.
        """
        library = self._trial.library
        patient = library.leaks < ENOUGH_LEAKS and not library.keeps_last
        began = time.monotonic()
        if settle(self.is_released, None if patient else 0):
            took = time.monotonic() - began
            library.late_seconds += took if took > SOON else 0
        elif library.leaks < ENOUGH_LEAKS and goes_with_the_next(self._trial, self.is_released):
            self.kept_until_next = library.keeps_last = True
        else:
            library.leaks += 1
        settle(lambda: False, seconds=0)

    def is_known_to_be_late(self):
        """True when releases have come late so often that this one, which has not come, is not waited for."""
        return self._trial.library.late_seconds > ENOUGH_LATE and self.live > 0

    def let_write(self):
        """Until this call a write to READ_ONLY elements kills the worker; afterwards it is only recorded."""
        for offer in self.offers:
            offer.let_write()

    def contents(self):
        return [offer.contents() for offer in self.offers]

    def is_touched_late(self):
        """True when memory beside the elements was written, or any memory after the release."""
        return any(offer.late_writes or not offer.memory_intact() for offer in self.offers)

    def overwrite(self, data):
        """Writes into the memory of unreleased exports, as its owner may, READ_ONLY or not."""
        self.let_write()
        for offer in self.offers:
            if offer.live_exports:
                self._trial.native.overwrite(offer.capsule(), data)
                self.handed_out += 1  # the destructor of that capsule released it

    @property
    def left_to_capsules(self):
        """The number of capsules that released their tensor, because it was not consumed."""
        return sum(offer.released_capsules for offer in self.offers)


class LegacySource(Source):
    """An exporter of the array API 2021.12, which always raises TypeError for newer keywords."""

    def __dlpack__(self, *, stream=None):  # noqa: D105
        self.asked.append({**NOTHING_ASKED, "stream": stream})
        return self._hand_out(None)

    def relents(self):
        return False


class TersePositional(LegacySource):
    """The same as a method written in C, whose TypeError does not name the keyword."""

    def __dlpack__(self, **keywords):
        if set(keywords) - {"stream"}:
            raise TypeError(f"__dlpack__() takes at most 1 argument ({len(keywords)} given)")
        return super().__dlpack__(**keywords)


class KnowsVersionsAlone(Source):
    """Of all newer keywords this exporter knows max_version."""

    def __dlpack__(self, *, stream=None, max_version=None):
        return super().__dlpack__(stream=stream, max_version=max_version)


class CopyingSource(Source):
    """An exporter that copies when asked to; with `always`, one that cannot share its memory.

    `changes` are those of a Source; copies have them, too, but for the flags.
    """

    def __init__(self, trial, always=False, generation=None, **changes):
        super().__init__(trial, generation, **changes)
        self._always = always
        self._copies = []

    def _answer(self, max_version, dl_device, copy):
        if self._always and copy is False:
            raise BufferError("this tensor cannot be shared")
        if not copy and not self._always:
            return super()._answer(max_version, dl_device, copy)
        versioned = major_of(max_version) >= 1
        members = {name: value for name, value in self._changes.items() if versioned or name not in _VERSIONED}
        flags = {"flags": IS_COPIED} if versioned else {}
        made = make_offer(self._trial, "versioned" if versioned else "legacy", **{**members, **flags})
        self._copies.append(made)
        return self._hand_over(made)

    @property
    def live(self):
        return super().live + sum(offer.live_exports for offer in self._copies)

    @property
    def deleter_calls(self):
        return super().deleter_calls + sum(offer.deleter_calls for offer in self._copies)


class Replay:
    """Returns the same capsule again and again, as no exporter may."""

    def __init__(self, capsule, device=CPU):
        self._capsule = capsule
        self._device = device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return self._capsule

    def __dlpack_device__(self):
        return self._device


class Forwarder:
    """An object of an unknown type that forwards the protocol to a library's own array, or to another one later."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()
