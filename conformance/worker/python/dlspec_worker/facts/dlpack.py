"""What dlpack.h and the Python specification define: codes, flags, versions, names."""

NEWEST = (1, 3)
NEWEST_FIRST = ({"max_version": NEWEST}, {})  # how a consumer of today asks, and then one of 2021
NAMES = {"legacy": "dltensor", "versioned": "dltensor_versioned"}

HOST = 1  # kDLCPU
CPU = (HOST, 0)
NOBODY = (99, 0)  # a device type that dlpack.h does not define

READ_ONLY, IS_COPIED, PADDED = 1, 2, 4
FLAGS_DEFINED = READ_ONLY | IS_COPIED | PADDED

LARGEST_RANK = 64  # of a struct that dlspec reads

FP8 = frozenset(
    f"float8_{kind}" for kind in ("e3m4", "e4m3", "e4m3b11fnuz", "e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz", "e8m0fnu")
)
