"""Connections by server, database and thread; what happens when they break, and cancelling from another thread."""

import contextlib
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Never

import pytest

from app.domain.errors import LoginFailed
from app.domain.setting import Value
from app.domain.statement import Access
from app.drivers.sqlserver.bound_text import bound_text
from app.drivers.sqlserver.catalogue import Statement, catalogue
from app.drivers.sqlserver.errors import ConnectError, ServerNotReached, SqlError, is_lost
from app.drivers.sqlserver.odbc.transport import Deadlines, OdbcTransport
from app.drivers.sqlserver.session import Place
from app.foundation.worker import LEFT_BEHIND, Signal, has_left_threads
from tests.patience import PATIENCE_S, PAUSE_S
from tests.unit.targets.sqlserver.odbc.fakes import DriverFailure, FakeConnection, FakeLibrary, ResultSets

READING = catalogue()["round_trip"]
CHANGING = catalogue()["start_job"]
JOB: dict[str, Value] = {"job_id": "921B1BE1-72BB-59AE-8D96-C12DA98BAB26"}
HERE, THERE = Place("DIST1", "msdb"), Place("PUB1", "master")


def one(_text: str, _values: tuple[object, ...]) -> ResultSets:
    """Answer with a single 1."""
    return [(["one"], [[1]])]


def opened(
    answer: Callable[[str, tuple[object, ...]], ResultSets] = one, cancel_patience_s: float = 0.0
) -> tuple[OdbcTransport, FakeLibrary]:
    """Return a transport over a scripted library."""
    library = FakeLibrary(answer)
    transport = OdbcTransport(
        library,
        lambda place: library.connect(f"{place.server}/{place.database}", 1, 1),
        "DIST1",
        cancel_patience_s=cancel_patience_s,
    )
    return transport, library


class Losing:
    """Breaks the connection at the calls whose numbers are given, 1 for the first."""

    def __init__(self, *calls: int) -> None:
        self._calls = calls
        self.count = 0

    def __call__(self, text: str, values: tuple[object, ...]) -> ResultSets:
        """Answer, or break."""
        self.count += 1
        if self.count in self._calls:
            raise DriverFailure(0, "Communication link failure", "08S01")
        return one(text, values)


def test_a_connection_for_each_server_database_and_thread() -> None:
    """A second statement to the same place uses the same connection; another place or thread has its own."""
    transport, library = opened()
    for place in (HERE, HERE, THERE, Place("DIST1", "master")):
        assert transport.send(READING, place, {}) == ((1,),)
    assert [made.text for made in library.made] == ["DIST1/msdb", "PUB1/master", "DIST1/master"]
    other = threading.Thread(target=lambda: transport.send(READING, HERE, {}))
    other.start()
    other.join()
    assert len(library.made) == 4
    transport.send(CHANGING, HERE, JOB)
    assert [made.text for made in library.made[4:]] == ["DIST1/msdb"], (
        "so that the other one's counters tell of reading"
    )
    transport.close()
    assert all(made.is_closed for made in library.made)


def test_values_travel_beside_the_text() -> None:
    """The batch is the catalogued one, whatever the value; values come in the order of their placeholders."""
    transport, library = opened()
    evil: dict[str, Value] = {"publisher": "P'; DROP TABLE x --", "publisher_db": "]b😀", "agent_id": 3}
    statement = catalogue()["command_bytes"]
    with pytest.raises(SqlError, match="columns"):
        transport.send(statement, HERE, evil)
    assert library.sent == [(bound_text(statement), ("P'; DROP TABLE x --", "]b😀", 3))]


def test_a_name_longer_than_a_server_has_is_refused_unsent() -> None:
    """The server would cut it off silently, and use another object's name."""
    transport, library = opened()
    names: dict[str, Value] = {"publisher": "x" * 129, "publisher_db": "b", "agent_id": 3}
    with pytest.raises(SqlError, match="too long"):
        transport.send(catalogue()["command_bytes"], HERE, names)
    assert library.sent == []


def test_a_reading_statement_is_repeated_once_over_a_new_connection() -> None:
    """What was found dead at its next use is connected again, and nobody notices."""
    transport, library = opened(Losing(2))
    transport.send(READING, HERE, {})
    assert transport.send(READING, HERE, {}) == ((1,),)
    assert len(library.made) == 2
    assert library.made[0].is_closed


