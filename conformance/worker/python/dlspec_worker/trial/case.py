"""One case: its order, what the function of its variant is given, and the answer to the parent."""

import copy
import os
import traceback
import types

from dlspec_worker.facts import wording
from dlspec_worker.trial.outcomes import AdapterFault, Outcomes, Unsupported


class Trial:
    """What the function of a variant is given."""

    def __init__(self, case, order, library, native):
        self.variant = case["variant"]
        self.layout = case["layout"]
        self.sequences = case.get("sequences", [])
        self.orders = case.get("orders", {})  # of the arrays that the sequences make
        self.journal = case.get("journal", "")  # path of a shared page
        self.drawn = case.get("drawn", False)  # no other case has an array of this layout
        self.only_witness = case.get("only_witness", False)  # nothing was found by the cases that are left to report it
        self.alone = case.get("alone", False)  # the first case of this worker
        self.report = None  # of the sequences
        self.table_calls = []  # functions of an exchange table that the consumer called, in order
        self.request = {}  # keywords of every call of __dlpack__ that does not say otherwise
        self.channel = None  # in the place of __dlpack__, on paths through an exchange table
        self.brief = False  # few rounds, where a finding is tried again with many
        self.sources = {}  # what every source is like that does not say otherwise
        self.order = order
        # For a stimulus in other circumstances: its ordinary array, and the similar arrays that are cases of their own.
        self.plain = order_of(case["plain"]) if "plain" in case else None
        self.ordinary = case.get("ordinary", ())
        self.library = library
        self.native = native
        self.out = Outcomes(case["rules"], library.standard, native)

    def again(self, order):
        """The same case with this order, and with none of its rules answered."""
        other = copy.copy(self)
        other.order = order
        other.out = self.out.fresh()
        return other


def answer(out, judge):
    """The answers that judge() gave to the rules of `out`, or the reason why there are none."""
    try:
        judge()
    except Unsupported as reason:
        if len(out.rest()) == len(out.rules):
            return {"unsupported": str(reason)}
        out.unsupported(str(reason), *out.rest())
    except AdapterFault as fault:
        return {"adapter_fault": str(fault)}
    except BaseException as error:  # a bug of dlspec: exceptions of libraries are caught where libraries are called
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
