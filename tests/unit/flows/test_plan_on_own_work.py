"""A plan at a site whose backlog waits: as it will be run, from the moment the site was read."""

import re
from functools import cache

import pytest

from app.domain.plan import FEWEST_WINDOW_PAIRS, MOST_WINDOW_PAIRS, Stop
from app.domain.system import site_key
from app.domain.work_source import SOURCE, WorkSource, work_source_of
from app.flows.plan.designs_view import designs_view
from app.flows.plan.plan_form import PlanForm, plan_form
from app.flows.plan.plan_summary import summarise
from app.flows.target.proposals import proposals
from app.services.look.looking import look
from app.services.look.reading import TargetReading, read_dry_run, read_target
from app.services.plan.plan_outlook import plan_outlook
from app.systems.transactional_replication.load import OF_TEST_TABLE
from tests.unit.flows.sites import family, program

_INCIDENT = "lab:incident"
_DELIVERY = "distribution_agent"


@cache
def _reading() -> TargetReading:
    return read_target(_INCIDENT, program().families, program().parts.open_target)


def _form() -> PlanForm:
    return plan_form(family(_DELIVERY), dict(_reading().sites)[site_key(family(_DELIVERY))])


def test_a_form_chooses_the_backlog_and_asks_for_nothing_that_is_written() -> None:
    """What the site has is known by then, so that the form need not leave it open."""
    form = _form()
    assert form.field(f"workload.{SOURCE}").text == WorkSource.OWN_BACKLOG
    shown = {field.field_id for field in form.fields if field.is_shown}
    assert not shown & {f"workload.{name}" for name in (*OF_TEST_TABLE, "commands_per_transaction")}


def test_its_time_is_that_of_the_dry_run() -> None:
    """The estimate of the form is the one that is agreed to before the run."""
    form = _form()
    plan = form.to_plan()
    assert plan is not None
    assert plan.design.is_windowed
    assert plan.design.stop is Stop.MODEL
    dry = read_dry_run(plan, form.family, _INCIDENT, program().parts.open_target)
    said = summarise(form, None).estimate
    assert dry.plan.design == plan.design
    assert re.findall(r"\d+", said)[0] == str(len(dry.trials))
    assert "windows" in said
    assert "trials" not in said
    assert "trials" not in summarise(form, None).ways


@pytest.mark.parametrize("minutes", [20, 30, 60, 90])
def test_windows_that_fit_into_a_time_are_offered(minutes: int) -> None:
    """Fewer windows explore, and fewer pairs may be looked at: never more than are paid for, never nothing."""
    form = _form()
    plan = form.to_plan()
    assert plan is not None
    view = designs_view(plan, form.family, minutes * 60.0, None, form.site)
    assert view.lines
    for line in view.lines:
        design = line.plan.design
        assert design.is_windowed
        assert FEWEST_WINDOW_PAIRS <= (design.most_pairs or 0) <= MOST_WINDOW_PAIRS
        assert design.confirm_blocks == FEWEST_WINDOW_PAIRS
        outlook = plan_outlook(line.plan, form.family, form.at_hand)
        assert outlook.all_s <= minutes * 60.0
        assert line.title.endswith(f"exploring windows + {design.most_pairs} confirming pairs")
        assert "trials" not in line.spoken
        assert plan_form(form.family, form.site, line.plan).to_plan() == line.plan, "the form can be filled with it"


def test_a_time_too_short_for_any_windows_says_so() -> None:
    """The client's own work cannot be made smaller, so that it is not what is proposed."""
    form = _form()
    plan = form.to_plan()
    assert plan is not None
    view = designs_view(plan, form.family, 300.0, None, form.site)
    assert view.lines == ()
    assert view.note.replace("\xa0", " ").endswith("more than 5 min; try fewer values.")


def test_more_pairs_than_there_may_be_are_not_asked_for() -> None:
    """What even the most pairs do not show is said, instead of a number that nobody can enter."""
    form = _form()
    plan = form.to_plan()
    assert plan is not None
    assert plan_outlook(plan, form.family, form.at_hand).confirm_blocks_needed is None
    assert (
        "Even 16 confirming pairs, the most there may be, show no effect as small as 5" in summarise(form, None).power
    )


def test_its_card_says_the_same_as_its_form() -> None:
    """What is worth testing is priced as it will be run."""
    read = _reading()
    looked = look(_INCIDENT, program().advisor, program().parts.open_target)
    cards = proposals(read.discovery, looked, read.sites, program().families)
    costs = {card.family: card for card in cards}
    card = costs[_DELIVERY]
    made = plan_form(family(_DELIVERY), dict(read.sites)[site_key(family(_DELIVERY))], card.plan)
    assert re.fullmatch(r"\d+ windows, about .*", card.cost)
    assert re.findall(r"\d+", summarise(made, None).estimate)[0] == re.findall(r"\d+", card.cost)[0]


def test_what_nothing_waits_for_comes_after_what_can_be_measured_now() -> None:
    """The logs are read to their end: the backlog of the Distribution Agent is what a consultant was called for."""
    read = _reading()
    looked = look(_INCIDENT, program().advisor, program().parts.open_target)
    cards = proposals(read.discovery, looked, read.sites, program().families)
    assert next(card.family for card in cards if not card.is_forbidden) == _DELIVERY == cards[0].family
    assert [card.is_forbidden for card in cards] == sorted(card.is_forbidden for card in cards)
    reader = next(card for card in cards if card.family == "log_reader")
    assert reader.is_forbidden


def test_choosing_what_the_site_has_chooses_the_backlog_again() -> None:
    """A test table can be chosen, with its fields, and left again."""
    table = _form().enter(f"workload.{SOURCE}", WorkSource.TEST_TABLE)
    plan = table.to_plan()
    assert plan is not None
    assert not plan.design.is_windowed
    assert table.field("workload.commands").is_shown
    assert "design.confirm_blocks" in {field.field_id for field in table.fields}
    again = table.enter(f"workload.{SOURCE}", "").to_plan()
    assert again is not None
    assert work_source_of(again.load) is WorkSource.OWN_BACKLOG