def test_rows_that_move_under_a_reading_without_shared_locks_are_read_again() -> None:
    """The server gives such a reading up by itself (601); its connection is as good as before. Once, not for ever."""
    answers = iter([601, 0, 601, 601])

    def moving(text: str, values: tuple[object, ...]) -> ResultSets:
        if number := next(answers):
            raise DriverFailure(number, "Could not continue scan with NOLOCK due to data movement.", "42000")
        return one(text, values)

    transport, library = opened(moving)
    assert transport.send(READING, HERE, {}) == ((1,),)
    with pytest.raises(SqlError, match="data movement"):
        transport.send(READING, HERE, {})
    assert len(library.made) == 1


def test_a_reading_statement_is_not_repeated_twice() -> None:
    """A server that breaks each connection is told as lost."""
    transport, library = opened(Losing(2, 3))
    transport.send(READING, HERE, {})
    with pytest.raises(SqlError, match="link failure"):
        transport.send(READING, HERE, {})
    assert len(library.sent) == 3


@pytest.mark.parametrize("broken_at", [1, 2])
def test_a_changing_statement_is_never_repeated(broken_at: int) -> None:
    """It may have run: the loss is told, and only the next statement connects again."""
    transport, library = opened(Losing(broken_at))
    for _number in range(broken_at - 1):
        transport.send(CHANGING, HERE, JOB)
    with pytest.raises(SqlError, match="link failure"):
        transport.send(CHANGING, HERE, JOB)
    assert len(library.sent) == broken_at
    assert transport.send(CHANGING, HERE, JOB) == ()
    assert len(library.made) == 2


def test_a_loss_gives_up_every_connection() -> None:
    """A change sent to another server after a loss goes over a new connection, not over one that broke unnoticed."""
    transport, library = opened(Losing(3))
    transport.send(CHANGING, THERE, JOB)
    transport.send(CHANGING, HERE, JOB)
    with pytest.raises(SqlError):
        transport.send(CHANGING, HERE, JOB)
    transport.send(CHANGING, THERE, JOB)
    assert [made.text for made in library.made] == ["PUB1/master", "DIST1/msdb", "PUB1/master"]
    assert [made.is_closed for made in library.made] == [True, True, False]


@pytest.mark.parametrize(("number", "state"), [(1205, "40001"), (229, "42000"), (0, "HY008"), (1222, "HYT00")])
def test_other_errors_keep_the_connection(number: int, state: str) -> None:
    """Deadlock, permission, a lock waited for too long and a cancel nobody asked for leave it; nothing is repeated."""

    def answer(_text: str, _values: tuple[object, ...]) -> ResultSets:
        raise DriverFailure(number, "no", state)

    transport, library = opened(answer)
    for _number in range(2):
        with pytest.raises(SqlError) as caught:
            transport.send(READING, HERE, {})
        assert (caught.value.number, caught.value.state) == (number, state)
    assert len(library.made) == 1
    assert len(library.sent) == 2


def test_a_driver_s_own_limit_gives_up_every_connection() -> None:
    """Its line may be silent, as the others then are: the next statement is sent over a new one, this one not again."""

    def answer(_text: str, _values: tuple[object, ...]) -> ResultSets:
        raise DriverFailure(0, "no", "HYT00")

    transport, library = opened(answer)
    for _number in range(2):
        with pytest.raises(SqlError):
            transport.send(READING, HERE, {})
    assert len(library.made) == len(library.sent) == 2
    assert transport.count_losses() == 2


class Running:
    """A statement in another thread, which goes on until it is let go or its driver is told to cancel it.

    Attributes:
        error: what it raised, once it has ended.
    """

    def __init__(self, cancel_patience_s: float, ending: DriverFailure | None = None) -> None:
        self.error: SqlError | None = None
        self._begun, self._go_on = threading.Event(), threading.Event()
        self._ending = ending
        self.transport, self.library = opened(self._answer, cancel_patience_s)
        self.library.on_cancel = self._go_on.set
        self._worker = threading.Thread(target=self._send)
        self._worker.start()
        assert self._begun.wait(PATIENCE_S)

    def _answer(self, text: str, values: tuple[object, ...]) -> ResultSets:
        self._begun.set()
        assert self._go_on.wait(PATIENCE_S)
        if self._ending is not None:
            raise self._ending
        return one(text, values)

    def _send(self) -> None:
        try:
            self.transport.send(READING, HERE, {})
        except SqlError as error:
            self.error = error

    def end(self) -> None:
        """Let it go on to its end."""
        self._go_on.set()
        self.wait()

    def wait(self) -> None:
        """Wait until it has ended."""
        self._worker.join(PATIENCE_S)
        assert not self._worker.is_alive()


