"""Judges one Python library, case by case, for the process at the other end of descriptor 3.

Started plainly by the interpreter that has the library: `python worker.py`. Everything it needs beside the standard
library comes with the first message.
"""

import sys

# Libraries that start processes of their own may import this file again: then it does nothing.
if __name__ == "__main__":
    from dlspec_worker import main

    sys.exit(main.run(descriptor=3))
