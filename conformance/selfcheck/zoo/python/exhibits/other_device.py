"""Arrays that say that they are on a oneAPI device, though the memory behind them is the host's; a library of such."""

import gc
import types

from exhibits import doubles

CPU, ONEAPI = (1, 0), (14, 0)


class DeviceArray(doubles.Array):
    """Lives on the device that its order names. An export to the host is a copy, and says so."""

    def fields(self):
        return {**super().fields(), "device": self.order.device}

    def said(self):
        return self.order.device

    def __dlpack__(self, *, dl_device=None, max_version=None, copy=None, stream=None):
        if dl_device != CPU or self.said() == CPU:
            return super().__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
        if copy is False or stream is not None:
            raise BufferError("an export to the host is a copy, for which there is no stream")
        return self.transfer("versioned" if (max_version or (0, 0))[0] else "legacy")

    def transfer(self, generation):
        return doubles.make_offer(self.order, generation, device=CPU, flags=self.flags_of(generation)).capsule()

    def flags_of(self, generation):
        return 2 if generation == "versioned" else 0


class Stays(DeviceArray):
    def transfer(self, generation):
        raise BufferError("there is no way to the host")


class Unflagged(DeviceArray):
    def flags_of(self, generation):
        return 0


class Garbled(DeviceArray):
    def transfer(self, generation):
        turned = types.SimpleNamespace(**{**vars(self.order), "bytes": self.order.bytes[::-1]})
        return DeviceArray(turned).transfer(generation)


class Late(DeviceArray):
    """The elements of a transfer come after __dlpack__ has returned: with the next full garbage collection."""

    def transfer(self, generation):
        offer = doubles.make_offer(
            self.order, generation, device=CPU, flags=self.flags_of(generation), contents=self.order.bytes[::-1]
        )
        capsule = offer.capsule()

        def finish(phase, details):
            if phase == "start" and details["generation"] == 2:
                gc.callbacks.remove(finish)
                doubles.native.overwrite(capsule, self.order.bytes)

        gc.callbacks.append(finish)
        return capsule


class DeviceProducer(doubles.Producer):
    """The adapter of a class of such arrays."""

    devices = (CPU, ONEAPI)


class DeviceLibrary(doubles.Library):
    """Takes its own arrays where they are, and brings them to the host where that is asked for."""

    devices = (CPU, ONEAPI)

    def make(self, order):
        return DeviceArray(order)

    def from_dlpack(self, source, copy=None, device=None):
        if not isinstance(source, DeviceArray) or source.said() == CPU or device not in (None, "cpu", CPU):
            return super().from_dlpack(source, copy=copy, device=device)
        return source if device is None else self.to_host(source)

    def to_host(self, source):
        """The array on the host."""
        return DeviceArray(types.SimpleNamespace(**{**vars(source.order), "device": CPU}))


class NoWayBack(DeviceLibrary):
    def to_host(self, source):
        raise BufferError("there is no way to the host")


class StaysThere(DeviceLibrary):
    def to_host(self, source):
        return source


class GarblesTransfers(DeviceLibrary):
    def to_host(self, source):
        order = source.order
        return DeviceArray(types.SimpleNamespace(**{**vars(order), "device": CPU, "bytes": order.bytes[::-1]}))


# Rule, role, subject, its twin: what `dlspec selftest` demands of them.
EXHIBITS = (
    ("python.dl-device-cpu", "producer", "Stays", "DeviceArray"),
    ("flags.is-copied-on-device-transfer", "producer", "Unflagged", "DeviceArray"),
    ("stream.dl-device-cpu", "producer", "Late", "DeviceArray"),
    ("tensor.element-address", "producer", "Garbled", "DeviceArray"),
    ("python.from-dlpack-device-cpu", "consumer", "NoWayBack", "DeviceLibrary"),
    ("python.from-dlpack-device-cpu", "consumer", "StaysThere", "DeviceLibrary"),
    ("tensor.element-address", "consumer", "GarblesTransfers", "DeviceLibrary"),
)
