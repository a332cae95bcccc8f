"""Replitune: finds the right replication settings by measuring them on the servers themselves."""

import os

# Before numpy and scipy are loaded, which read it then. Matrices here have some dozens of rows: further threads of
# OpenBLAS only wait for each other, which on busy processors takes 40 times the processor time, and their number would
# decide the last digits of what is computed (https://github.com/OpenMathLib/OpenBLAS/blob/develop/README.md).
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
