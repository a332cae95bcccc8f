"""The trials of a plan in time: the very trials of the dry run, with times that add up, and nothing drawn as known."""

from datetime import UTC, datetime

import pytest

from app.domain.plan import Phase
from app.flows.plan.plan_form import PlanForm, plan_form
from app.flows.plan.trial_grid import RowKind, TrialGrid, trial_grid
from app.services.plan.checking import prepare_run
from app.services.plan.dry_run import make_dry_run
from app.services.plan.plan_outlook import plan_outlook
from tests.unit.flows.sites import LAB, family, program, site
from tests.unit.flows.subjects import GROUPS, STREAMS, form_of

NINE = datetime(2026, 3, 2, 9, 12, tzinfo=UTC)
HOUR_S = 3_600.0
_LABS = {
    "log_reader": LAB,
    "distribution_agent": LAB,
    "wan_delivery": LAB,
    "commit_mode": GROUPS,
    "streams_apply": STREAMS,
}
every_family = pytest.mark.parametrize("family_id", list(_LABS))


def _form(family_id: str = "log_reader") -> PlanForm:
    if _LABS[family_id] != LAB:
        return form_of(family_id, _LABS[family_id])
    return plan_form(family(family_id), site(family_id))


def _grid(form: PlanForm, now: datetime | None = NINE, time_s: float | None = None) -> TrialGrid:
    grid = trial_grid(form, now, time_s)
    assert grid is not None
    return grid


def _stopping(stop: str) -> TrialGrid:
    return _grid(_form().enter("design.stop", stop))


@every_family
@pytest.mark.parametrize("stop", ["blocks", "race", "model"])
def test_the_boxes_are_the_trials_of_the_dry_run(family_id: str, stop: str) -> None:
    """In its order, one behind the other, in bands that are its blocks; a row for each setting it names."""
    form = _form(family_id)
    if not form.family.compares_all:
        form = form.enter("design.stop", stop)
    plan = form.to_plan()
    assert plan is not None
    opened = program().parts.open_target(_LABS[family_id], 1, lambda _record: None)
    try:
        dry = make_dry_run(prepare_run(plan, form.family, opened, LAB), opened)
    finally:
        opened.close()
    grid = _grid(form)
    assert [box.phase for box in grid.boxes] == [trial.phase for trial in dry.trials]
    rows: dict[int, set[str]] = {}
    for box, trial in zip(grid.boxes, dry.trials, strict=True):
        rows.setdefault(box.row, set()).add(trial.setting)
    assert all(len(settings) == 1 for settings in rows.values())
    assert len(rows) == len(grid.rows) == len({trial.setting for trial in dry.trials})
    assert len(grid.bands) == len({(trial.block, trial.phase) for trial in dry.trials})
    ends = [box.end_s for box in grid.boxes]
    assert [box.start_s for box in grid.boxes] == [0.0, *ends[:-1]]
    assert ends[-1] == grid.end.at_s == pytest.approx(dry.duration_s)


@every_family
def test_times_add_up_to_the_outlook(family_id: str) -> None:
    """Boxes fill their bands, bands the phases, phases the time until the end."""
    form = _form(family_id)
    plan = form.to_plan()
    assert plan is not None
    grid, duration_s = _grid(form), plan_outlook(plan, form.family, form.at_hand).duration_s
    for parts in (grid.boxes, grid.bands, grid.phases):
        assert sum(part.end_s - part.start_s for part in parts) == pytest.approx(duration_s)
    assert grid.bands[-1].end_s == grid.phases[-1].end_s == pytest.approx(duration_s)
    assert grid.length_s >= duration_s


def test_the_baseline_comes_first_as_what_it_is_today() -> None:
    """Unless somebody typed another, which is only the baseline; what leads is one row more."""
    rows = _grid(_form()).rows
    assert [row.label for row in rows] == ["500 today", "1,000", "2,500", "5,000", "10,000", "the leading value"]
    assert rows[0].whole == "ReadBatchSize 500, as it is today and the baseline"
    assert [rows[0].kind, rows[1].kind, rows[-1].kind] == [RowKind.BASELINE, RowKind.SETTING, RowKind.LEADER]
    other = _grid(_form().enter("baseline.ReadBatchSize", "1000")).rows
    assert (other[0].label, other[0].kind) == ("1,000 baseline", RowKind.BASELINE)
    unread = plan_form(family("log_reader"), None, _form().to_plan())
    assert _grid(unread).rows[0].label == "500 baseline"


def test_words_and_two_parameters_are_named_as_a_person_calls_them() -> None:
    """Choices by their titles, both parameters above them."""
    grid = _grid(_form("commit_mode"))
    assert grid.head == "availability_mode × log_stream_compression"
    assert grid.rows[0].label == "asynchronous × the version's default today"
    assert {phase.text for phase in grid.phases} == {"comparing"}
    assert {band.phase for band in grid.bands} == {Phase.CONFIRM}
    assert grid.further is None


def test_a_model_is_drawn_by_what_is_certain_alone() -> None:
    """It begins with the baseline; which settings follow, and how many, nobody knows: at most so many."""
    grid = _stopping("model")
    assert [row.kind for row in grid.rows] == [RowKind.BASELINE, RowKind.MODEL, RowKind.LEADER]
    exploring = [box for box in grid.boxes if box.phase is Phase.EXPLORE]
    assert [box.is_certain for box in exploring] == [True, *[False] * 14]
    assert {grid.rows[box.row].kind for box in exploring[1:]} == {RowKind.MODEL}
    assert grid.phases[0].text == "exploring, at most"
    assert grid.sentence.startswith(
        "At most 262\u00a0min: 187 exploring, less where the model is sure earlier, 75 confirming"
    )
    assert "14 × by the model" in grid.spoken
    assert {band.label for band in grid.bands} == {""}


