"""One thread that owns the read-write connection of a file; everybody else hands it work."""

import functools
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from app.store.connection import atomic

T = TypeVar("T")

_Job = tuple[Callable[[sqlite3.Connection], Any], Callable[[], None] | None, bool, "Future[Any]"]


class WriterThread:
    """Runs functions of a connection one after the other, each in a transaction of its own.

    A commit marked durable is on disk (`synchronous=FULL`) when its future is done. One that is not marked survives the
    death of the program, and the next durable commit takes it to disk too, because both are in one write-ahead log.
    """

    def __init__(
        self,
        open_connection: Callable[[], sqlite3.Connection],
        close_connection: Callable[[sqlite3.Connection], None],
        keep: Callable[[sqlite3.Connection], sqlite3.Connection] = lambda connection: connection,
    ) -> None:
        """Start the thread and wait until its connection is open.

        Args:
            open_connection: called on the thread; whatever it raises is raised here.
            close_connection: called on the thread, after the last work.
            keep: called on the thread before each work and at the end, with the connection there is; returns the one to
                use from then on. What it raises undoes that work.
        """
        self._keep = keep
        self._open_connection = open_connection
        self._close_connection = close_connection
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._state_lock = threading.Lock()
        self._is_closed = False
        started: Future[None] = Future()
        self._ended: Future[None] = Future()
        # A daemon: a program that dies without closing must not hang on this thread.
        self._thread = threading.Thread(target=self._live, args=(started,), name="store-writer", daemon=True)
        self._thread.start()
        started.result()

    def submit(
        self,
        work: Callable[[sqlite3.Connection], T],
        *,
        durable: bool = True,
        committed: Callable[[], None] | None = None,
    ) -> "Future[T]":
        """Queue a function of the connection; its future gets the result, or the exception that undid it.

        Args:
            work: called on the writer's thread, in a transaction.
            durable: whether it must be on disk when the future is done.
            committed: called on the writer's thread once the transaction holds, and only then: what the caller
                remembers of it stays true also where the caller is interrupted while it waits.
        """
        if threading.current_thread() is self._thread:
            raise RuntimeError("work handed over from the writer's own thread would wait for itself")
        future: Future[T] = Future()
        with self._state_lock:
            if self._is_closed:
                raise RuntimeError("the file is closed")
            self._jobs.put((work, committed, durable, future))
        return future

    def run(
        self,
        work: Callable[[sqlite3.Connection], T],
        *,
        durable: bool = True,
        committed: Callable[[], None] | None = None,
    ) -> T:
        """Queue a function as `submit` does, wait for it and return its result, or raise the error that ended it."""
        return self.submit(work, durable=durable, committed=committed).result()

    def close(self) -> None:
        """Finish all queued work, close the connection and end the thread; does nothing the second time."""
        with self._state_lock:
            if not self._is_closed:
                self._is_closed = True
                self._jobs.put(None)
        self._thread.join()
        self._ended.result()

    def _live(self, started: "Future[None]") -> None:
        try:
            connection = self._open_connection()
        except BaseException as error:  # noqa: BLE001 - delivered to the caller, who waits for it
            started.set_exception(error)
            return
        started.set_result(None)
        connections = [connection]
        try:
            self._work(connections)
        finally:
            settle(self._ended, lambda: self._end(connections))

    def _end(self, connections: list[sqlite3.Connection]) -> None:
        try:
            connections[0] = self._keep(connections[0])
        finally:
            self._close_connection(connections[0])

    def _work(self, connections: list[sqlite3.Connection]) -> None:
        is_durable: bool | None = None
        while (job := self._jobs.get()) is not None:
            work, committed, durable, future = job
            if not future.set_running_or_notify_cancel():
                continue
            try:
                kept = self._keep(connections[0])
            except BaseException as error:  # noqa: BLE001 - delivered to the caller, who waits for it
                future.set_exception(error)
                continue
            if durable is not is_durable or kept is not connections[0]:
                kept.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
                is_durable = durable
            connections[0] = kept
            settle(future, functools.partial(run_atomically, kept, work, committed))


def run_atomically(
    connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T], committed: Callable[[], None] | None
) -> T:
    """Do one piece of work in a transaction of its own, tell once it holds, and return its result."""
    with atomic(connection):
        result = work(connection)
    if committed is not None:
        committed()
    return result


def settle(future: "Future[T]", call: Callable[[], T]) -> None:
    """Complete a future with a call's result or error."""
    try:
        result = call()
    except BaseException as error:  # noqa: BLE001 - delivered to the caller, who waits for it
        future.set_exception(error)
    else:
        future.set_result(result)
