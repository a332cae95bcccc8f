"""The server whose answer is awaited right now, so that whoever watches can name it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Asked:
    """Told by the threads that ask, read on any."""

    def __init__(self) -> None:
        self._by_thread: dict[int, str] = {}

    @contextmanager
    def asking(self, server: str) -> Iterator[None]:
        """Await the answer of a server as long as the context lasts; what asks inside it is part of it."""
        thread = threading.get_ident()
        if thread in self._by_thread:
            yield
            return
        self._by_thread[thread] = server
        try:
            yield
        finally:
            del self._by_thread[thread]

    @property
    def server(self) -> str:
        """The server that is asked the longest, "" while none is."""
        return next(iter(tuple(self._by_thread.values())), "")
