"""A session over TDS as a login with exactly the rights that doctor prints, and without one of them."""

from functools import partial
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.events import RunStatus
from app.domain.rights import Mode
from app.drivers.sqlserver.odbc import opening
from app.services.look.doctor import grant_script, target_health
from tests.e2e.posed_lab import Pose, PosedLab, posed_lab
from tests.labs import FAMILIES
from tests.logins import may_nothing, run_script
from tests.prove.killing import write_plan
from tests.prove.wire_session import run_session

LOGIN = "o'neil]consulting"


def _new_login(lab: PosedLab) -> None:
    """Make the login; run in the lab's process."""
    may_nothing(lab.doors, LOGIN)


def _as_dba(script: str, lab: PosedLab) -> None:
    """Run a script of rights; run in the lab's process."""
    run_script(lab.doors, script)


@pytest.mark.parametrize(
    ("family", "driver"),
    [pytest.param("log_reader", "mssql-python", marks=pytest.mark.prove), ("distribution_agent", "freetds")],
)
def test_what_doctor_prints_is_enough(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, family: str, driver: str
) -> None:
    """A new login is given what is printed until nothing is, runs a session, and is refused by name without one."""
    monkeypatch.setattr(opening, "_LAB_USER", LOGIN)
    open_target, plan = build_program().parts.open_target, write_plan(tmp_path, family)
    with posed_lab(Pose(adjust=_new_login)) as lab:
        key, scripts = lab.key(driver), list[str]()
        while script := grant_script(target_health(key, FAMILIES, open_target), Mode.HANDS_ON):
            assert script not in scripts
            scripts.append(script)
            lab.ask(partial(_as_dba, script))
        before = lab.ask(PosedLab.truth)
        ended = run_session(plan, key, tmp_path / "enough")
        assert (ended.status, ended.not_restored) == (RunStatus.SUCCEEDED, ())
        assert lab.ask(PosedLab.truth) == before
        without = f"USE [Sales1]; ALTER ROLE db_owner DROP MEMBER [{LOGIN.replace(']', ']]')}];"
        lab.ask(partial(_as_dba, f"-- At PUB1:\n{without}"))
        refused = run_session(plan, key, tmp_path / "refused")
        assert refused.status is None
        assert "db_owner in Sales1 at PUB1" in refused.problem
        assert lab.ask(PosedLab.truth) == before
    assert len(scripts) > 1
