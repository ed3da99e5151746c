"""The conversation: one line in, one line out, until the parent says quit or goes away."""

import gc
import json
import os
import platform
import traceback
import types

from dlspec_worker import builds, loading, wording
from dlspec_worker.trial import AdapterFault, Unsupported


def run(descriptor, load, judge):
    """Serves the channel until its end. Returns the exit status.

    load(native, start): what is judged, and the introduction that the parent is sent.
    judge(case, what is judged, native): the answer to one case, without number and pid.
    """
    start = json.loads(_first_line(descriptor))["start"]
    try:
        native = loading.load_native(start["native"])
    except loading.Failed as failure:
        os.write(descriptor, (_line_of_failure(failure) + "\n").encode())
        return 0
    native.channel_open(descriptor)
    try:
        judged, introduced = load(native, start)
        native.send(json.dumps({"ready": introduced}))
    except loading.Failed as failure:
        native.send(_line_of_failure(failure))
        return 0
    except AdapterFault as fault:
        native.send(_line_of_failure(loading.Failed("adapter", f"{fault}; correct the adapter")))
        return 0
    # What the imports left behind lives until the end: the collections of the cases need not look at it.
    gc.collect()
    gc.freeze()
    _serve(native, lambda case: judge(case, judged, native))
    return 0


def _serve(native, judge):
    while True:
        line = native.receive()
        message = json.loads(line) if line else {"quit": True}
        if "quit" in message:
            return
        answer = {"n": message["case"]["n"], "pid": os.getpid()}
        answer.update(judge(message["case"]))
        native.send(json.dumps(answer))


def answer(out, judge):
    """The answers that judge() gave to the rules of `out`, and what it ended with."""
    try:
        judge()
    except Unsupported as reason:
        if len(out.rest()) == len(out.rules):
            return {"unsupported": str(reason)}
        out.unsupported(str(reason), *out.rest())
    except AdapterFault as fault:
        return {"adapter_fault": str(fault)}
    except BaseException as error:  # ours: libraries' exceptions are caught where libraries are called
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{os.path.basename(place.filename)}:{place.lineno}"
        out.blocked(f"dlspec's worker failed in {where}: {wording.of_exception(error)}", *out.rest())
    return {"outcomes": out.complete()}


def order_of(spec):
    """The order of a case, as adapters are given it."""
    return types.SimpleNamespace(
        dtype=spec["dtype"],
        shape=tuple(spec["shape"]),
        strides=None if spec["strides"] is None else tuple(spec["strides"]),
        offset=spec["offset"],
        readonly=spec["readonly"],
        device=tuple(spec["device"]),
        bytes=bytes.fromhex(spec["bytes"]),
    )


def introduction(library):
    """What the parent is told of a library that was loaded."""
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
