"""Libraries that export their imports again, with one fault in that export; producers whose refusals keep it."""

from exhibits import doubles
from exhibits.consumer_reexports import Onward


# --- imports that are exported again
class Lasting(Onward):
    """Clean: its export keeps the import alive until the release, and so does that of its view."""

    flags_kept = ~0

    def __dlpack__(self, **keywords):
        return self.lent(self.owner(), keywords)

    def lent(self, owner, keywords):
        if (keywords.get("max_version") or (0, 0))[0] < 1:
            raise BufferError("versioned capsules only")
        capsule, held, let_go = super().__dlpack__(**keywords), [owner], self.let_go
        struct = doubles.Taken(capsule, rename=False).struct
        struct.flags &= self.flags_kept & 0xFFFFFFFFFFFFFFFF

        def release(address, old):
            old(address)
            let_go(held)

        del owner  # the deleter is never freed
        return doubles.set_deleter(capsule, release)

    def owner(self):
        return self

    @staticmethod
    def let_go(held):
        held.clear()

    def __getitem__(self, index):
        if index is not Ellipsis:
            raise TypeError("the whole array only")
        return View(self)

    def owner_of_view(self):
        return self


class View:
    """All elements of an import."""

    def __init__(self, parent):
        self.parent = parent

    def now(self):
        return self.parent.now()

    def __dlpack__(self, **keywords):
        return self.parent.lent(self.parent.owner_of_view(), keywords)


class Passing(doubles.Library):
    """Clean: a library whose imports are exported again."""

    kind = Lasting

    def take(self, capsule):
        return self.kind(capsule, self.fault)


class Unkept(Lasting):
    def owner(self):
        return None


class UnkeptOfLegacy(Lasting):
    def owner(self):
        return None if self.look["generation"] == "legacy" else self


class UnkeptInViews(Lasting):
    def owner_of_view(self):
        return None


class NeverLetGo(Lasting):
    everything = []

    @staticmethod
    def let_go(held):
        NeverLetGo.everything.append(held)


class ForgetsReadOnly(Lasting):
    flags_kept = ~1


class Shifted(Lasting):
    def first(self):
        return self.place + 4 if self.bytes else self.place


class PassingUnkept(Passing):
    kind = Unkept


class PassingUnkeptOfLegacy(Passing):
    kind = UnkeptOfLegacy


class PassingUnkeptInViews(Passing):
    kind = UnkeptInViews


class PassingNeverLetGo(Passing):
    kind = NeverLetGo


class PassingForgetsReadOnly(Passing):
    kind = ForgetsReadOnly


class PassingShifted(Passing):
    kind = Shifted


# --- refusals
class KeepsTheRefused(doubles.Array):
    """Takes a reference to itself before it looks at the device."""

    def __dlpack__(self, **keywords):
        if keywords.get("dl_device") == (99, 0):
            doubles.KEPT.append(self)
        return super().__dlpack__(**keywords)


class RefusesLaterMinors(doubles.Array):
    def answer(self, max_version, copy):
        if max_version == (1, 99):
            raise BufferError("no such minor version")
        return super().answer(max_version, copy)


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("managed.borrow", "producer", "PassingUnkept", "Passing"),
    ("managed.borrow", "producer", "PassingUnkeptOfLegacy", "Passing"),
    ("managed.borrow", "producer", "PassingUnkeptInViews", "Passing"),
    ("managed.owner-balanced", "producer", "PassingNeverLetGo", "Passing"),
    ("flags.read-only-propagated", "producer", "PassingForgetsReadOnly", "Passing"),
    ("tensor.element-address", "producer", "PassingShifted", "Passing"),
    ("managed.owner-balanced", "producer", "KeepsTheRefused", "doubles.Array"),
    ("python.max-version-higher-ok", "producer", "RefusesLaterMinors", "doubles.Array"),
)