def test_cancel_reaches_what_runs_in_another_thread_and_nothing_else() -> None:
    """A cancel without anything running does nothing; one while a statement runs reaches its cursor, once."""
    running = Running(0.0)
    running.transport.cancel()
    running.wait()
    assert len(running.library.cancelled) == 1
    running.transport.cancel()
    assert running.transport.send(READING, HERE, {}) == ((1,),)
    assert len(running.library.cancelled) == 1


def test_a_driver_is_not_told_while_it_may_still_send() -> None:
    """A statement that ends within the patience ends by itself, and is cancelled all the same."""
    running = Running(3600.0)
    running.transport.cancel()
    running.transport.cancel()
    running.end()
    assert running.library.cancelled == []
    assert running.error is not None
    assert running.error.state == "HY008"


@pytest.mark.parametrize(
    "ending",
    [
        None,
        DriverFailure(0, "Function sequence error", "HY010"),
        DriverFailure(0, "Communication link failure", "08S01"),
    ],
    ids=["as if it had no more rows", "confused", "lost"],
)
def test_what_a_cancelled_statement_returned_is_not_believed(ending: DriverFailure | None) -> None:
    """However a driver ends it, it was cancelled: not sent again, and its connection is not used again."""
    running = Running(0.0, ending)
    running.transport.cancel()
    running.wait()
    assert running.error is not None
    assert running.error.state == "HY008"
    assert len(running.library.sent) == 1
    assert running.library.made[0].is_closed
    running.library.answer = one
    assert running.transport.send(READING, HERE, {}) == ((1,),)
    assert len(running.library.made) == 2


@pytest.mark.parametrize(
    ("ending", "losses"),
    [
        (DriverFailure(0, "Operation canceled", "HY008"), 0),
        (DriverFailure(0, "Query timeout expired", "HYT00"), 1),
        (DriverFailure(0, "Communication link failure", "08S01"), 1),
    ],
    ids=["heard", "unheard until the limit", "lost"],
)
def test_a_cancel_that_nobody_answers_gives_up_every_connection(ending: DriverFailure, losses: int) -> None:
    """The line may be silent: undoing the changes waits for no other connection over it, until its own limit is over.

    A server that answers a cancel is still there, and so are the others.
    """
    running = Running(0.0, ending)
    running.transport.cancel()
    running.wait()
    assert running.error is not None
    assert running.error.state == "HY008"
    assert running.transport.count_losses() == losses


def test_a_connection_is_never_closed_under_a_running_statement() -> None:
    """Closing everything from another thread waits with a connection in use until its statement has ended."""
    running = Running(3600.0)
    running.transport.close()
    assert not running.library.made[0].is_closed
    running.end()
    assert running.library.made[0].is_closed


def test_access_decides_not_the_text() -> None:
    """The header's own word is what makes a statement repeatable."""
    transport, library = opened(Losing(2))
    statement: Statement = replace(READING, access=Access.CHANGE)
    transport.send(statement, HERE, {})
    with pytest.raises(SqlError):
        transport.send(statement, HERE, {})
    assert len(library.sent) == 2


def test_a_server_that_lets_wait_is_not_waited_for_again_at_once() -> None:
    """Statements in a row cost one wait; a little later, and at another server, it is a new try."""
    now_s, tried = [0.0], []

    def wait_in_vain(place: Place) -> Never:
        tried.append(place.server)
        now_s[0] += 15.0
        raise ConnectError(ServerNotReached, f"{place.server} does not answer", SqlError(0, "timeout", "HYT00"))

    transport = OdbcTransport(FakeLibrary(one), wait_in_vain, "DIST1", lambda: now_s[0])
    for place in (HERE, HERE, THERE, Place("DIST1", "master")):
        with pytest.raises(ConnectError, match="timeout") as caught:
            transport.send(READING, place, {})
        assert caught.value.sentence == f"{place.server} does not answer"
        if place == THERE:
            now_s[0] += 3.0
    assert tried == ["DIST1", "PUB1", "DIST1"]
    now_s[0] += 1.0
    with pytest.raises(ConnectError):
        transport.send(READING, HERE, {})
    assert len(tried) == 3


def test_a_server_that_refuses_at_once_is_asked_again_at_once() -> None:
    """What was restarted in between is found."""
    library, refused = FakeLibrary(one), [True]

    def connect(place: Place) -> object:
        if refused.pop():
            refused.append(False)
            raise ConnectError(ServerNotReached, "nothing listens", SqlError(0, "refused", "08001"))
        return library.connect(place.server, 1, 1)

    transport = OdbcTransport(library, connect, "DIST1", lambda: 7.0)
    with pytest.raises(ConnectError):
        transport.send(READING, HERE, {})
    assert transport.send(READING, HERE, {}) == ((1,),)


