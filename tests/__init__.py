"""Tests, and what they keep or measure, each of which may be started by itself and load numpy before the program."""

import os
import platform

import app  # noqa: F401  # it says how many threads numbers are computed in, which numpy reads when it is loaded

# Kept sessions come out alike on processors of all makes: OpenBLAS takes a kernel for each, whose last digits decide
# near ties (OPENBLAS_CORETYPE, https://github.com/OpenMathLib/OpenBLAS/blob/develop/README.md). This one needs AVX2.
if platform.machine() in {"x86_64", "AMD64"}:
    os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")
