"""History rows of one agent, written from the simulation's state of it."""

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from app.systems.transactional_replication.lab.replication import AgentState
from app.systems.transactional_replication.lab.scenario import HistoryConstants

# An agent adds a row at most this often while it delivers; in between it overwrites the newest (updateable_row).
ROW_EVERY_S: Final = 5.0
STATISTICS_EVERY_S: Final = 300.0  # Microsoft KB2892631

_GERMAN: Final = (
    ("Starting agent.", "Der Agent wird gestartet."),
    ("A stream failed; the agent was reset to single connection mode.", "Zurückgesetzt auf eine einzige Verbindung."),
    ("No replicated transactions are available.", "Es sind keine replizierten Transaktionen verfügbar."),
    ("The process was successfully stopped.", "Der Vorgang wurde erfolgreich beendet."),
    (
        "The process could not connect to Subscriber",
        "Der Prozess konnte keine Verbindung herstellen mit dem Abonnenten",
    ),
    (" transaction(s) with ", " Transaktion(en) mit "),
    (" command(s) were delivered.", " Befehl(en) wurden übermittelt."),
)
START, STOPPED, IN_PROGRESS, IDLE, RETRY = 1, 2, 3, 4, 5


@dataclass(slots=True)  # not frozen: one is made for each look at an agent, and freezing makes that slow
class HistoryRow:
    """One row; times in seconds of the virtual clock, totals of the session."""

    runstatus: int
    time_s: float
    transactions: int
    commands: int
    latency_ms: int
    comments: str


@dataclass(frozen=True)
class PastSession:
    """A session's start, in seconds of the virtual clock, and its rows."""

    start_s: float
    rows: tuple[HistoryRow, ...]


