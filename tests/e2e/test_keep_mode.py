"""A commit mode that a client keeps on purpose: agreed to with what it risks, in effect, and undone by its name."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.bootstrap import load_families
from app.domain.change import Keep
from app.domain.errors import BadInput
from app.domain.setting import Setting
from app.flows.run.keep_view import consent_question, offer_text, read_keep_offer
from app.services.run.keeping import refuse_endless
from tests.contract.families.own_work import OWN_WORK, own_plan
from tests.e2e.program import call
from tests.prove.kept_on_purpose import COMMIT_PLAN, SUBJECTS, ConfirmedRun, run_to_confirm
from tests.prove.killing import lab_server

SUBJECT = SUBJECTS["commit_mode"]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConfirmedRun]:
    """A run that showed what synchronous commit costs, at a group that is synchronous."""
    folder = tmp_path_factory.mktemp("kept-mode")
    with lab_server(SUBJECT.site(folder)) as target:
        yield run_to_confirm(folder, target, SUBJECT)


def test_the_mode_shown_to_be_better_is_offered_against_the_one_in_effect(measured: ConfirmedRun) -> None:
    """The plan's own baseline is asynchronous, and the group is not: the question names what it would replace."""
    found = measured.found
    assert found.run.plan.baseline == found.setting == Setting.of(availability_mode="async")
    assert found.instead == Setting.of(availability_mode="sync")
    assert found.hows == (Keep.FOR_GOOD,)
    question = consent_question(found, Keep.FOR_GOOD)
    assert "availability_mode async instead of availability_mode sync" in question
    assert "commits of AG_ORDERS wait for no secondary" in question
    assert "a failover may lose data that was committed." in question
    offer = read_keep_offer(measured.place, load_families(), measured.journal, found.session_id)
    assert "There is no backlog to catch up here" in offer_text(offer, is_keeping=False)


def test_a_kept_mode_stays_until_it_is_undone(measured: ConfirmedRun) -> None:
    """No restore touches it, the report says so, and the command that it names undoes it."""
    before = SUBJECT.read(measured.target)
    kept = call(
        "run", "--keep", "keep", "--agree-to-keep", "--out", measured.place.folder, "--journal", measured.journal
    )
    assert kept.code == 0, kept.err
    assert "a failover may lose data that was committed" in kept.err
    assert SUBJECT.is_kept(SUBJECT.read(measured.target))
    restored = measured.restore()
    assert (restored.restored, restored.problems) == ((), ())
    assert restored.cautions
    assert SUBJECT.is_kept(SUBJECT.read(measured.target))
    undone = call("undo", measured.found.session_id, "--journal", measured.journal)
    assert (undone.code, SUBJECT.read(measured.target)) == (0, before)
    assert (measured.state.entries, measured.state.kept) == ((), ())


def test_killed_while_a_mode_is_kept_it_is_kept_as_a_whole_or_not_at_all(measured: ConfirmedRun) -> None:
    """Before the journal says so any restore undoes it; afterwards none does."""
    found = SUBJECT.read(measured.target)
    whole = measured.keep_and_kill(0, Keep.FOR_GOOD).moments
    assert whole is not None
    measured.check_and_undo(found, "not killed")
    marked = whole.index("mark_kept") + 1
    for at in (*(whole.index(name) + 1 for name in ("set_failover_mode", "set_availability_mode")), marked):
        assert measured.keep_and_kill(at, Keep.FOR_GOOD).moments is None
        assert bool(measured.state.kept) == (at == marked)
        measured.check_and_undo(found, f"killed at {at}, {whole[at - 1]}")


def test_until_caught_up_is_refused_before_anything_is_measured(measured: ConfirmedRun, tmp_path: Path) -> None:
    """No backlog waits for a mode: said in one sentence, by the command line before its run, too."""
    plan = tmp_path / "plan.toml"
    plan.write_text(COMMIT_PLAN, encoding="utf-8")
    rest = ("--keep", "until-caught-up", "--agree-to-keep", "--journal", tmp_path / "undo.journal")
    ended = call("run", plan, "--target", measured.target, "--out", tmp_path / "out", *rest)
    assert ended.code == 2
    assert ended.err.count("\n") == 1
    assert "there is no backlog to catch up" in ended.err
    assert "there is no backlog to catch up" in call("run", "--out", measured.place.folder, *rest).err
    assert measured.state.kept == ()


@pytest.mark.parametrize(("family_id", "source"), OWN_WORK)
def test_what_is_endless_is_where_no_capacity_shows(family_id: str, source: object) -> None:
    """Of every family: kept until a backlog is processed only where there is one."""
    family = load_families()[family_id]
    plan = own_plan(family, source)  # type: ignore[arg-type]  # as OWN_WORK has them
    refuse_endless(family, plan, Keep.FOR_GOOD)
    if family.rest_steps(plan):
        refuse_endless(family, plan, Keep.UNTIL_CAUGHT_UP)
        return
    with pytest.raises(BadInput, match="no backlog to catch up"):
        refuse_endless(family, plan, Keep.UNTIL_CAUGHT_UP)
