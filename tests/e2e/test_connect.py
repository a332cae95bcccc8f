"""Connecting to a SQL Server as a person does, through each real driver: the lab behind its TDS ports."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.domain.errors import (
    ConnectionLost,
    LoginFailed,
    NotTrusted,
    PermissionDenied,
    StatementCancelled,
    StatementTimeout,
)
from app.domain.setting import Value
from app.domain.statement import StatementRecord
from app.domain.target import Target
from app.drivers.sqlserver import connect_lab, open_server
from app.drivers.sqlserver.catalogue import catalogue
from app.drivers.sqlserver.errors import DatabaseUnavailable
from app.drivers.sqlserver.odbc.opening import open_transport
from app.drivers.sqlserver.odbc.settings import read_settings
from app.drivers.sqlserver.session import Place, RecordingSession
from app.foundation.clock import SystemClock
from app.foundation.secret import Secret
from app.services.target.target_spec import parse_server
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.offer import agent_ports
from tests.e2e.program import ROOT, SMALL_PLAN, assert_one_sentence, call, run_alone, served_lab, write
from tests.e2e.wire_results import encryption_by
from tests.labs import target_over
from tests.own_folders import data_folders, move_data
from tests.patience import PATIENCE_S, PAUSE_S
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, usable_driver

MASTER = Place("DIST1", "master")


@pytest.fixture(params=sorted(DRIVERS))
def driver(request: pytest.FixtureRequest) -> str:
    """Each driver this computer has, as `driver=` takes it."""
    return usable_driver(str(request.param))


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The Distributor's port of a lab whose time passes by statements."""
    with served_lab() as key:
        yield int(key.rpartition(":")[2])


@pytest.fixture(scope="module")
def real_time_port() -> Iterator[int]:
    """The Distributor's port of a lab whose time passes as it does here, so that a wait takes as long as it says."""
    with served_lab("--speed", "1") as key:
        yield int(key.rpartition(":")[2])


def url_of(port: int, driver: str, user: str = "replitune", options: str = "&trust=yes") -> str:
    """Return the URL of a lab for a driver."""
    return f"sqlserver://{user}@127.0.0.1:{port}?driver={driver}{options}"


def opened(url: str, records: list[StatementRecord] | None = None, password: str = "lab") -> Target:
    """Return an open target."""
    sink = (lambda _record: None) if records is None else records.append
    return target_over(open_server(parse_server(url), Secret(password), sink))


def session_of(url: str) -> tuple[RecordingSession, Callable[[], None]]:
    """Return a session that runs single statements, and what cancels them."""
    opening = open_transport(read_settings(parse_server(url)), Secret("lab"), lambda _record: None, SystemClock())
    return RecordingSession(opening.transport, SystemClock(), lambda _record: None), opening.transport.cancel


def place_of(name: str) -> Place:
    """Return where a statement of the Distributor runs: its databases have the names of their roles."""
    return Place("DIST1", catalogue()[name].database)


def test_every_server_is_found_from_the_distributor_alone(port: int, driver: str) -> None:
    """One URL is enough: names and addresses of the others come from the Distributor, and each is asked."""
    records: list[StatementRecord] = []
    target = opened(url_of(port, driver), records)
    assert target.label == "DIST1", "its name, as a title has it: no login, no port, no options"
    try:
        topology = agent_ports(target).agents.discover()
        assert [server.role for server in topology.servers] == ["Publisher", "Distributor", *["Subscriber"] * 3]
        agent = topology.agents_of(AgentKind.DISTRIBUTION)[0]
        assert agent_ports(target).agents.read_parameters(agent)
        assert agent_ports(target).network.read_round_trip(agent).median_ms >= 0
        assert agent_ports(target).agents.sample().agents
    finally:
        target.close()
    assert {record.server for record in records} >= {"DIST1", "PUB1", "SUB1"}
    assert not [record.error for record in records if record.error]
    assert dict(target.connection)["Encryption"] == encryption_by(driver)


def test_addresses_given_go_before_those_the_distributor_tells(port: int, driver: str) -> None:
    """A server behind another address, such as a tunnel, is reached there."""
    target = opened(url_of(port, driver, options="&trust=yes&login_timeout=1&server.PUB1=127.0.0.1,1"))
    try:
        missing = {server.name: server.reason for server in agent_ports(target).agents.discover().unreached}
        assert list(missing) == ["PUB1"]
        assert "PUB1 at 127.0.0.1:1" in missing["PUB1"]
    finally:
        target.close()


def test_a_wrong_password_is_a_login_error(port: int, driver: str) -> None:
    """The server's refusal names user and server; the password is in neither sentence nor record."""
    records: list[StatementRecord] = []
    with pytest.raises(LoginFailed, match=r'refused user "replitune".*check user name') as caught:
        opened(url_of(port, driver), records, "wr;o}ng-pass{word")
    assert "pass{word" not in f"{caught.value} {caught.value.server_error} {records}"


