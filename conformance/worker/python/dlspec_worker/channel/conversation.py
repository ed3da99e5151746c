"""The conversation: one line in, one line out, until the parent says quit or goes away."""

import gc
import json
import os

from dlspec_worker.channel import loading
from dlspec_worker.facts import wording

_LETTERS = {"pass": "p", "not-applicable": "n"}


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
        native.send(_line_of({"ready": introduced}))
    except loading.Failed as failure:
        native.send(_line_of_failure(failure))
        return 0
    # Imported modules live until the end: frozen objects make the collections of the cases faster.
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
        answer.update(_with_letters(judge(message["case"]), message["case"]["rules"]))
        native.send(_line_of(answer))


def _with_letters(answer, rules):
    """Outcomes without a text, as most are, become a letter each, at the place of their rule: a tenth of the line."""
    outcomes = answer.get("outcomes")
    if outcomes is None:
        return answer
    letters = {rule: _LETTERS.get(each["outcome"]) for rule, each in outcomes.items() if len(each) == 1}
    rest = {rule: each for rule, each in outcomes.items() if letters.get(rule) is None}
    return {**answer, "letters": "".join([letters.get(rule) or "-" for rule in rules]), "outcomes": rest}


def _line_of_failure(failure):
    return _line_of({"failed": {"stage": failure.stage, "message": failure.message, "detail": failure.detail}})


def _line_of(message):
    """JSON for the parent, who reads UTF-8: json.dumps would spell half a surrogate pair as an escape."""
    return wording.whole(json.dumps(message, ensure_ascii=False))


def _first_line(descriptor):
    # Byte by byte, because what follows the first line is read by the extension.
    line = bytearray()
    while not line.endswith(b"\n"):
        byte = os.read(descriptor, 1)
        if not byte:
            break
        line += byte
    return line
