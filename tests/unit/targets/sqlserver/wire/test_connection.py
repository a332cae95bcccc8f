"""A connection from its first byte to its last, spoken to byte by byte; whatever comes, the server survives it."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.drivers.sqlserver.bound_text import bound_text
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.lab.faults import FaultKind
from app.drivers.sqlserver.wire.packets import HEADER, LONGEST_MESSAGE_BYTES, PacketKind, frame, read_message
from app.drivers.sqlserver.wire.shared_lab import SharedLab
from app.drivers.sqlserver.wire.tokens import Change, Done
from app.lab.faults import Fault
from tests.unit.targets.sqlserver.wire.client import (
    HEADERS,
    PRELOGIN_PLAIN,
    Client,
    batch_payload,
    call_payload,
    connected,
    login_payload,
    make_lab,
    replication_of,
)

LAB = make_lab()
TIME = bound_text(catalogue()["server_time"])
PROBE = bound_text(catalogue()["transfer_probe"])


def ask_time(client: Client) -> None:
    """Fail unless the connection answers a statement."""
    reply = client.ask(PacketKind.BATCH, batch_payload(TIME))
    assert reply.columns == [("now_utc",)]
    assert reply.ends == [Done.COUNT]


def test_login_is_welcomed() -> None:
    """The answer names product, database, language, collation and packet size, and ends."""
    with connected(LAB) as client:
        reply = client.log_in()
        assert reply.is_welcome
        assert reply.errors == []
        assert set(reply.changes) == {Change.DATABASE, Change.LANGUAGE, Change.COLLATION, Change.PACKET_SIZE}
        assert reply.ends == [Done.FINAL]
        ask_time(client)


@pytest.mark.parametrize(
    ("user", "password", "database", "number"),
    [
        ("replitune", "wrong", "master", 18456),
        ("somebody", "lab", "master", 18456),
        ("replitune", "LAB", "master", 18456),
        ("replitune", "lab", "nowhere", 4060),
    ],
)
def test_wrong_login_is_refused(user: str, password: str, database: str, number: int) -> None:
    """Wrong user, password or database is one error, and the connection is closed; the password is not repeated."""
    with connected(LAB) as client:
        reply = client.log_in(user, password, database)
        assert [error for error, _text in reply.errors] == [number]
        assert "wrong" not in repr(reply.errors)
        assert not reply.is_welcome
        assert client.is_closed()


def test_too_old_a_client_is_refused() -> None:
    """A client of a protocol without request headers is told so."""
    with connected(LAB) as client:
        client.send(PacketKind.PRELOGIN, PRELOGIN_PLAIN)
        read_message(client.read_exactly)
        reply = client.ask(PacketKind.LOGIN, login_payload(version=0x71000001))
        assert [number for number, _text in reply.errors] == [17835]
        assert client.is_closed()


def test_statement_is_prepared_run_and_dropped() -> None:
    """A handle runs its statement until it is dropped; then it is unknown."""
    text = "DECLARE @bytes int = @P1;\n" + catalogue()["transfer_probe"].text
    with connected(LAB, server="SUB1") as client:
        client.log_in(database="Sales1Copy")
        handle = client.ask(PacketKind.RPC, call_payload(11, None, "@P1 int", text, 1)).handle
        assert handle is not None
        assert client.ask(PacketKind.RPC, call_payload(12, handle, 3)).sets == [[("xxx",)]]
        again = client.ask(PacketKind.RPC, call_payload(13, handle, "@P1 int", text, 4))
        assert again.sets == [[("xxxx",)]]
        assert client.ask(PacketKind.RPC, call_payload(12, handle, 3)).errors[0][0] == 8179
        assert again.handle is not None
        assert client.ask(PacketKind.RPC, call_payload(15, again.handle)).errors == []
        assert client.ask(PacketKind.RPC, call_payload("sp_executesql", text, "@P1 int", 2)).sets == [[("xx",)]]


def test_several_calls_are_answered_each() -> None:
    """Calls sent together have an answer each, the last one ends the reply; one that fails does not stop the others."""
    text = "DECLARE @bytes int = @P1;\n" + catalogue()["transfer_probe"].text
    first = call_payload("sp_executesql", text, "@P1 int", 1)
    wrong, last = call_payload("sp_who")[len(HEADERS) :], call_payload("sp_executesql", text, "@P1 int", 2)
    with connected(LAB, server="SUB1") as client:
        client.log_in(database="Sales1Copy")
        reply = client.ask(PacketKind.RPC, first + b"\xff" + wrong + b"\xff" + last[len(HEADERS) :])
        assert reply.sets == [[("x",)], [("xx",)]]
        assert [number for number, _text in reply.errors] == [2812]
        assert [bool(end & Done.MORE) for end in reply.ends] == [True, True, True, True, False]


def test_table_valued_parameter_is_refused_and_the_connection_goes_on() -> None:
    """A type no statement takes is an error, not the end."""
    with connected(LAB) as client:
        client.log_in()
        reply = client.ask(PacketKind.RPC, call_payload(12, 1) + b"\x00\x00\xf3\x00\x00\x00")
        assert [number for number, _text in reply.errors] == [8009]
        ask_time(client)


def test_transactions_are_told_by_their_descriptors() -> None:
    """Begin, commit with a new one at once, roll back; without one open, committing is an error."""
    begin, commit_again = HEADERS + struct.pack("<HBB", 5, 0, 0), HEADERS + struct.pack("<HBBBB", 7, 0, 1, 0, 0)
    roll_back = HEADERS + struct.pack("<HBB", 8, 0, 0)
    with connected(LAB) as client:
        client.log_in()
        assert client.ask(PacketKind.TRANSACTION, begin).changes == [Change.BEGIN]
        assert client.ask(PacketKind.TRANSACTION, commit_again).changes == [Change.COMMIT, Change.BEGIN]
        assert client.ask(PacketKind.TRANSACTION, roll_back).changes == [Change.ROLLBACK]
        assert client.ask(PacketKind.TRANSACTION, roll_back).errors[0][0] == 3903


def test_deadlock_ends_the_transaction() -> None:
    """The victim's transaction is gone, and the client is told."""
    with connected(make_lab((Fault("server_time", 1, FaultKind.DEADLOCK),))) as client:
        client.log_in()
        client.ask(PacketKind.TRANSACTION, HEADERS + struct.pack("<HBB", 5, 0, 0))
        reply = client.ask(PacketKind.BATCH, batch_payload(TIME))
        assert reply.errors[0][0] == 1205
        assert reply.changes == [Change.ROLLBACK]


