"""array-api-strict 2.1: the own device is refused.

Exit status 1: the fault is there.
"""

import sys

import array_api_strict

array = array_api_strict.asarray([1.0, 2.0])
try:
    print("exported:", array.__dlpack__(dl_device=array.__dlpack_device__()))
except Exception as error:
    print(f"refused: {type(error).__name__}: {error}")
    sys.exit(1)