def test_a_statement_with_a_limit_of_its_own_is_given_it() -> None:
    """What may rightly take long tells its library so; of any other the connection's limit holds."""
    transport, library = opened()
    transport.send(READING, HERE, {})
    transport.send(replace(READING, limit_s=900), HERE, {})
    transport.send(READING, HERE, {})
    assert library.limits_s == [0, 900, 0]


class SilentLine:
    """A driver that never returns from chosen calls, and waiting that takes no time.

    Attributes:
        waited_s: how long was waited for calls that did not end, by the clock of this test.
    """

    def __init__(self, *silent: int) -> None:
        self.waited_s: list[float] = []
        self.begun, self.let_go = threading.Event(), threading.Event()
        self._silent = silent
        self._calls = 0
        self.library = FakeLibrary(self._answer)
        self.transport = OdbcTransport(
            self.library,
            lambda place: self.library.connect(f"{place.server}/{place.database}", 1, 1),
            "DIST1",
            cancel_patience_s=0.0,
            deadlines=Deadlines(statement_s=2.0, grace_s=5.0, hurry_s=3.0, wait=self._wait),
        )

    def _answer(self, text: str, values: tuple[object, ...]) -> ResultSets:
        self._calls += 1
        if self._calls in self._silent:
            self.begun.set()
            assert self.let_go.wait(PATIENCE_S)
        return one(text, values)

    def _wait(self, event: Signal, seconds: float) -> bool:
        """Wait for what comes; the time of a call that hangs passes at once."""
        while not event.wait(PAUSE_S):
            if self.begun.is_set():
                self.waited_s.append(seconds)
                return False
        return True


@pytest.mark.parametrize("statement", [READING, CHANGING], ids=["reading", "changing"])
def test_past_its_deadline_a_statement_is_left_behind_and_the_next_goes_over_a_new_connection(
    statement: Statement,
) -> None:
    """The driver's limit and the grace, once; it is told as lost, not repeated, and what follows waits for nothing."""
    line = SilentLine(2)
    line.transport.send(READING, THERE, {})
    with pytest.raises(SqlError, match="no answer within 7 s") as caught:
        line.transport.send(statement, HERE, JOB if statement is CHANGING else {})
    assert is_lost(caught.value)
    assert line.waited_s == [7.0]
    assert len(line.library.sent) == 2
    assert has_left_threads()
    line.begun.clear()
    assert line.transport.send(READING, HERE, {}) == ((1,),)
    assert line.waited_s == [7.0]
    assert [made.text for made in line.library.made] == ["PUB1/master", "DIST1/msdb", "DIST1/msdb"]
    assert line.transport.count_losses() == 1
    left = [thread for thread in threading.enumerate() if thread.name == LEFT_BEHIND]
    line.let_go.set()
    for thread in left:
        thread.join(PATIENCE_S)
    assert not has_left_threads()
    assert line.library.made[1].is_closed


def test_a_cancelled_statement_is_waited_for_only_a_little() -> None:
    """A driver that ignores the cancel is left behind; it is told as cancelled, and what follows runs."""
    hurried, go_on = threading.Event(), threading.Event()
    waited_s: list[float] = []
    begun = threading.Event()

    def wait(event: Signal, seconds: float) -> bool:
        if seconds == 3.0:  # the rest a cancelled statement has
            waited_s.append(seconds)
            return False
        return event.wait(PATIENCE_S)

    def answer(text: str, values: tuple[object, ...]) -> ResultSets:
        if not begun.is_set():
            begun.set()
            assert go_on.wait(PATIENCE_S)
        return one(text, values)

    library = FakeLibrary(answer)
    transport = OdbcTransport(
        library,
        lambda place: library.connect(place.server, 1, 1),
        "DIST1",
        cancel_patience_s=0.0,
        deadlines=Deadlines(statement_s=3600.0, hurry_s=3.0, wait=wait),
    )
    states: list[str] = []

    def send() -> None:
        try:
            transport.send(CHANGING, HERE, JOB)
        except SqlError as error:
            states.append(error.state)
        hurried.set()

    threading.Thread(target=send, daemon=True).start()
    assert begun.wait(PATIENCE_S)
    transport.cancel()
    assert hurried.wait(PATIENCE_S)
    assert states == ["HY008"]
    assert waited_s == [3.0]
    assert transport.send(READING, HERE, {}) == ((1,),)
    go_on.set()