def test_pooled_connection_is_made_fresh() -> None:
    """A request with the reset bit finds the database of the login and no prepared statements, and says so first."""
    with connected(LAB) as client:
        client.log_in()
        client.ask(PacketKind.BATCH, batch_payload("use [msdb]"))
        handle = client.ask(PacketKind.RPC, call_payload(11, None, "", TIME, 1)).handle
        framed = bytearray(frame(PacketKind.BATCH, batch_payload(TIME)))
        framed[1] |= 0x08
        client.peer.sendall(framed)
        reply = client.read()
        assert reply.changes == [Change.RESET_DONE]
        assert reply.errors == []
        assert client.ask(PacketKind.RPC, call_payload(12, handle)).errors[0][0] == 8179


def test_driver_changes_the_database() -> None:
    """USE enters a database the server has, in its own spelling, and refuses another."""
    with connected(LAB) as client:
        client.log_in()
        reply = client.ask(PacketKind.BATCH, batch_payload("USE [MSDB]"))
        assert (reply.changes, reply.errors) == ([Change.DATABASE], [])
        assert client.ask(PacketKind.BATCH, batch_payload(TIME)).errors[0][0] == 208
        assert client.ask(PacketKind.BATCH, batch_payload("use [nowhere]")).errors[0][0] == 911


