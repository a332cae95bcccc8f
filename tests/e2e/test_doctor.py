"""`doctor`: this computer, and what two logins may do on the same server."""

from pathlib import Path

from tests.e2e.drivers import served_lab
from tests.e2e.program import ROOT, run_alone

FAMILIES = sorted(path.parent.name for path in (ROOT / "app" / "systems").glob("*/families/*/__init__.py"))
TARGETS = sorted(path.parent.name for path in (ROOT / "app" / "drivers").glob("*/__init__.py"))


def test_the_computer_is_described_with_every_part() -> None:
    """Ids of families, engines and rule packs are exact; drivers and keyring say whether they are there."""
    ran = run_alone("doctor", "--json")
    assert ran.code == 0, ran.err
    health = ran.json()
    assert health["schema"] == 1
    assert health["families"] == FAMILIES
    assert health["targets"] == TARGETS
    files = (ROOT / "advisor_rules").glob("*/*.yaml")
    packs = {f"{path.parent.name}/{path.stem}" for path in files if path.parent.name != "common"}
    assert {name for name, _rules in health["rules"]} == packs
    parts = {part["part_id"]: part for part in health["parts"]}
    assert parts["pyodbc"]["is_there"]
    assert parts["mssql-python"]["is_there"]
    assert parts["oracledb"]["is_there"]
    assert all(part["is_there"] or part["remedy"] for part in parts.values())


def test_two_logins_may_do_different_things() -> None:
    """A member of replmonitor can observe and gets a GRANT script; a sysadmin can do everything and gets none."""
    with served_lab() as lab:
        port = lab.ports["DIST1"]
        ran = {
            user: run_alone(
                "doctor", "--json", "--target", f"sqlserver://{user}@127.0.0.1:{port}?trust=yes",
                environment={"REPLITUNE_PASSWORD": "lab"},
            )
            for user in ("replitune", "monitor")
        }  # fmt: skip
    seen = {user: result.json()["target"] for user, result in ran.items()}
    modes = {
        user: {e["family"]: e["modes"] for e in found["experiments"] if e["possible"]} for user, found in seen.items()
    }
    replication = ("log_reader", "distribution_agent", "wan_delivery")
    assert all(modes["replitune"][family] == ["observe", "guided", "hands_on"] for family in replication)
    assert all(modes["monitor"][family] == ["observe"] for family in replication)
    assert seen["replitune"]["grants"] == ""
    assert "ALTER SERVER ROLE sysadmin ADD MEMBER [monitor];" in seen["monitor"]["grants"]
    assert "USE [Sales1]; ALTER ROLE db_owner ADD MEMBER [monitor];" in seen["monitor"]["grants"]
    assert seen["monitor"]["login"] == "monitor"


def test_a_script_is_written_for_a_dba_and_other_texts_are_refused(tmp_path: Path) -> None:
    """One sentence each, without a traceback."""
    script = tmp_path / "preflight.sql"
    ran = run_alone("doctor", "--script", script)
    assert (ran.code, ran.err) == (0, "")
    assert "#ask statement=" in script.read_text(encoding="utf-8-sig")
    for arguments, why in (
        (("--from", script), "does not hold what the script printed"),
        (("--from", tmp_path / "none.txt"), "cannot be read"),
        (("--script", tmp_path / "none" / "x.sql"), "cannot be written"),
        (("--script", script, "--target", "lab"), "exclude each other"),
    ):
        refused = run_alone("doctor", *arguments)
        assert (refused.code, refused.out) == (2, "")
        assert why in refused.err


def test_the_script_is_printed_line_by_line() -> None:
    """As a DBA would run it: a line end is one, not the code of one."""
    with served_lab() as lab:
        key = f"sqlserver://monitor@127.0.0.1:{lab.ports['DIST1']}?trust=yes"
        ran = run_alone("doctor", "--target", key, environment={"REPLITUNE_PASSWORD": "lab"})
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert "ALTER SERVER ROLE sysadmin ADD MEMBER [monitor];" in lines
    assert "ALTER SERVER ROLE sysadmin DROP MEMBER [monitor];" in lines
    assert "\\u000a" not in ran.out


def test_a_login_that_may_only_monitor_can_observe() -> None:
    """Observe mode needs no more than replmonitor, and says how little it sent."""
    with served_lab() as lab:
        port = lab.ports["DIST1"]
        ran = run_alone(
            "observe", "--json", "--target", f"sqlserver://monitor@127.0.0.1:{port}?trust=yes",
            environment={"REPLITUNE_PASSWORD": "lab"},
        )  # fmt: skip
    assert ran.code == 0, ran.err
    seen = ran.json()
    assert len(seen["agents"]) == 6
    assert seen["statements"] > 10
    assert seen["statement_ms"] > 0
