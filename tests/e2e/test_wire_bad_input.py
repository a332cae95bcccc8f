"""Everything a person or a site gets wrong, met by a run over TDS: one sentence, and nothing is left changed."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from app.domain.events import RunStatus
from app.services.run.restoring import open_changes
from app.store import open_for_reading
from tests.e2e.certificates import Authority
from tests.e2e.odd_sites import (
    ODD_NAMES,
    READER,
    older,
    with_case_sensitive_names,
    with_database_offline,
    with_odd_names,
    with_stubborn_agents,
    without_distributor,
    without_job,
    without_subscriptions,
)
from tests.e2e.posed_lab import Pose, Posed, PosedLab, posed_lab
from tests.e2e.program import Ended, assert_one_sentence, call, run_alone
from tests.own_folders import data_folders
from tests.prove.killing import write_plan
from tests.unit.targets.sqlserver.odbc.real_drivers import DRIVERS, closed_port, has_driver

MICROSOFT = DRIVERS["microsoft"]
INSTALLED = [value for name, value in sorted(DRIVERS.items()) if has_driver(name)]
# Whole runs go through one driver in every test run, through all of them in the long proof.
DRIVEN = [INSTALLED[0], *(pytest.param(driver, marks=pytest.mark.prove) for driver in INSTALLED[1:])]
QUICK = "trust=yes&login_timeout=1"


def name_of(driver: object) -> str:
    """Return the name pytest shows."""
    return Path(str(driver)).name


@pytest.fixture(scope="module")
def plain() -> Iterator[Posed]:
    """A lab nothing is wrong with, and which nobody gets to change."""
    with posed_lab(Pose()) as lab:
        before = lab.ask(PosedLab.truth)
        yield lab
        assert lab.ask(PosedLab.truth) == before


@dataclass(frozen=True)
class Attempt:
    """Runs a plan against a target, in a folder."""

    folder: Path
    family: str = "log_reader"

    @property
    def journal(self) -> Path:
        """The undo journal."""
        return self.folder / "undo.journal"

    def arguments(self, target: str) -> tuple[object, ...]:
        """Return the command."""
        plan = write_plan(self.folder, self.family)
        return ("run", plan, "--target", target, "--out", self.folder / "out", "--journal", self.journal)

    def run(self, target: str) -> Ended:
        """Run the plan in this process."""
        return call(*self.arguments(target))

    def assert_nothing_open(self) -> None:
        """Check that the journal lists nothing."""
        assert not self.journal.exists() or open_changes(self.journal) == ()


@contextmanager
def unchanged(pose: Pose, attempt: Attempt) -> Iterator[Posed]:
    """Serve a lab and check that it is as it was at the end, with nothing listed."""
    with posed_lab(pose) as lab:
        before = lab.ask(PosedLab.truth)
        yield lab
        assert lab.ask(PosedLab.truth) == before
        attempt.assert_nothing_open()


def assert_refused(attempt: Attempt, ended: Ended, *parts: str, code: int = 3) -> None:
    """Check that a run was refused before it began, in one sentence that says what, where and what to do."""
    assert_one_sentence(ended, code)
    for part in parts:
        assert part in ended.err, ended.err
    attempt.assert_nothing_open()


def assert_failed(ended: Ended, *parts: str) -> None:
    """Check that a run ended because of the target, with everything put back."""
    assert ended.code == 3, ended
    assert "Traceback" not in ended.err
    assert "Every change is undone and checked" in ended.err
    for part in parts:
        assert ended.err.count(part) == 1, ended.err


@pytest.mark.parametrize("driver", INSTALLED, ids=name_of)
def test_a_wrong_password(plain: Posed, tmp_path: Path, driver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server, the user and what to check; the password is not repeated."""
    monkeypatch.setenv("REPLITUNE_PASSWORD", "Wr0ng;secret")
    attempt = Attempt(tmp_path)
    ended = attempt.run(plain.url(driver))
    where = f"127.0.0.1:{plain.port}"
    assert_refused(attempt, ended, where, 'refused user "replitune"', "check user name, password and sign-in")
    assert "Wr0ng" not in ended.err + ended.out


