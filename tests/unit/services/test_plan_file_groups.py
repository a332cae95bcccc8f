"""Plan files of families with words as levels and load fields of their own."""

from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.domain.limits import Limits, usual_limits
from app.domain.load import complete_load
from app.domain.plan import Design, Factor, Plan
from app.domain.setting import EMPTY_SETTING, Setting
from app.services.plan.plan_file import dump_plan, load_plan, save_plan
from app.systems.availability_groups.families.commit_mode import FAMILY
from tests.unit.runner.commit_runs import commit_plan

SMALLEST = 'family = "commit_mode"\n[factors]\navailability_mode = ["async", "sync"]\n'


def loaded(folder: Path, text: str) -> Plan:
    """Return the plan a file with this text holds."""
    path = folder / "plan.toml"
    path.write_text(text, encoding="utf-8")
    return load_plan(path, {"commit_mode": FAMILY})


def test_the_smallest_plan_takes_its_load_from_the_fields(tmp_path: Path) -> None:
    """Family and factors are enough; nothing is confirmed, because nothing is explored."""
    assert loaded(tmp_path, SMALLEST) == Plan(
        "commit_mode",
        (Factor("availability_mode", ("async", "sync")),),
        EMPTY_SETTING,
        design=Design(confirm_blocks=0, further_blocks=0),
        limits=usual_limits(FAMILY.limit_fields),
        load=complete_load(FAMILY.load_fields, {}, "test"),
    )


def test_every_key_is_read_as_it_stands(tmp_path: Path) -> None:
    """Words, lists and numbers of the load, limits of groups, a baseline in words."""
    text = SMALLEST + (
        'log_stream_compression = ["default", "on"]\n[baseline]\navailability_mode = "sync"\n'
        '[workload]\ngroup = "Group \\"1\\""\ninserts = [1, 1_000]\nbudget_s = 20\n'
        "[design]\nblocks = 5\n"
        "[limits]\ncommit_delay_ms = 20\nsend_queue_mb = 500\nredo_queue_mb = 1_000.5\n"
    )
    plan = loaded(tmp_path, text)
    assert plan.baseline == Setting.of(availability_mode="sync")
    assert plan.load["group"] == 'Group "1"'
    assert plan.load["inserts"] == (1, 1_000)
    assert plan.load["budget_s"] == 20.0
    assert plan.design == Design(blocks=5, confirm_blocks=0, further_blocks=0)
    usual = usual_limits(FAMILY.limit_fields)
    assert plan.limits == usual.but(commit_delay_ms=20.0, send_queue_mb=500.0, redo_queue_mb=1_000.5)


@pytest.mark.parametrize(
    "plan",
    [
        FAMILY.default_plan(),
        commit_plan(
            group='A "quoted" group',
            database="Ünïcode",
            limits=Limits.of(commit_delay_ms=5.5, trial_duration_s=60.0),
            blocks=2,
        ),
    ],
    ids=["default", "other"],
)
def test_a_plan_written_is_read_back_the_same(tmp_path: Path, plan: Plan) -> None:
    """Nothing is lost on the way through a file, and the load of replication agents does not stand in it."""
    path = tmp_path / "plan.toml"
    save_plan(path, plan, FAMILY)
    assert load_plan(path, {"commit_mode": FAMILY}) == plan
    assert "commands_per_transaction" not in dump_plan(plan, FAMILY)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            ('["async", "sync"]', '["async", "quick"]'),
            'availability_mode must be one of standalone, async, sync, not "quick"',
        ),
        (('["async", "sync"]', '["async", 1]'), 'availability_mode must be one of standalone, async, sync, not "1"'),
        (
            ("SMALL", "[workload]\ncommands = 5\n"),
            'key "workload.commands" is unknown; known are group, source, window_s, database',
        ),
        (("SMALL", "[workload]\ninserts = []\n"), "inserts must be a list of different whole numbers from 1 to"),
        (("SMALL", "[workload]\ninserts = [1, 1]\n"), "inserts must be a list of different whole numbers from 1 to"),
        (("SMALL", "[workload]\nloops = 0\n"), "loops must be a whole number from 1 to 1,000, not 0"),
        (("SMALL", "[workload]\ngroup = 7\n"), "group must be a text in quotes, not 7"),
        (("SMALL", '[design]\nstop = "race"\n'), "commit_mode compares all its settings in every block"),
        (("SMALL", "[design]\nconfirm_blocks = 2\n"), "leave stop, confirm_blocks and further_blocks out of [design]"),
        (("SMALL", "[limits]\nsend_queue_mb = 0\n"), 'key "limits.send_queue_mb" must be greater than 0'),
    ],
)
def test_each_mistake_has_one_sentence(tmp_path: Path, change: tuple[str, str], sentence: str) -> None:
    """File, key, what is wrong and what is allowed."""
    old, new = change
    text = SMALLEST + new if old == "SMALL" else SMALLEST.replace(old, new)
    with pytest.raises(BadInput) as caught:
        loaded(tmp_path, text)
    assert sentence in str(caught.value)
    assert str(tmp_path / "plan.toml") in str(caught.value)