def test_attention_without_a_request_is_acknowledged() -> None:
    """Drivers send one after every early close; without an answer they hang."""
    with connected(LAB) as client:
        client.log_in()
        assert client.ask(PacketKind.ATTENTION, b"").ends == [Done.ATTENTION]
        ask_time(client)


def test_attention_ends_a_request_that_does_not_answer() -> None:
    """The lab's time-out answers nothing until the client gives up, and the connection can be used again."""
    with connected(make_lab((Fault("server_time", 1, FaultKind.TIMEOUT),))) as client:
        client.log_in()
        client.send(PacketKind.BATCH, batch_payload(TIME))
        assert client.ask(PacketKind.ATTENTION, b"").ends == [Done.ERROR, Done.ATTENTION]
        ask_time(client)


def test_attention_ends_a_reply_in_its_middle() -> None:
    """A client that has seen enough of a long reply gets its end, not the rest."""
    text = "DECLARE @bytes int = @P1;\n" + catalogue()["transfer_probe"].text
    asks = call_payload("sp_executesql", text, "@P1 int", 4_000_000)
    calls = asks + (b"\xff" + asks[len(HEADERS) :]) * 20
    with connected(make_lab(), server="SUB1") as client:
        client.log_in(database="Sales1Copy")
        client.send(PacketKind.RPC, calls)
        begun = client.read_exactly(8 + 4088)
        client.send(PacketKind.ATTENTION, b"")
        rest = client.read_payload()
        assert begun[:2] == bytes((PacketKind.REPLY, 0))
        assert len(rest) < 20 * 4_000_000
        assert rest.endswith(struct.pack("<BHHQ", 0xFD, Done.ATTENTION, 0, 0))
        assert client.ask(PacketKind.ATTENTION, b"").ends == [Done.ATTENTION]


def test_a_request_given_up_while_sent_gets_no_answer() -> None:
    """The next request is answered instead."""
    with connected(LAB) as client:
        client.log_in()
        client.peer.sendall(HEADER.pack(PacketKind.BATCH, 0x03, 8, 0, 1, 0))
        ask_time(client)


def test_a_batch_that_is_too_long_is_told_and_the_connection_goes_on() -> None:
    """It is read to its end, and nothing of it is done."""
    with connected(make_lab()) as client:
        client.log_in()
        long = client.ask(PacketKind.BATCH, batch_payload("PRINT N'" + "a" * LONGEST_MESSAGE_BYTES + "';"))
        [(number, text)] = long.errors
        assert (number, "one MiB" in text) == (50_000, True)
        ask_time(client)


def test_client_that_leaves_a_hanging_request_is_let_go() -> None:
    """The server's thread ends with the connection, also while a request runs that never ends by itself."""
    with connected(make_lab((Fault("server_time", 1, FaultKind.TIMEOUT),))) as client:
        client.log_in()
        client.send(PacketKind.BATCH, batch_payload(TIME))


@pytest.mark.parametrize(("kind", "runs"), [(FaultKind.LOST_BEFORE, False), (FaultKind.LOST_AFTER, True)])
def test_lost_connection_is_closed_before_or_after_the_statement(kind: FaultKind, runs: bool) -> None:
    """The statement's answer never comes; it ran in the one case and not in the other."""
    lab = make_lab((Fault("stop_job", 1, kind),))
    state = replication_of(lab).state
    agent = state.site.agents[0]
    text = bound_text(catalogue()["stop_job"]).replace("?", "@P1", 1)
    with connected(lab) as client:
        client.log_in(database="msdb")
        client.send(PacketKind.RPC, call_payload("sp_executesql", text, "@P1 nvarchar(36)", agent.job_id))
        assert client.is_closed()
    assert state.agent_state(agent).running is not runs


