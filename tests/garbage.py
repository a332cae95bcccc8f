"""When garbage is collected in a process that has loaded all tests, or all of the program."""

import gc
from typing import Final

_THRESHOLDS: Final = (10_000, 20, 20)


def leave_loaded() -> None:
    """Take what is loaded out of later collections, here and in processes forked here, and have fewer of them.

    At Python's own thresholds a twentieth of the processor time of tests went into them.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
