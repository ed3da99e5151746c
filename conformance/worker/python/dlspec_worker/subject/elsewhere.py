"""Arrays of the library that are not in host memory: on the devices that the adapter names."""

import types

from dlspec_worker.facts.dlpack import CPU, HOST
from dlspec_worker.trial.outcomes import Unsupported


def at_home(library, order):
    """The order on the device that the library's ordinary arrays are on, where those are not on the host."""
    return order if library.devices[0] == CPU else _moved(order, library.devices[0])


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
            made.append((device, trial.library.make(_moved(trial.order, device))))
        except Unsupported as refusal:
            reason = str(refusal)
    if others and not made:
        trial.out.unsupported(reason, *trial.out.rest())
    return made


def _moved(order, device):
    return types.SimpleNamespace(**{**vars(order), "device": device})
