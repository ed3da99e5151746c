"""Cases of sequences, and what the worker says of them: shared by the tests of sequences."""

import testing
from dlspec_worker import main
from dlspec_worker.sequence import findings

native = testing.load_native()
TWO_EXPORTS = "make a0 c float32 library; export e0 a0 versioned; export e1 a0 versioned; "


def case_of(*sequences, journal=""):
    orders = {}
    for layout in ("c", "strided", "readonly", "scalar", "fortran"):
        for dtype in ("float32", "int16", "uint8"):
            orders[f"{layout} {dtype}"] = testing.make_case("producer", "plain", layout, dtype, ["x"])["spec"]
    case = testing.make_case("producer", "sequence=1", only=list(findings.ALLOWED))
    return {**case, "sequences": list(sequences), "orders": orders, "journal": journal}


def judge(library, *sequences, **more):
    return main.judge(case_of(*sequences, **more), library, native)


def report(library, *sequences):
    return judge(library, *sequences)["sequence"]
