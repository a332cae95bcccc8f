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


def processes(*preloaded: str) -> Any:
    """Return the means to start processes: forked from one that has loaded these modules, or each anew on Windows."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(preloaded))
    return context