@pytest.mark.parametrize(("noise", "complete"), [("", 2), ("3", 1)])
def test_a_race_is_certain_until_it_may_drop_a_setting(noise: str, complete: int) -> None:
    """Two complete blocks, one where the noise is stated; later ones are drawn as what may run."""
    grid = _grid(_form().enter("design.stop", "race").enter("design.noise_cv", noise))
    assert [band.is_certain for band in grid.bands] == [number <= complete or number > 3 for number in range(1, 7)]
    assert [box.is_certain for box in grid.boxes[:15]] == [place < 5 * complete for place in range(15)]
    assert "less where the race drops settings" in grid.sentence


def test_blocks_are_certain() -> None:
    """A fixed number of blocks runs as it is drawn."""
    grid = _stopping("blocks")
    assert all(box.is_certain for box in grid.boxes)
    assert all(band.is_certain for band in grid.bands)
    assert [band.label for band in grid.bands] == ["1", "2", "3", "4", "5", "6"]
    assert grid.boxes[0].words == "Trial 1, block 1: ReadBatchSize 1,000, 09:12 to 09:24"


def test_the_axis_is_the_time_of_day_and_on_a_lab_the_time_passed() -> None:
    """Beginning with the start; what is past midnight says so."""
    assert [tick.text for tick in _grid(_form()).ticks] == ["09:12", "11:12", "13:12", "15:12"]
    on_a_lab = _grid(_form(), None)
    assert ([tick.text for tick in on_a_lab.ticks], on_a_lab.unit) == (["0", "120", "240", "360"], "min")
    assert on_a_lab.end.text == "262\u00a0min"
    quick = _form().enter("workload.commands", "1000")
    assert _grid(quick, None).unit == "s"
    late = _grid(_form(), NINE.replace(hour=22))
    assert late.end.text == "02:34 +1"
    months = _grid(_form().enter("design.blocks", "100"), None)
    assert len(months.ticks) <= 7
    assert months.unit == "h"


@pytest.mark.parametrize(
    ("hours", "is_late", "is_beyond", "told"),
    [
        (4.0, True, False, "Too long by 22 min."),
        (5.0, False, False, "38 min to spare before 14:12, too little for all that may follow."),
        (6.0, False, False, "98 min to spare before 15:12, too little for all that may follow."),
        (8.0, False, False, "3 h 40 min to spare before 17:12."),
        (20.0, False, True, "to spare before 2026-03-03 05:12."),
    ],
)
def test_the_time_there_is_is_held_against_the_end(hours: float, is_late: bool, is_beyond: bool, told: str) -> None:
    """Late, in time without what may follow, in time with it, and far beyond, which leaves the trials their room."""
    grid = _grid(_form(), time_s=hours * HOUR_S)
    assert grid.limit is not None
    assert grid.end.is_late is is_late
    assert grid.limit.is_beyond is is_beyond
    assert grid.in_hand.replace("\u00a0", " ").endswith(told)
    assert grid.in_hand in grid.spoken
    assert grid.limit.at_s <= grid.length_s <= 1.5 * (grid.end.at_s + 16 * 750.0)
    nobody_said = _grid(_form())
    assert nobody_said.limit is None
    assert not nobody_said.end.is_late
    assert nobody_said.in_hand == ""


def test_what_may_follow_is_told_and_drawn_behind_the_end() -> None:
    """Ten trials that settle and three confirming blocks at most here: the picture holds as many as the words say."""
    grid = _grid(_form())
    assert grid.further is not None
    assert grid.further.start_s == grid.end.at_s
    assert grid.further.end_s == pytest.approx(grid.end.at_s + 16 * 750.0)
    assert "up to 16 more follow" in grid.further.words
    assert "Up to 16 more may follow" in grid.sentence
    fewer = _form().enter("design.further_blocks", "0")
    assert "Up to 10 more may follow" in _grid(fewer).sentence
    assert _grid(fewer.enter("design.settling_trials", "0")).further is None


def test_the_picture_is_told_in_words() -> None:
    """Every block with its start and its settings in order; of very many the first."""
    spoken = _grid(_form()).spoken
    assert "Block 1, exploring, from 09:12: 1,000, 10,000, 2,500, 500 today, 5,000." in spoken
    assert "Block 4, confirming, from 12:19: the leading value, 500 today." in spoken
    many = _grid(_form().enter("design.blocks", "60")).spoken
    assert many.endswith("51 more blocks.")


def test_an_incomplete_form_has_no_grid() -> None:
    """Nothing is drawn of a plan there is not."""
    assert trial_grid(_form().enter("design.blocks", "x"), NINE) is None


def test_no_confirming_trial_leaves_no_row_for_what_leads() -> None:
    """A plan that only explores claims nothing and has no winner to confirm."""
    grid = _grid(_form().enter("design.confirm_blocks", "0").enter("design.further_blocks", "0"))
    assert RowKind.LEADER not in {row.kind for row in grid.rows}
    assert len(grid.phases) == 1


def test_two_parameters_cross() -> None:
    """Each setting has its row, its values joined."""
    form = _form().enter("vary.PollingInterval", "on").enter("levels.PollingInterval", "1, 5")
    grid = _grid(form)
    assert grid.head == "PollingInterval × ReadBatchSize"
    assert len(grid.rows) > 10
    assert grid.rows[1].label == "1 × 500"
    assert grid.rows[1].whole == "PollingInterval 1, ReadBatchSize 500"