class AgentHistory:
    """The rows of one agent's newest session, those of the sessions before, and its newest statistics row.

    Args:
        rhythm: how often it writes; None for each batch it commits.
        is_german: its messages are, as at a Distributor of that language.
        unreached: name of the Subscriber it cannot connect to, "" where it can.
    """

    def __init__(self, rhythm: HistoryConstants | None = None, *, is_german: bool = False, unreached: str = "") -> None:
        self._rhythm, self._unreached = rhythm, unreached
        self._is_german = is_german
        self._written = (0, 0.0)
        self.session_start_s: float | None = None
        self.rows: list[HistoryRow] = []
        self._past: list[PastSession] = []
        self.statistics: tuple[float, str] | None = None
        self._earlier_commands = 0
        self._earlier_transactions = 0
        self._is_closed = False
        self.has_crashed = False
        self._seen_s = -1.0
        self._idle_s: float | None = None
        self._fallbacks = 0
        self._row_opened_s = 0.0
        self._is_row_open = False
        self._statistics_due_s = STATISTICS_EVERY_S
        self._since = (0, 0.0)
        self._totals = (0, 0)

    @property
    def sessions(self) -> tuple[PastSession, ...]:
        """All its sessions, oldest first."""
        newest = () if self.session_start_s is None else (PastSession(self.session_start_s, tuple(self.rows)),)
        return (*self._past, *newest)

    @property
    def total_commands(self) -> int:
        """Commands delivered in all sessions."""
        return self._earlier_commands + (self.rows[-1].commands if self.rows else 0)

    def position(self, row: HistoryRow) -> int:
        """Return how many transactions had passed the agent by a row, in all sessions: the log's position."""
        return self._earlier_transactions + row.transactions

    @property
    def is_over(self) -> bool:
        """Whether its newest session has ended."""
        return self._is_closed

    def observe(self, state: AgentState, now_s: float) -> None:
        """Write the rows for the events since the last look."""
        if state.session_start_s is None:
            return
        if state.session_start_s != self.session_start_s:
            self._begin(state.session_start_s)
            self._append(START, state.session_start_s, "Starting agent.")
            if self._unreached:
                said = f"The process could not connect to Subscriber '{self._unreached}'."
                self._append(RETRY, state.session_start_s, said)
        if self._is_closed:
            return
        self._write_deliveries(state)
        if state.fallbacks > self._fallbacks:
            self._fallbacks = state.fallbacks
            self._append(IN_PROGRESS, now_s, "A stream failed; the agent was reset to single connection mode.")
            self._is_row_open = False
        self._write_idle(state, now_s)
        if now_s >= self._statistics_due_s:
            self._write_statistics(state, now_s)
        if not state.running:
            self._close(state)

    def _begin(self, start_s: float) -> None:
        if self.session_start_s is not None:
            self._past.append(PastSession(self.session_start_s, tuple(self.rows)))
        self.session_start_s = start_s
        self._earlier_commands = self.total_commands
        self._earlier_transactions += self.rows[-1].transactions if self.rows else 0
        self.rows = []
        self.statistics = None
        self._is_closed = False
        self.has_crashed = False
        self._seen_s = -1.0
        self._idle_s = None
        self._fallbacks = 0
        self._row_opened_s = 0.0
        self._is_row_open = False
        self._statistics_due_s = start_s + STATISTICS_EVERY_S
        self._since = (0, 0.0)
        self._written = (0, start_s)
        self._totals = (0, 0)

    def _append(self, runstatus: int, time_s: float, comments: str) -> None:
        last = self.rows[-1] if self.rows else HistoryRow(0, 0.0, 0, 0, 0, "")
        transactions, commands = self._totals
        self.rows.append(
            replace(
                last,
                runstatus=runstatus,
                time_s=max(time_s, last.time_s),
                comments=self._said(comments),
                transactions=transactions,
                commands=commands,
            )
        )

    def _said(self, comments: str) -> str:
        """Return a message in the agent's language."""
        for english, german in _GERMAN if self._is_german else ():
            comments = comments.replace(english, german)
        return comments

    def _write_deliveries(self, state: AgentState) -> None:
        fresh = list(takewhile(lambda delivery: delivery[0] > self._seen_s, reversed(state.deliveries)))
        if not fresh:
            return
        self._seen_s = fresh[0][0]
        told: list[tuple[float, int, int, float, int, int]] = []
        transactions = int(state.delivered_transactions - sum([delivery[2] for delivery in fresh]))
        commands = int(state.delivered_commands - sum([delivery[1] for delivery in fresh]))
        for time_s, added, added_transactions, latency_s in reversed(fresh):
            transactions, commands = transactions + int(added_transactions), commands + int(added)
            if self._rhythm is None or self._is_told(self._rhythm, transactions, time_s):
                told.append((time_s, added, added_transactions, latency_s, transactions, commands))
        self._totals = transactions, commands
        is_new = False
        for number, (time_s, added, added_transactions, latency_s, transactions, commands) in enumerate(told, start=1):
            is_new |= self._begins_row(time_s)
            if number < len(told) and told[number][0] < self._row_opened_s + ROW_EVERY_S:
                continue  # the next batch overwrites this one's row
            row = HistoryRow(
                runstatus=IN_PROGRESS,
                time_s=time_s,
                transactions=transactions,
                commands=commands,
                latency_ms=round(latency_s * 1000),
                comments=self._said(f"{added_transactions} transaction(s) with {added} command(s) were delivered."),
            )
            self.rows[len(self.rows) - (not is_new) :] = [row]
            is_new = False

    def _is_told(self, rhythm: HistoryConstants, transactions: int, time_s: float) -> bool:
        """Tell whether a batch is told of in a row: after so many transactions, or so long."""
        (told, told_s), every = self._written, rhythm.transactions_per_history
        if not (0 < every <= transactions - told or time_s - told_s >= rhythm.message_interval_s):
            return False
        self._written = transactions, time_s
        return True

    def _begins_row(self, time_s: float) -> bool:
        """Begin a row with the commands delivered now, unless they go into the newest one; tell whether it did."""
        if self._is_row_open and time_s < self._row_opened_s + ROW_EVERY_S:
            return False
        self._row_opened_s = time_s
        self._is_row_open = True
        return True

    def _write_idle(self, state: AgentState, now_s: float) -> None:
        if state.idle_since_s is None or state.idle_since_s == self._idle_s:
            return
        self._idle_s = state.idle_since_s
        self._append(IDLE, state.idle_since_s, "No replicated transactions are available.")
        self._is_row_open = False
        self._write_statistics(state, now_s)

    def _close(self, state: AgentState) -> None:
        self._is_closed = True
        self._is_row_open = False
        if self.has_crashed:
            return  # nobody was left to write the last row
        # The simulation splits the whole session into these three.
        end_s = (state.session_start_s or 0.0) + state.reader_fetch_s + state.reader_wait_s + state.idle_s
        self._append(STOPPED, end_s, "The process was successfully stopped.")
        self._write_statistics(state, end_s)

    def _write_statistics(self, state: AgentState, now_s: float) -> None:
        self.statistics = (now_s, self._statistics_xml(state, now_s))
        self._since = (state.delivered_commands, now_s)
        self._statistics_due_s = now_s + STATISTICS_EVERY_S

    def _statistics_xml(self, state: AgentState, now_s: float) -> str:
        """Return the text of a statistics row, whole seconds as the agents write them (KB2892631)."""
        start_s = state.session_start_s or 0.0
        work_s = max(0.0, now_s - start_s - state.idle_s)
        commands_before, time_before = self._since
        elapsed_s = now_s - max(time_before, start_s)
        commands = state.delivered_commands - commands_before
        rate = commands / elapsed_s if elapsed_s > 0 else 0.0
        return (
            f'<stats state="1" work="{work_s:.0f}" idle="{state.idle_s:.0f}">'
            f'<reader fetch="{state.reader_fetch_s:.0f}" wait="{state.reader_wait_s:.0f}"/>'
            f'<writer write="{state.writer_write_s:.0f}" wait="{state.writer_wait_s:.0f}"/>'
            f'<sincelaststats elapsedtime="{elapsed_s:.0f}" cmds="{commands}" cmdspersec="{rate:.6f}"/></stats>'
        )
