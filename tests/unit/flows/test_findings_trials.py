"""The table of trials, and one trial with everything that was measured."""

from dataclasses import replace

import pytest

from app.domain.measurement import Sample, TrialStatus
from app.flows.explain.trial_view import telling_stream, trial_detail, trials_table
from app.reporting.tables.trials import measured_cell, trial_key
from app.reporting.wording import Vocabulary
from tests.report.sample import FAMILIES, full_session, imported_request

WORDS = Vocabulary(FAMILIES)


def test_every_trial_has_a_row_also_one_that_was_not_used() -> None:
    """No trial is left out; one that was not used says why."""
    session = full_session()
    table = trials_table(session, WORDS)
    trials = [trial for run in session.runs for trial in run.trials]
    assert len(table.rows) == len(trials)
    assert len({row.key for row in table.rows}) == len(trials)
    keys = [column.key for column in table.columns]
    unused = [trial for trial in trials if trial.status is not TrialStatus.USED]
    assert unused
    row = next(row for row in table.rows if row.cells[0].text == unused[0].trial_id)
    assert row.cells[keys.index("failed_checks")].text == "; ".join(unused[0].failed_checks)
    assert row.cells[keys.index("happenings")].text == "; ".join(h.text for h in unused[0].happenings)


def test_a_trial_shows_its_facts_measures_and_readings() -> None:
    """From a trial one reaches where and when it ran, every measure with its unit, and its readings."""
    session = full_session()
    run = session.runs[1]
    detail = trial_detail(session, trial_key(run.plan.family, run.trials[0].trial_id), WORDS)
    assert detail is not None
    assert detail.title == f"Trial {run.trials[0].trial_id}"
    names = [name for name, _text in detail.facts]
    assert {"Experiment", "Setting", "Block", "Phase", "Status", "Target", "Started", "Took"} <= set(names)
    assert len(detail.measures.rows) == len(run.trials[0].measurements)
    assert detail.samples == run.trials[0].samples


def test_a_trial_nobody_knows_has_no_detail() -> None:
    """A key that belongs to no trial gives nothing."""
    assert trial_detail(full_session(), "log_reader/E9-T999", WORDS) is None


def test_a_trial_that_ended_early_says_that_it_has_no_readings() -> None:
    """A trial without readings or measures says so."""
    session = full_session()
    run = session.runs[0]
    ended = replace(
        run.trials[0], status=TrialStatus.ABORTED, measurements=(), samples=(), failed_checks=("cancelled",)
    )
    changed = replace(session, runs=(replace(run, trials=(ended,)),))
    detail = trial_detail(changed, trial_key(run.plan.family, ended.trial_id), WORDS)
    assert detail is not None
    assert detail.problems == ("cancelled",)
    assert detail.no_samples == "The trial ended before its first reading."
    assert detail.measures.rows == ()


def test_a_trial_from_elsewhere_names_its_file() -> None:
    """A trial made elsewhere says where it is from, and that there are no readings."""
    session = imported_request().session
    first = session.imported[0]
    detail = trial_detail(session, trial_key(first.family, first.trial_id), WORDS)
    assert detail is not None
    assert detail.facts[-1] == ("Measured", f"elsewhere, from {session.imported_from}")
    assert "elsewhere" in detail.no_samples


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (float("nan"), "–"), (0.0, "0"), (0.04512, "0.04512"), (53.5312, "53.53"), (12_345.6, "12,346")],
)
def test_measures_have_four_significant_digits(value: float | None, text: str) -> None:
    """Values are short enough to compare and long enough to tell apart."""
    assert measured_cell(value).text == text


def test_the_stream_that_changes_most_is_shown_first() -> None:
    """A flat line tells nothing; the stream with most different values comes first."""
    flat = [Sample("flat", float(t), 0.0, "s") for t in range(5)]
    falling = [Sample("falling", float(t), 9.0 - t, "commands") for t in range(5)]
    assert telling_stream([*flat, *falling]) == "falling"
    assert telling_stream([]) == ""