def test_an_untrusted_certificate_is_refused_unless_it_is_trusted_by_choice(port: int) -> None:
    """The lab's certificate is self-signed: the drivers that verify say so, and what to do."""
    for name in ("microsoft", "mssql-python"):
        with pytest.raises(NotTrusted, match="trust=yes"):
            opened(url_of(port, DRIVERS[name], options=""))


def test_a_database_that_is_not_there_says_so(port: int, driver: str) -> None:
    """Names with anything in them reach the login as they are, and no further."""
    session, _cancel = session_of(url_of(port, driver))
    for name in ("missing", "a]b'c {x} ü😀 DROP", "x;UID=sa"):
        with pytest.raises(DatabaseUnavailable, match="cannot be opened") as caught:
            session.run("round_trip", Place("SUB1", name))
        assert name in str(caught.value)
    session.close()


def test_a_login_that_may_only_monitor_reads_and_changes_nothing(port: int, driver: str) -> None:
    """A member of replmonitor sees the topology; starting a job is refused with what to grant."""
    target, administrator = opened(url_of(port, driver, user="monitor")), opened(url_of(port, driver))
    try:
        agent = agent_ports(target).agents.discover().agents[0]
        with pytest.raises(PermissionDenied, match="grant it: SELECT on msdb"):
            agent_ports(target).agents.stop(agent)
        assert agent_ports(administrator).agents.is_running(agent)
    finally:
        target.close()
        administrator.close()


@pytest.mark.parametrize("name", ["O'Brien; DROP TABLE x --", '[a]]b] "q"', "ü€ 😀 \t end", "? ? @P1 %(x)s {0}"])
def test_names_with_anything_in_them_travel_as_values(port: int, driver: str, name: str) -> None:
    """A profile of any name is made, found under exactly that name, and dropped."""
    session, _cancel = session_of(url_of(port, driver))
    values: dict[str, Value] = {"agent_type": 3, "profile_name": f"Replitune {name}"}
    made = session.run("add_profile", place_of("add_profile"), description=name, **values)[0].whole("profile_id")
    assert session.run("profile_by_name", place_of("profile_by_name"), **values)[0].whole("profile_id") == made
    session.run("drop_profile", place_of("drop_profile"), **values)
    assert session.run("profile_by_name", place_of("profile_by_name"), **values) == ()
    session.close()


def test_a_statement_ends_at_its_time_limit_and_the_connection_goes_on(real_time_port: int, driver: str) -> None:
    """The wait is cut off, told as a time limit, and the next statement runs."""
    session, _cancel = session_of(url_of(real_time_port, driver, options="&trust=yes&statement_timeout=1"))
    with pytest.raises(StatementTimeout, match="longer than its limit"):
        session.run("lab_wait", MASTER, delay="00:00:20.000")
    assert session.run("server_time", MASTER)
    session.close()


def test_a_statement_is_cancelled_from_another_thread(real_time_port: int, driver: str) -> None:
    """The runner's cancel does not wait for a statement to end; what is sent afterwards runs."""
    session, cancel = session_of(url_of(real_time_port, driver))
    session.run("server_time", MASTER)
    ended: list[BaseException] = []

    def wait() -> None:
        try:
            session.run("lab_wait", MASTER, delay="00:00:20.000")
        except StatementCancelled as error:
            ended.append(error)

    worker = threading.Thread(target=wait)
    worker.start()
    while worker.is_alive():  # until it has been sent there is nothing to cancel
        cancel()
        worker.join(PAUSE_S)
    assert len(ended) == 1
    assert "was cancelled at DIST1" in str(ended[0])
    assert session.run("server_time", MASTER)
    session.close()


def test_a_server_that_was_restarted_is_connected_again(driver: str) -> None:
    """Reading goes on by itself; a changing statement tells the loss, and only the next one runs."""
    with served_lab() as key:
        port = int(key.rpartition(":")[2])
        session, _cancel = session_of(url_of(port, driver))
        session.run("server_time", MASTER)
    values: dict[str, Value] = {"agent_type": 3, "profile_name": "Replitune again"}
    with served_lab("--port", port):
        assert session.run("server_time", MASTER)
        session.run("add_profile", place_of("add_profile"), description="", **values)
    with served_lab("--port", port):
        with pytest.raises(ConnectionLost, match='broke during "add_profile"'):
            session.run("add_profile", place_of("add_profile"), description="", **values)
        assert session.run("profile_by_name", place_of("profile_by_name"), **values) == ()
        assert session.run("add_profile", place_of("add_profile"), description="", **values)
    session.close()


