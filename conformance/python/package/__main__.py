"""python -m dlspec"""

from dlspec._command import main

main()
