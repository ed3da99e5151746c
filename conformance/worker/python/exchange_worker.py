"""Exchanges arrays between two Python libraries, case by case, for the process at the other end of descriptor 3.

Started plainly by the interpreter that has both: `python exchange_worker.py`. Everything it needs beside the standard
library comes with the first message.
"""

import sys

# Libraries that start processes of their own may import this file again: then it does nothing.
if __name__ == "__main__":
    from dlspec_worker import exchanges

    sys.exit(exchanges.run(descriptor=3))