def test_the_limits_a_target_names_are_those_our_own_deadline_is_made_of() -> None:
    """A limit in the wrong place would leave the deadline at the usual two minutes."""
    made = Deadlines(statement_s=2.0, login_s=3.0)
    assert made.of(catalogue()["distributor_sample"]) == 2.0 + made.grace_s
    assert made.connecting_s == 2 * 3.0 + made.grace_s
    with pytest.raises(TypeError):
        Deadlines(2.0, 3.0)  # type: ignore[call-arg]  # by name only: the first ones are how long a driver is waited for


@pytest.mark.parametrize("number", [18456, 18470, 18486, 18487, 0])
def test_a_refused_login_is_not_asked_again(number: int) -> None:
    """A password that stopped working is tried once, whatever is wanted afterwards, by whom and in which database."""
    asked: list[Place] = []

    def refuse(place: Place) -> Never:
        asked.append(place)
        raise ConnectError(LoginFailed, f"{place.server} refused", SqlError(number, "Login failed.", "28000"))

    transport = OdbcTransport(FakeLibrary(one), refuse, "DIST1")

    def want(statement: Statement, place: Place, parameters: dict[str, Value]) -> None:
        with pytest.raises(ConnectError, match="Login failed"):
            transport.send(statement, place, parameters)

    def want_all() -> None:
        for database in ("master", "msdb"):
            want(READING, Place("DIST1", database), {})
            want(CHANGING, Place("DIST1", database), JOB)

    others = [threading.Thread(target=want_all) for _number in range(3)]
    for other in others:
        other.start()
    want_all()
    for other in others:
        other.join()
    assert len(asked) == 1
    want(READING, THERE, {})
    assert asked[1:] == [THERE], "another server has logins of its own"


@pytest.mark.parametrize("number", [18451, 18461])
def test_a_login_that_is_kept_out_for_a_while_is_asked_again(number: int) -> None:
    """A server that starts, or works for one person only, says nothing of user and password."""
    asked: list[Place] = []

    def refuse(place: Place) -> Never:
        asked.append(place)
        raise ConnectError(LoginFailed, "wait", SqlError(number, "Not now.", "28000"))

    transport = OdbcTransport(FakeLibrary(one), refuse, "DIST1")
    for _time in range(2):
        with pytest.raises(ConnectError):
            transport.send(READING, HERE, {})
    assert len(asked) == 2


@pytest.mark.parametrize("state", ["IMC06", "IMC01", "HY000", "HYC42", ""])
@pytest.mark.parametrize("statement", [READING, CHANGING], ids=["reading", "changing"])
def test_a_connection_whose_state_nobody_knows_is_given_up(statement: Statement, state: str) -> None:
    """Neither the server's number nor a state that says what it is: the next statement has a new connection."""
    parameters = JOB if statement is CHANGING else {}
    transport, library = opened()
    transport.send(statement, HERE, parameters)
    library.answer = failing_on(library.made[0], state)
    with contextlib.suppress(SqlError):
        transport.send(statement, HERE, parameters)
    assert library.made[0].is_closed
    transport.send(statement, HERE, parameters)
    assert len(library.made) == 2


def failing_on(broken: FakeConnection, state: str) -> Callable[[str, tuple[object, ...]], ResultSets]:
    """Answer each connection but a broken one, which says the same for ever."""

    def answer(text: str, values: tuple[object, ...]) -> ResultSets:
        if not broken.is_closed:
            raise DriverFailure(0, "Verbindung unterbrochen.", state)
        return one(text, values)

    return answer


def test_each_connection_that_changes_something_is_marked_before_its_first_change() -> None:
    """The server tells by it when all that was sent over it is over; one that cannot be marked changes nothing."""
    marked: list[str] = []
    library = FakeLibrary(one)

    def mark(connection: FakeConnection, place: Place) -> None:
        if place == THERE:
            raise SqlError(1222, "Lock request time out period exceeded.", "42000")
        marked.append(connection.text)

    def connect(place: Place) -> FakeConnection:
        return library.connect(f"{place.server}/{place.database}", 1, 1)

    transport = OdbcTransport(library, connect, "DIST1", mark=mark)
    transport.send(READING, HERE, {})
    assert marked == []
    for _time in range(2):
        transport.send(CHANGING, HERE, JOB)
    assert marked == ["DIST1/msdb"]
    sent = len(library.sent)
    with pytest.raises(SqlError, match="time out"):
        transport.send(CHANGING, THERE, JOB)
    assert len(library.sent) == sent
    transport.end_changing("DIST1")
    assert [made.is_closed for made in library.made[:2]] == [False, True], "a reading one goes on"
    transport.close()
