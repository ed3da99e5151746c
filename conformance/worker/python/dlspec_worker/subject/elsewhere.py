"""Arrays of the library that are not in host memory: on the devices that the adapter names."""

import types

from dlspec_worker.facts.dlpack import CPU, HOST
from dlspec_worker.trial.outcomes import Unsupported


def at_home(library, order):
    """The order on the device that the library's ordinary arrays are on, where no device was ordered."""
    stays = library.devices[0] == CPU or order.device != CPU
    return order if stays else moved(order, library.devices[0])


def arrays(trial):
    """(device, array) of the ordered elements, for each device but the host. Answers the case where there is none.

    What is said of other devices does not apply to a library whose arrays are all on the host.
    """
    others = [device for device in trial.library.devices if device[0] != HOST]
    if not others:
        trial.out.not_applicable(*trial.out.rest())
    made, reason = [], None
    for device in others:
        try:
            made.append((device, trial.library.make(moved(trial.order, device))))
        except Unsupported as refusal:
            reason = str(refusal)
    if others and not made:
        trial.out.unsupported(reason, *trial.out.rest())
    return made


def moved(order, device):
    return types.SimpleNamespace(**{**vars(order), "device": device})
