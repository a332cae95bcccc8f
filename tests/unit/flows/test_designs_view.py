"""The designs that fit into the time there is, as rows."""

from datetime import UTC, datetime

from app.flows.plan.designs_view import DesignsView, designs_view
from app.flows.plan.plan_form import PlanForm, plan_form
from app.flows.plan.plan_summary import percent_text
from app.services.plan.plan_outlook import plan_outlook
from tests.unit.flows.sites import family, site
from tests.unit.flows.subjects import GROUPS, form_of

NINE = datetime(2026, 3, 2, 9, 12, tzinfo=UTC)
HOUR_S = 3_600.0


def _form() -> PlanForm:
    return plan_form(family("log_reader"), site("log_reader"))


def _view(form: PlanForm, hours: float, now: datetime | None = NINE) -> DesignsView:
    plan = form.to_plan()
    assert plan is not None
    return designs_view(plan, form.family, hours * HOUR_S, now)


def _broken(text: str) -> str:
    """Return a text without what keeps its lines together."""
    return text.replace("\u00a0", " ")


def test_each_row_says_what_its_plan_comes_to() -> None:
    """Blocks, values, time and the smallest effect are those of the plan that choosing it fills in."""
    view = _view(_form(), 5.0)
    assert [line.title for line in view.lines] == [
        "2 exploring + 8 confirming",
        "2 exploring + 7 confirming",
        "3 exploring + 1 confirming",
    ]
    assert [_broken(line.note) for line in view.lines] == [
        "without ReadBatchSize 5,000, 5 h",
        "5 settings, 5 h",
        "5 settings, 3 h 30 min, at most 5 h",
    ]
    for line in view.lines:
        outlook = plan_outlook(line.plan, _form().family)
        assert outlook.shown_effect is not None
        assert line.effect == percent_text(outlook.shown_effect)
        assert outlook.duration_s <= 5 * HOUR_S
        assert line.spoken == f"{line.title}: {line.note}, shows {line.effect} or more"
    assert _broken(view.note) == (
        "5 % shown 8 times in 10 takes about 8 h 45 min with all that may follow. Started now, that ends at 17:57."
    )


def test_what_a_plan_is_among_the_rows_is_known() -> None:
    """The design that stands in the form is found, another plan is not."""
    view = _view(_form(), 5.0)
    assert [view.place_of(line.plan) for line in view.lines] == [0, 1, 2]
    assert view.place_of(_form().to_plan()) is None
    assert view.place_of(None) is None


def test_where_nothing_fits_what_would_is_offered() -> None:
    """A smaller workload and a model that guides the plan, each a row to choose."""
    view = _view(_form(), 0.5, None)
    assert view.lines
    assert all("smaller workload" in line.note for line in view.lines)
    assert _broken(view.note).startswith(
        "As it is, the plan takes 3 h 20 min at least with all that may follow. These fit into 30 min."
    )


def test_where_nothing_fits_at_all_the_shortest_is_told() -> None:
    """With what to do about it, and the time that shows the smallest effect."""
    view = _view(_form(), 0.01, None)
    assert view.lines == ()
    assert _broken(view.note).splitlines() == [
        "Even the shortest design takes about 3 h 20 min with all that may follow, more than 36 s; try fewer values "
        "or a smaller workload.",
        "5 % shown 8 times in 10 takes about 8 h 45 min with all that may follow.",
    ]


def test_enough_time_needs_no_note() -> None:
    """A design that fits shows the smallest effect: nothing takes longer."""
    assert _view(_form(), 24.0).note == ""


def test_what_may_end_earlier_is_at_most_so_long() -> None:
    """A race explores in so many blocks at most, a model so many trials."""
    race, model = (_view(_form().enter("design.stop", stop), 5.0).lines for stop in ("race", "model"))
    assert [line.title for line in race[:2]] == [
        "At most 2 exploring + 8 confirming",
        "At most 2 exploring + 7 confirming",
    ]
    assert [line.title for line in model[:2]] == [
        "At most 8 exploring trials + 8 confirming",
        "At most 10 exploring trials + 7 confirming",
    ]


def test_where_everything_is_compared_there_are_only_blocks() -> None:
    """No exploring and no confirming."""
    (line,) = _view(form_of("commit_mode", GROUPS), 1.0, None).lines
    assert line.title == "7 blocks"
    assert _broken(line.note) == "3 settings, 60 min"
