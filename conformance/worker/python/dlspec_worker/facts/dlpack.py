"""What dlpack.h and the Python specification define: codes, flags, versions, names.

tables_test.py compares all of it with the tables of the vocabulary.
"""

NEWEST = (1, 3)
NEWEST_FIRST = ({"max_version": NEWEST}, {})  # how a consumer of today asks, and then one of 2021
NAMES = {"legacy": "dltensor", "versioned": "dltensor_versioned"}


class DeviceType:
    """The values of DLDeviceType that cases name; plain ints, because they are printed in observations."""

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLROCM = 10
    kDLROCMHost = 11
    kDLExtDev = 12
    kDLCUDAManaged = 13
    kDLWebGPU = 15
    kDLHexagon = 16


HOST = DeviceType.kDLCPU
CPU = (HOST, 0)
HEXAGON = (DeviceType.kDLHexagon, 0)  # a device type that no library for Python reads
VPI = (DeviceType.kDLVPI, 0)  # of every dlpack.h since 0.2, and refused by whoever has no such device
NOBODY = (99, 0)  # no release defines this device type


class DtypeCode:
    """The values of DLDataTypeCode that cases name."""

    kDLBool = 6
    kDLFloat6_e2m3fn = 15
    kDLFloat6_e3m2fn = 16
    kDLFloat4_e2m1fn = 17


UNDEFINED_CODE = 200

READ_ONLY, IS_COPIED, PADDED = 1, 2, 4
FLAGS_DEFINED = READ_ONLY | IS_COPIED | PADDED

LARGEST_RANK = 64  # dlspec's own limit: extents beyond it are not read

_FP8_KINDS = ("e3m4", "e4m3", "e4m3b11fnuz", "e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz", "e8m0fnu")
FP8_CODES = {f"float8_{kind}": code for code, kind in enumerate(_FP8_KINDS, 7)}
FP8 = frozenset(FP8_CODES)
HALF_PAIRS = frozenset(("complex32", "bcomplex32"))  # complex numbers of 32 bits, in two encodings


def is_pair(given):
    """True for the form of a device and of a version: a tuple of two integers."""
    return isinstance(given, tuple) and len(given) == 2 and all(isinstance(number, int) for number in given)
