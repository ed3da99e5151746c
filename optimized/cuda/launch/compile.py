#!/usr/bin/env python3
"""compile.py LOG COMMAND...: runs a compiler and keeps what it says; prints that only if it fails."""

import subprocess
import sys

log, *command = sys.argv[1:]
done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
with open(log, "w", encoding="utf-8") as file:
    file.write(done.stdout)
if done.returncode:
    print(done.stdout)
sys.exit(done.returncode)
