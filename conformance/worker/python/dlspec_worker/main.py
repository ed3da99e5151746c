"""The conversation: one line in, one line out, until the parent says quit or goes away."""

import gc
import json
import os
import platform
import traceback
import types

from dlspec_worker import builds, cases, known, loading, wording
from dlspec_worker import producer_copies, producer_keywords, producer_lifetime, producer_structs  # noqa: F401
from dlspec_worker import producer_arguments, producer_errors, producer_release  # noqa: F401
from dlspec_worker import producer_dtypes, producer_odd  # noqa: F401
from dlspec_worker import consumer_asking, consumer_copies, consumer_failures, consumer_streams  # noqa: F401
from dlspec_worker import consumer_keywords, consumer_onward, consumer_ranges  # noqa: F401
from dlspec_worker import consumer_devices, consumer_dtypes, consumer_flags, consumer_managed  # noqa: F401
from dlspec_worker import consumer_places  # noqa: F401
from dlspec_worker import consumer_fences, consumer_leaks, consumer_threads  # noqa: F401
from dlspec_worker import producer_callbacks, producer_leaks, producer_threads  # noqa: F401
from dlspec_worker import consumer_capsules, consumer_imports, consumer_protocol, consumer_structs  # noqa: F401
from dlspec_worker.library import Library
from dlspec_worker.trial import AdapterFault, Trial, Unsupported


def run(descriptor):
    """Serves the channel until its end. Returns the exit status."""
    start = json.loads(_first_line(descriptor))["start"]
    try:
        native = loading.load_native(start["native"])
    except loading.Failed as failure:
        os.write(descriptor, (_line_of_failure(failure) + "\n").encode())
        return 0
    native.channel_open(descriptor)
    try:
        library = Library(loading.load_adapter(start["path"]), start["path"])
        native.send(json.dumps({"ready": _introduction(library)}))
    except loading.Failed as failure:
        native.send(_line_of_failure(failure))
        return 0
    except AdapterFault as fault:
        native.send(_line_of_failure(loading.Failed("adapter", f"{fault}; correct the adapter")))
        return 0
    # What the imports left behind lives until the end: the collections of the cases need not look at it.
    gc.collect()
    gc.freeze()
    _serve(native, library)
    return 0


def _serve(native, library):
    while True:
        line = native.receive()
        message = json.loads(line) if line else {"quit": True}
        if "quit" in message:
            return
        answer = {"n": message["case"]["n"], "pid": os.getpid()}
        answer.update(judge(message["case"], library, native))
        native.send(json.dumps(answer))


def judge(case, library, native):
    """The answer to one case, without number and pid."""
    if "known" in case:
        library = known.library(native, case["known"])
    trial = Trial(case, _order(case["spec"]), library, native)
    function = cases.find(case["role"], case["variant"])
    if function is None:
        trial.out.blocked(f"this worker does not know the variant {case['variant']}", *trial.out.rules)
        return {"outcomes": trial.out.complete()}
    try:
        function(trial)
    except Unsupported as reason:
        if len(trial.out.rest()) == len(trial.out.rules):
            return {"unsupported": str(reason)}
        trial.out.unsupported(str(reason), *trial.out.rest())
    except AdapterFault as fault:
        return {"adapter_fault": str(fault)}
    except BaseException as error:  # ours: libraries' exceptions are caught where libraries are called
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{os.path.basename(place.filename)}:{place.lineno}"
        trial.out.blocked(f"dlspec's worker failed in {where}: {wording.of_exception(error)}", *trial.out.rest())
    return {"outcomes": trial.out.complete()}


def _order(spec):
    return types.SimpleNamespace(
        dtype=spec["dtype"],
        shape=tuple(spec["shape"]),
        strides=None if spec["strides"] is None else tuple(spec["strides"]),
        offset=spec["offset"],
        readonly=spec["readonly"],
        device=tuple(spec["device"]),
        bytes=bytes.fromhex(spec["bytes"]),
    )


def _introduction(library):
    return {
        "pid": os.getpid(),
        "name": library.name,
        "version": library.version(),
        "loaded_from": library.loaded_from,
        "build": builds.text(library.module, library.distribution),
        "python": platform.python_version(),
        "roles": library.roles(),
        "standard": library.standard,
        "provides": library.provides,
    }


def _line_of_failure(failure):
    return json.dumps({"failed": {"stage": failure.stage, "message": failure.message, "detail": failure.detail}})


def _first_line(descriptor):
    # Byte by byte: what follows the first line belongs to the extension's own reader.
    line = bytearray()
    while not line.endswith(b"\n"):
        byte = os.read(descriptor, 1)
        if not byte:
            break
        line += byte
    return line