def test_monitor_reads_and_changes_nothing() -> None:
    """The login of a monitoring group gets error 229 for every changing statement."""
    lab = make_lab()
    state = replication_of(lab).state
    agent = state.site.agents[0]
    stop = bound_text(catalogue()["stop_job"]).replace("?", "@P1", 1)
    with connected(lab) as client:
        client.log_in("monitor", database="msdb")
        reply = client.ask(PacketKind.RPC, call_payload("sp_executesql", stop, "@P1 nvarchar(36)", agent.job_id))
        assert [number for number, _text in reply.errors] == [229]
        client.ask(PacketKind.BATCH, batch_payload("use [master]"))
        ask_time(client)
    assert state.agent_state(agent).running


def survives(shared: SharedLab) -> None:
    """Fail unless a well-behaved client is served."""
    with connected(shared) as client:
        client.log_in()
        ask_time(client)


@pytest.mark.parametrize(
    "opening",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x16\x03\x01\x00\xa5\x01\x00\x00",
        frame(PacketKind.BATCH, batch_payload("SELECT 1")),
        frame(PacketKind.PRELOGIN, b"\x01\x00\x06"),
        HEADER.pack(PacketKind.PRELOGIN, 1, 65_535, 0, 1, 0) + b"x" * 100,
        HEADER.pack(PacketKind.PRELOGIN, 1, 3, 0, 1, 0),
    ],
)
def test_other_openings_are_closed(opening: bytes) -> None:
    """Another protocol, a request without login and impossible lengths close the connection without an answer."""
    with connected(LAB) as client:
        client.peer.sendall(opening)
        assert client.is_closed()


def test_truncated_login_closes_the_connection() -> None:
    """A login shorter than it says is no login."""
    with connected(LAB) as client:
        client.send(PacketKind.PRELOGIN, PRELOGIN_PLAIN)
        read_message(client.read_exactly)
        client.send(PacketKind.LOGIN, login_payload()[:60])
        assert client.is_closed()


NOISE = settings(max_examples=60, deadline=None)


@NOISE
@given(noise=st.binary(max_size=400), is_framed=st.booleans())
def test_noise_instead_of_a_login(noise: bytes, is_framed: bool) -> None:
    """Random bytes, also well packed ones, end their own connection at most."""
    with connected(LAB) as client:
        client.peer.sendall(frame(PacketKind.PRELOGIN, noise) if is_framed else noise)
    survives(LAB)


@NOISE
@given(noise=st.binary(max_size=400), kind=st.sampled_from(sorted(PacketKind)), has_headers=st.booleans())
def test_noise_instead_of_a_request(noise: bytes, kind: PacketKind, has_headers: bool) -> None:
    """After login, random messages of every type are answered or end their own connection; nobody else notices."""
    lab = make_lab()
    with connected(lab) as client:
        client.log_in()
        client.send(kind, (HEADERS if has_headers else b"") + noise)
    survives(lab)


@NOISE
@given(flips=st.lists(st.tuples(st.integers(0, 2000), st.integers(1, 255)), min_size=1, max_size=4))
def test_damaged_request(flips: list[tuple[int, int]]) -> None:
    """A request with damaged bytes, its packet header included, is answered, refused or ends its connection."""
    framed = bytearray(frame(PacketKind.RPC, call_payload("sp_executesql", PROBE.replace("?", "@P1", 1), "@P1 int", 9)))
    for position, mask in flips:
        framed[position % len(framed)] ^= mask
    with connected(LAB, server="SUB1") as client:
        client.log_in(database="Sales1Copy")
        client.peer.sendall(framed)
    survives(LAB)


def test_a_server_that_is_off_takes_no_login() -> None:
    """The connection breaks before anything is said; others of the same lab answer."""
    shared = make_lab(scenario="on-site")
    with connected(shared, server="SUB1") as client:
        assert client.is_closed()
    with connected(shared, server="SUB3") as client:
        assert client.log_in().is_welcome


def test_a_server_that_refuses_every_login_says_so() -> None:
    """It answers, with the error that its agents get."""
    with connected(make_lab(scenario="on-site"), server="SUB2") as client:
        reply = client.log_in()
        assert [number for number, _text in reply.errors] == [18456]
        assert client.is_closed()
