"""Watches a site while its page is shown: a reading, a look, and readings again at a gentle rate."""

from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.domain.errors import StatementCancelled
from app.flows.shell.wizard import Choices
from app.flows.target.proposals import Sites
from app.flows.target.site_view import Worth, look_for_proposals
from app.services.look.discovering import Discovery
from app.services.look.watching import LiveReading, Watch
from app.services.program import Program
from app.services.target.answers import Answers
from app.ui.desk import Desk

T = TypeVar("T")

_PAUSE_AFTER_FAILURE_S: Final = 30.0


class SiteWatcher(QObject):
    """Reads one site at a time, in the background; readings of another one are dropped.

    Signals:
        reading_arrived: LiveReading.
        worth_arrived: Worth, once for each site.
        failed: the exception of a reading or of the look; readings go on.
    """

    reading_arrived = Signal(object)
    worth_arrived = Signal(object)
    failed = Signal(object)

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._discovery: Discovery | None = None
        self._choices = Choices()
        self._watch: Watch | None = None
        self._is_seen = False
        self._pause_s = _PAUSE_AFTER_FAILURE_S
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._read)
        self._answers: Answers | None = None

    @property
    def is_watching(self) -> bool:
        """Whether a connection is open, or being opened."""
        return self._watch is not None

    def watch(self, choices: Choices) -> None:
        """Watch the site of these choices; nothing new where it is watched already."""
        if choices.discovery is self._discovery and self._watch is not None:
            return
        self.stop()
        if choices.discovery is None:
            return
        self._is_seen = self._is_seen and choices.discovery is self._discovery
        self._choices, self._discovery = choices, choices.discovery
        self._begin(choices.discovery)
        self._read()

    def _begin(self, discovery: Discovery) -> None:
        self._answers = self._desk.servers.answers()
        self._watch = Watch(self._choices.target, discovery, self._answers.open, self._desk.preferences.lab_seed)

    def stop(self) -> None:
        """Watch no longer: the connection is closed in the background."""
        self._timer.stop()
        watch, self._watch = self._watch, None
        if watch is not None and self._answers is not None:
            self._desk.servers.leave(self._answers)
            self._desk.tasks.query(self._desk, watch.close, _ignore, self._desk.trouble.emit, asks_servers=True)

    @Slot()
    def _read(self) -> None:
        watch = self._watch
        if watch is not None:
            self._ask(watch, watch.read, self._on_read)

    def _ask(self, watch: Watch, work: Callable[[], T], on_done: Callable[[Watch, T], None]) -> None:
        """Ask over the connection of a watch, which counts from its last answer on."""
        done, failed = partial(on_done, watch), partial(self._on_failed, watch)
        self._desk.servers.query(self, lambda _open: work(), done, failed, answers=self._answers)

    def _on_read(self, watch: Watch, reading: LiveReading | None) -> None:
        if watch is not self._watch or reading is None:
            return
        self._pause_s = reading.pause_s
        self.reading_arrived.emit(reading)
        if self._is_seen:
            self._wait()
        else:
            self._look(watch)

    def _look(self, watch: Watch) -> None:
        discovery = self._discovery
        if discovery is not None:
            self._is_seen = True
            program, sites = self._desk.program, self._choices.sites
            work = partial(_look, program, watch, discovery, sites)
            self._ask(watch, work, self._on_seen)

    def _on_seen(self, watch: Watch, worth: Worth | None) -> None:
        if watch is self._watch and worth is not None:
            self.worth_arrived.emit(worth)
            self._wait()

    def _on_failed(self, watch: Watch, error: BaseException) -> None:
        if watch is not self._watch:
            return
        if isinstance(error, StatementCancelled) and self._discovery is not None:
            self.stop()  # nobody waits for this connection any more: the next reading makes another
            self._begin(self._discovery)
        self.failed.emit(error)
        self._wait()

    def _wait(self) -> None:
        self._timer.start(round(1000 * self._pause_s))


def _look(program: Program, watch: Watch, discovery: Discovery, sites: Sites) -> Worth | None:
    """Runs on a worker thread: rules and families are loaded here."""
    return look_for_proposals(watch, discovery, sites, program.families, program.advisor)


def _ignore(_answer: object) -> None:
    """A watch that was closed says nothing."""
