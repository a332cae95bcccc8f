"""Tests, and what they keep or measure, each of which may be started by itself and load numpy before the program."""

import app  # noqa: F401  # it says how many threads numbers are computed in, which numpy reads when it is loaded
