"""The adapter of one odd subject: the role in DLSPEC_ODD_ROLE, the name of its row in DLSPEC_ODD_ROW."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(os.path.dirname(HERE)), "worker", "python")]

import rows  # noqa: E402

subject = rows.ROWS[os.environ["DLSPEC_ODD_ROLE"]][os.environ["DLSPEC_ODD_ROW"]]
OFFERED = "version make odd from_dlpack contents normalised write states mutate standard dtypes max_rank reader"
globals().update({name: getattr(subject, name) for name in OFFERED.split() if getattr(subject, name, None) is not None})
