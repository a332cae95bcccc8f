"""How long a run may take is one number, wherever it is told before a run, and wherever it is held to."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.cli.dry_run_text import print_dry_run
from app.flows.plan.designs_view import designs_view
from app.flows.plan.dry_run_view import dry_run_heading
from app.flows.plan.plan_form import PlanForm, in_time, plan_form
from app.flows.plan.plan_summary import summarise
from app.flows.plan.preflight_view import consent_heading
from app.flows.plan.trial_grid import trial_grid
from app.flows.run.run_view import picture
from app.flows.shell.wizard import Choices
from app.foundation.durations import duration_text
from app.services.hand_over.result_json import dry_run_json
from app.services.look.reading import read_dry_run
from tests.unit.flows.run_events import new_state
from tests.unit.flows.sites import LAB, family, program, site
from tests.unit.flows.subjects import GROUPS, SEEDING, STREAMS, form_of

_WHERE = {"commit_mode": GROUPS, "seeding": SEEDING, "streams_apply": STREAMS}
_FAMILIES = ("log_reader", "distribution_agent", "wan_delivery", *_WHERE)
_SLOW = "lab:wan-128k"


def _form(family_id: str, target: str) -> PlanForm:
    form = plan_form(family(family_id), site(family_id)) if target == LAB else form_of(family_id, target)
    return form.enter("workload.backup_folder", "\\\\share\\backup") if family_id == "seeding" else form


@pytest.mark.parametrize("time_s", [None, 5_400.0])
@pytest.mark.parametrize(
    ("family_id", "target"),
    [*((name, _WHERE.get(name, LAB)) for name in _FAMILIES), ("distribution_agent", _SLOW), ("wan_delivery", _SLOW)],
)
def test_every_place_tells_the_same(
    family_id: str, target: str, time_s: float | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """Text, picture, designs, dry run, consent and what the runner is given, with and without a time of one's own."""
    form = in_time(_form(family_id, target), time_s)
    plan = form.to_plan()
    assert plan is not None
    dry = read_dry_run(plan, form.family, target, program().parts.open_target)
    assert dry.plan.most_s == dry.longest_s == dry_run_json(dry)["longest_s"]
    assert time_s is None or dry.longest_s <= time_s
    grid = trial_grid(form, None, time_s)
    print_dry_run(dry, target)
    assert grid is not None
    ready = Choices(target=target, family=family_id, plan=plan, folder=Path("/tmp/acme"), dry_run=dry)
    told = {
        "form": summarise(form, None).estimate,
        "picture": grid.sentence,
        "picture in words": grid.spoken,
        "dry run": dry_run_heading(dry, target),
        "dry run in a terminal": capsys.readouterr().out,
        "consent": consent_heading(dry),
        "run": picture(new_state(), ready).detail,
    }
    longest = duration_text(dry.longest_s)
    assert {where for where, text in told.items() if longest not in text.replace("\u00a0", " ")} == set()


def test_designs_that_fit_end_at_the_time_there_is() -> None:
    """Their runs may take no longer, and say so."""
    form = _form("distribution_agent", _SLOW)
    plan = replace(form.base, load=form.base.load.but(commands=4_000))
    view = designs_view(plan, form.family, 4 * 3_600.0, None, form.site)
    assert view.lines
    for line in view.lines:
        dry = read_dry_run(line.plan, form.family, _SLOW, program().parts.open_target)
        assert dry.longest_s <= 4 * 3_600.0
        assert duration_text(dry.longest_s) in line.note.replace("\u00a0", " ")
