"""Connections to Oracle that cannot be made, from the command line: one sentence, exit code 2 or 3, nothing begun."""

import socket
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.contract.oracle.tns_stub import Answer, TnsStub, accept_as_old, babble, hang_up, keep_silent, refuse
from tests.e2e.program import Ended, assert_one_sentence, call, run_alone, write
from tests.files import files_below

pytest.importorskip("oracledb", reason="python-oracledb is not installed")
# python-oracledb leaves the socket of a failed attempt to the garbage collector
pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:Exception ignored in. <socket:pytest.PytestUnraisableExceptionWarning"),
]

# A second driver that is there (the set-up builds it where it can) lacks its client (DPI-1047); else it is missing.
WITHOUT = "cx_Oracle" if find_spec("cx_Oracle") is None else "no Oracle Client library"

PLAN = 'family = "streams_apply"\n[factors]\nPARALLELISM = [1, 4]\n'


@pytest.fixture(autouse=True)
def _password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REPLITUNE_PASSWORD", "tiger-pw")


def run_at(folder: Path, target: str, code: int = 3, ask: Callable[..., Ended] = call) -> Ended:
    """Run a plan at a target that cannot be reached; check what must hold of any such end.

    Args:
        ask: runs the program; in a process of its own where a driver is left behind in a call, with which it ends.
    """
    plan = write(folder / "plan.toml", PLAN)
    before = files_below(folder)
    journal = folder / "journal"
    ended = ask("run", plan, "--target", target, "--out", folder / "out", "--journal", journal)
    assert_one_sentence(ended, code)
    assert "tiger-pw" not in ended.err
    after = files_below(folder)
    assert {path: after[path] for path in before} == before
    assert not (folder / "out" / "rollback.sql").exists()
    return ended


REFUSALS: dict[str, tuple[Answer, str, str]] = {
    "an unknown service": (refuse(12514), "/sales", "knows no such service"),
    "an unknown SID": (refuse(12505), "?sid=ORCL", "knows no such SID"),
    "no free handler": (refuse(12516), "/sales", "no free handler"),
    "any other refusal": (refuse(12999), "/sales", "ORA-12999"),
    "a server too old for thin": (accept_as_old(314), "/sales", "driver=thick"),
    "a server too old for any": (accept_as_old(312), "/sales", "older than 12.1"),
    "another kind of server": (babble, "/sales", "check that an Oracle listener answers"),
    "a connection that breaks": (hang_up, "/sales", "broke off while connecting"),
    "a listener that is silent": (keep_silent, "/sales?login_timeout=1", "did not answer in time"),
    "thick without a client": (babble, "/sales?driver=thick&client=/nonexistent", "Instant Client"),
    "cx_Oracle without itself or a client": (babble, "/sales?driver=cx_Oracle&client=/nonexistent", WITHOUT),
    "a wallet that is missing": (babble, "/sales?protocol=tcps&wallet=/nonexistent", "wallet"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_connection_that_cannot_be_made_is_one_sentence(tmp_path: Path, name: str) -> None:
    """What the listener or the driver says, in a person's words."""
    answer, rest, words = REFUSALS[name]
    with TnsStub(answer) as stub:
        ask = run_alone if answer is keep_silent else call
        ended = run_at(tmp_path, f"oracle://scott@127.0.0.1:{stub.port}{rest}", ask=ask)
    assert words in ended.err


@pytest.mark.parametrize("name", ["an unknown service", "a server too old for thin"])
def test_a_destination_that_cannot_be_reached_is_named(tmp_path: Path, name: str) -> None:
    """Of a pipeline's two databases either may be the one that fails; discovery tells it as a run does."""
    answer, rest, words = REFUSALS[name]
    with TnsStub(answer) as stub:
        there = quote(f"oracle://scott@127.0.0.1:{stub.port}{rest}", safe="")
        ended = call("discover", "--target", f"oracle://scott@127.0.0.1:{stub.port}/orders?destination={there}")
    assert_one_sentence(ended, 3)
    assert words in ended.err


def test_nothing_listens_or_the_host_is_unknown(tmp_path: Path) -> None:
    """A closed port and a name nobody knows are told apart."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert "nothing listens" in run_at(tmp_path, f"oracle://scott@127.0.0.1:{port}/sales").err
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert "unknown here" in run_at(elsewhere, "oracle://scott@no-such-host.invalid/sales").err


def test_an_alias_that_is_nowhere(tmp_path: Path) -> None:
    """The folder that was searched stands in the sentence."""
    ended = run_at(tmp_path, f"oracle://scott@SALES?tns_admin={quote(str(tmp_path), safe='')}")
    assert "is in no tnsnames.ora" in ended.err


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("oracle://scott:tiger-pw@db/sales", "a target holds no password"),
        ("oracle://sys@db/sales", "sysdba"),
        ("oracle://scott@db/sales?as=sysoper", "write sysdba"),
        ("oracle://scott@db/sales?driver=jdbc", "thin, thick or cx_Oracle"),
        ("oracle://scott@db/sales?sid=ORCL", "sid"),
        ("oracle://scott@db/sales?colour=red", "colour"),
        ("oracle://scott@db/sales?login_timeout=0", "whole seconds"),
        ("oracle://db/sales", "user"),
    ],
)
def test_a_url_that_cannot_be_used_is_refused(tmp_path: Path, target: str, words: str) -> None:
    """Before anything is connected, and without the password that may stand in it."""
    assert words in run_at(tmp_path, target, 2).err