def test_each_thread_has_connections_of_its_own(port: int, driver: str) -> None:
    """Several threads read at once, and nobody gets another one's rows."""
    session, _cancel = session_of(url_of(port, driver))
    wrong: list[str] = []

    def read(server: str) -> None:
        for _time in range(20):
            name = session.run("server_info", Place(server, "master"))[0].text("server_name")
            if name != server:
                wrong.append(name)

    workers = [threading.Thread(target=read, args=(server,)) for server in ("DIST1", "PUB1", "SUB1", "SUB2")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert wrong == []
    session.close()


def test_a_lab_in_another_process_has_its_own_time(port: int) -> None:
    """`lab@` sleeps in virtual time, through whichever driver is there."""
    target = connect_lab("127.0.0.1", port, lambda _record: None)
    before_s = target.clock.monotonic_s()
    target.clock.sleep(3_600)
    assert target.clock.monotonic_s() - before_s == pytest.approx(3_600, abs=0.1)
    target.close()


def home(tmp_path: Path, **more: str) -> dict[str, str]:
    """Return an environment whose data folder is empty, where no keyring is."""
    return {
        **data_folders(tmp_path / "data"),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        **more,
    }


def test_targets_are_added_listed_tested_and_removed_on_the_command_line(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A saved name works wherever a target does, as if its address had been given."""
    move_data(monkeypatch, tmp_path / "data")
    with_password = home(tmp_path, REPLITUNE_PASSWORD="lab")
    url = f"sqlserver://replitune@127.0.0.1:{port}?trust=yes"
    added = run_alone("target", "add", "Site B", url, environment=home(tmp_path))
    assert added.code == 0, added
    assert "no keyring" in added.out
    assert call("target", "list", "--json").json() == {
        "schema": 1,
        "targets": [{"name": "Site B", "target": url}],
    }
    tested = run_alone("target", "test", "site b", "--json", environment=with_password).json()
    assert tested["target"] == url
    assert {"name": "PUB1", "role": "Publisher"}.items() <= tested["servers"][0].items()
    assert set(tested["connection"]) == {"Driver", "Sign-in", "Encryption"}
    discovered = run_alone("discover", "--target", "Site B", "--json", environment=with_password)
    assert discovered.json()["target"] == url
    assert_one_sentence(call("target", "add", "site b", "lab"))
    assert_one_sentence(call("target", "add", "nowhere", "lab:wan"))
    assert run_alone("target", "remove", "Site B", environment=home(tmp_path)).code == 0
    assert_one_sentence(call("discover", "--target", "Site B"))


def test_mistakes_on_the_command_line_are_one_sentence(port: int, tmp_path: Path) -> None:
    """No password, a wrong one, one inside the target: exit codes 2 and 3, and no secret is repeated."""
    url = f"sqlserver://replitune@127.0.0.1:{port}?trust=yes"
    for arguments in (("discover", "--target", url, "--json"), ("target", "test", url)):
        nobody = run_alone(*arguments, environment={**home(tmp_path), "REPLITUNE_PASSWORD": ""})
        assert_one_sentence(nobody)
        assert "REPLITUNE_PASSWORD" in nobody.err
    wrong = run_alone("discover", "--target", url, environment=home(tmp_path, REPLITUNE_PASSWORD="hunter2"))
    assert_one_sentence(wrong, 3)
    inside = call("discover", "--target", url.replace("@", ":hunter2@"))
    assert_one_sentence(inside)
    assert "hunter2" not in wrong.err + inside.err


@pytest.mark.skipif(os.name != "posix", reason="a terminal of its own is made with a pty")
def test_a_person_at_a_terminal_is_asked_without_an_echo(port: int, tmp_path: Path) -> None:
    """The prompt names the login, standard output stays free for results, and what is typed shows nowhere."""
    import pty

    keyboard, terminal = pty.openpty()
    url = f"sqlserver://replitune@127.0.0.1:{port}?trust=yes"
    with subprocess.Popen(
        [sys.executable, "-m", "app", "target", "test", url],
        cwd=ROOT,
        env={**os.environ, **home(tmp_path)},
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # or it would ask at the terminal the tests run in
    ) as process:
        assert process.stderr is not None
        prompt = b""
        while not prompt.endswith(b": "):
            prompt += process.stderr.read(1)
        os.write(keyboard, b"lab\n")
        out, err = process.communicate(timeout=PATIENCE_S)
        os.set_blocking(keyboard, False)
        try:
            echoed = os.read(keyboard, 1024)
        except BlockingIOError:
            echoed = b""
    os.close(terminal)
    os.close(keyboard)
    assert process.returncode == 0, err
    assert prompt == f"Password for sqlserver://replitune@127.0.0.1:{port}: ".encode()
    assert b"connected: DIST1" in out
    assert b"lab" not in echoed


def test_a_whole_run_through_a_driver_leaves_the_server_as_it_was(tmp_path: Path) -> None:
    """A plan runs on a lab behind its TDS port to findings, and nothing is left changed."""
    plan = write(tmp_path / "plan.toml", SMALL_PLAN)
    journal = tmp_path / "undo.journal"
    with served_lab() as key:
        before = call("discover", "--target", key, "--json").json()
        ended = call("run", plan, "--target", key, "--out", tmp_path / "out", "--journal", journal, "--json")
        assert ended.code == 0, ended
        assert ended.json()["comparisons"]
        after = call("discover", "--target", key, "--json").json()
    assert before["agents"] == after["agents"]
    assert [agent["profile_id"] for agent in before["topology"]["agents"]] == [
        agent["profile_id"] for agent in after["topology"]["agents"]
    ]