@pytest.mark.parametrize("driver", INSTALLED, ids=name_of)
@pytest.mark.parametrize(
    ("address", "parts"),
    [
        ("no-such-host.invalid:1433", ('there is no host "no-such-host.invalid"', "check the name")),
        ("127.0.0.1:{closed}", ("nothing listens at 127.0.0.1, port {closed}", "check the port")),
    ],
    ids=["unknown host", "closed port"],
)
def test_an_address_nobody_answers_at(
    tmp_path: Path, driver: str, address: str, parts: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Host and port, and where to look."""
    monkeypatch.setenv("REPLITUNE_PASSWORD", "lab")
    closed = str(closed_port())
    attempt = Attempt(tmp_path)
    target = f"sqlserver://replitune@{address.format(closed=closed)}?driver={driver}&{QUICK}"
    assert_refused(attempt, attempt.run(target), *(part.format(closed=closed) for part in parts))


@pytest.mark.parametrize("driver", [d for d in INSTALLED if d != "freetds"], ids=name_of)
def test_a_certificate_nobody_vouches_for(
    plain: Posed, tmp_path: Path, driver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not trusted unseen; the sentence says how it can be."""
    monkeypatch.setenv("REPLITUNE_PASSWORD", "lab")
    attempt = Attempt(tmp_path)
    ended = attempt.run(plain.url(driver, options="login_timeout=600"))
    assert_refused(attempt, ended, f"certificate of 127.0.0.1:{plain.port} is not trusted", "trust=yes")


@pytest.mark.parametrize(("days", "code"), [(1, 3), (30, 0)], ids=["expired", "valid"])
def test_a_certificate_of_a_known_authority(tmp_path: Path, days: int, code: int) -> None:
    """One that has expired is told as such; a valid one is verified, and nothing need be trusted unseen."""
    authority = Authority(tmp_path)
    pose = Pose(certificate=authority.issue(timedelta(days=days)))
    trusting = {"REPLITUNE_PASSWORD": "lab", "SSL_CERT_FILE": str(authority.file), **data_folders(tmp_path)}
    with posed_lab(pose) as lab:
        target = f"sqlserver://replitune@localhost:{lab.port}?driver={MICROSOFT}&login_timeout=600"
        ended = run_alone("target", "test", target, environment=trusting)
    assert ended.code == code, ended
    if code:
        assert_one_sentence(ended, 3)
        assert f"certificate of localhost:{lab.port} has expired" in ended.err
        assert "have it renewed" in ended.err
    else:
        assert "encrypted, server certificate verified" in ended.out


@pytest.mark.parametrize("driver", INSTALLED, ids=name_of)
def test_a_server_without_tls(tmp_path: Path, driver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is sent in clear by itself; the sentence says how it would be."""
    monkeypatch.setenv("REPLITUNE_PASSWORD", "lab")
    attempt = Attempt(tmp_path)
    with unchanged(Pose(has_tls=False), attempt) as lab:
        ended = attempt.run(lab.url(driver, options="trust=yes&login_timeout=600"))
        assert_refused(attempt, ended, f"127.0.0.1:{lab.port}", "encrypt")
        assert lab.ask(PosedLab.sent) == []


@pytest.mark.parametrize("family", ["log_reader", "distribution_agent"])
def test_a_login_that_may_only_monitor(tmp_path: Path, family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told what to grant, and nothing was changed by then."""
    monkeypatch.setenv("REPLITUNE_PASSWORD", "lab")
    attempt = Attempt(tmp_path, family)
    with unchanged(Pose(speed=2_000.0), attempt) as lab:
        ended = attempt.run(lab.url(MICROSOFT, user="monitor"))
    assert ended.code in (2, 3), ended
    assert "Traceback" not in ended.err
    assert "at DIST1" in ended.err
    assert "grant" in ended.err.lower()


def test_a_server_too_old(tmp_path: Path) -> None:
    """Its version, and the oldest this program works with."""
    attempt = Attempt(tmp_path)
    with unchanged(Pose(adjust=older), attempt) as lab:
        ended = attempt.run(lab.key())
        assert_refused(attempt, ended, f"127.0.0.1:{lab.port} is SQL Server version 10.50", "SQL Server 2012")


@pytest.mark.parametrize("driver", DRIVEN, ids=name_of)
def test_a_distribution_database_offline(tmp_path: Path, driver: str) -> None:
    """The database and the server."""
    attempt = Attempt(tmp_path)
    with unchanged(Pose(prepare=partial(with_database_offline, "distribution")), attempt) as lab:
        ended = attempt.run(lab.key(driver))
        assert_refused(attempt, ended, 'database "distribution" cannot be opened at DIST1', "it is offline")


@pytest.mark.parametrize("driver", DRIVEN, ids=name_of)
def test_a_publication_database_offline(tmp_path: Path, driver: str) -> None:
    """It shows when the workload is written; by then the agent stands, and is started again."""
    attempt = Attempt(tmp_path)
    with unchanged(Pose(prepare=partial(with_database_offline, "Sales1")), attempt) as lab:
        ended = attempt.run(lab.key(driver))
        assert ended.code in (2, 3), ended
        assert "Traceback" not in ended.err
        assert 'database "Sales1" cannot be opened at PUB1' in ended.err


def test_a_server_that_is_no_distributor(tmp_path: Path) -> None:
    """What it lacks, and where to connect."""
    attempt = Attempt(tmp_path)
    with unchanged(Pose(adjust=without_distributor), attempt) as lab:
        assert_refused(attempt, attempt.run(lab.key()), "DIST1 is not a Distributor", "connect to the Distributor")


@pytest.mark.parametrize("family", ["log_reader", "distribution_agent"])
def test_a_publication_without_subscriptions(tmp_path: Path, family: str) -> None:
    """There is no agent to measure: the database is named."""
    attempt = Attempt(tmp_path, family)
    with unchanged(Pose(adjust=without_subscriptions), attempt) as lab:
        ended = attempt.run(lab.key())
        assert_refused(attempt, ended, "Sales1 on PUB1 has no subscription", code=2)


def test_an_agent_that_never_stops(tmp_path: Path) -> None:
    """Hours of the servers' time later the run gives up and names the agent, which may yet end: it stays listed.

    All else is as it was, but for the run's own profile: it tells whoever comes next what the agent may still do.
    """
    attempt = Attempt(tmp_path)
    with posed_lab(Pose(adjust=with_stubborn_agents)) as lab:
        before = lab.ask(PosedLab.truth)
        ended = attempt.run(lab.key())
        after = lab.ask(PosedLab.truth)
        (mark,) = after.profiles.keys() - before.profiles.keys()
        assert after.profiles[mark][1].startswith("Replitune ")
        kept = {key: profile for key, profile in after.profiles.items() if key != mark}
        assert replace(after, profiles=kept) == before
        assert ended.code == 4, ended
        assert f"{READER} still runs 3600 s after it was asked to stop; stop its job by hand" in ended.err
        assert "Traceback" not in ended.err


def test_a_deleted_agent_job(tmp_path: Path) -> None:
    """The agent and the server that lacks its job."""
    attempt = Attempt(tmp_path)
    with unchanged(Pose(adjust=without_job), attempt) as lab:
        ended = attempt.run(lab.key())
        assert ended.code in (2, 3), ended
        assert f"DIST1 has no job for {READER}" in ended.err
        assert "Traceback" not in ended.err


@pytest.mark.parametrize("driver", DRIVEN, ids=name_of)
@pytest.mark.parametrize("family", ["log_reader", "distribution_agent"])
def test_names_with_anything_in_them(tmp_path: Path, family: str, driver: str) -> None:
    """Quotes, brackets, spaces, dots, emoji and SQL in names: a whole run, its report and scripts, nothing changed."""
    attempt = Attempt(tmp_path, family)
    with unchanged(Pose(prepare=with_odd_names), attempt) as lab:
        found = call("discover", "--target", lab.key(driver), "--json")
        ended = call(*attempt.arguments(lab.key(driver)), "--json")
    assert ended.code == 0, ended
    assert ended.json()["comparisons"]
    told = json.dumps(found.json(), ensure_ascii=False)
    for name in ODD_NAMES.values():
        assert json.dumps(name, ensure_ascii=False)[1:-1] in told
    with open_for_reading(tmp_path / "out" / "session.replitune") as reader:
        session = reader.read_session(with_samples=False)
    assert session.runs[0].status is RunStatus.SUCCEEDED
    assert any(ODD_NAMES["publisher_db"] in change.change.subject for change in session.changes)
    assert not [s.error for s in session.statements if s.error]
    assert not any("DROP DATABASE" in s.text for s in session.statements)
    assert (tmp_path / "out" / "report.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize("driver", DRIVEN, ids=name_of)
def test_names_that_differ_by_case_alone(tmp_path: Path, driver: str) -> None:
    """On a case-sensitive server each database is addressed by its exact name: one pair is measured, no other."""
    attempt = Attempt(tmp_path)
    with unchanged(Pose(prepare=with_case_sensitive_names), attempt) as lab:
        ended = attempt.run(lab.key(driver))
        assert ended.code == 0, ended
        sent = lab.ask(PosedLab.sent)
    assert {made.database for made in sent if made.name == "write_load"} == {"Sales"}
    assert {made.server for made in sent} == {"DIST1", "PUB1", "SUB1", "SUB2", "SUB3"}
