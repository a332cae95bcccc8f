"""`run --dry-run --for-dba`: the paper that the client's DBA agrees to before a visit, of every family."""

from pathlib import Path

import pytest

from app.services.plan.plan_file import dump_plan
from tests.contract.families.lab_runs import FAMILIES, LABS, small_plan
from tests.e2e.program import call

HEADINGS = (
    "What will be tested",
    "What happens on each server",
    "How long it takes",
    "What is changed, and changed back",
    "Rights",
    "What was checked already",
    "Agreement",
)
NO_ROW = "No statement writes a row of its own"


def paper_of(folder: Path, target: str, plan: str) -> str:
    """Return the paper of a plan as Markdown."""
    out = folder / "before.md"
    (folder / "plan.toml").write_text(plan, "utf-8")
    ended = call("run", folder / "plan.toml", "--target", target, "--dry-run", "--for-dba", out)
    assert ended.code == 0, ended.err
    return out.read_text("utf-8").replace("\\", "")  # Markdown's own


@pytest.mark.parametrize("family_id", FAMILIES)
def test_the_paper_says_all_a_dba_agrees_to(family_id: str, tmp_path: Path) -> None:
    """What, where, how long, which changes, rights, checks, and lines to sign."""
    plan = small_plan(FAMILIES[family_id])
    paper = paper_of(
        tmp_path, f"lab:{LABS.get(FAMILIES[family_id].subject, 'lan')}", dump_plan(plan, FAMILIES[family_id])
    )
    told = [line.removeprefix("## ") for line in paper.splitlines() if line.startswith("## ")]
    assert [heading for heading in told if heading in HEADINGS] == list(HEADINGS)
    for factor in plan.factors:
        assert factor.name in paper
    assert "signature" in paper.partition("## Agreement")[2]


def test_work_of_the_clients_own_is_said_to_write_nothing(tmp_path: Path) -> None:
    """And a test table's is not."""
    own = 'family = "distribution_agent"\n[factors]\nSubscriptionStreams = [1, 8]\n[workload]\nsource = "{}"\n'
    assert NO_ROW in paper_of(tmp_path, "lab:incident", own.format("own_backlog"))
    assert NO_ROW not in paper_of(tmp_path, "lab:lan", own.format("test_table"))


@pytest.mark.parametrize("more", [["--for-dba", "x.pdf"], ["--dry-run", "--for-dba", "x.csv"]])
def test_it_goes_with_a_dry_run_and_a_report(tmp_path: Path, more: list[str]) -> None:
    """One sentence, exit code 2."""
    (tmp_path / "plan.toml").write_text("", "utf-8")
    ended = call("run", tmp_path / "plan.toml", "--target", "lab", *more)
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert not (tmp_path / "x.pdf").exists()


def test_a_dry_run_of_guided_work_is_refused_as_the_run_is(tmp_path: Path) -> None:
    """In the same words: nobody shows a client what cannot be done."""
    plan = tmp_path / "plan.toml"
    plan.write_text('family = "distribution_agent"\n[factors]\nSubscriptionStreams = [1, 8]\n', "utf-8")
    asked = ("run", plan, "--target", "lab:lan", "--guided", "--out", tmp_path / "out")
    shown, run = call(*asked, "--dry-run"), call(*asked)
    assert (shown.code, shown.out) == (2, "")
    assert "cannot run guided here: this lab runs inside the program" in shown.err
    assert shown.err == run.err
