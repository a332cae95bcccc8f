"""What this computer lets a test do that another system does not."""

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest

IS_ROOT: Final = hasattr(os, "geteuid") and os.geteuid() == 0
"""Whether rights of files keep nobody out."""

forks: Final = pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows forks no process")
limits_files: Final = pytest.mark.skipif(os.name == "nt", reason="Windows limits no size of files (RLIMIT_FSIZE)")


@contextmanager
def full_disk() -> Iterator[None]:
    """Let no file of this process grow any more, as on a disk that is full; where files can be limited."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


_FORKED_FROM: Final = (
    "tests.e2e.posed_lab",
    "tests.prove.confined",
    "tests.prove.wire_session",
    # what they ask a lab, which else would load them anew for each question
    "tests.prove.wire_faults",
    "tests.prove.group_faults",
    "tests.prove.second_laptop",
    "tests.prove.dba_changes",
)
"""Modules of the process that others are forked from; a test run has one such process, and so one list."""


def processes() -> Any:
    """Return the means to start processes: forked from one that has loaded what they need, or each anew on Windows."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(_FORKED_FROM))
    return context
