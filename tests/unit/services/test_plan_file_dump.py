"""Plans written to files and read back."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from app.domain.errors import BadInput
from app.domain.limits import Limits
from app.domain.plan import Plan
from app.domain.setting import Setting
from app.services.plan.plan_file import dump_plan, load_plan, save_plan
from tests.unit.flows.sites import family, program
from tests.unit.flows.test_plan_form import plans


@given(plan=plans())
@settings(max_examples=60)
def test_a_plan_written_is_read_back_the_same(tmp_path_factory: pytest.TempPathFactory, plan: Plan) -> None:
    """Nothing is lost or rounded on the way through a file."""
    path = tmp_path_factory.mktemp("plans") / "plan.toml"
    save_plan(path, plan, family("distribution_agent"))
    assert load_plan(path, dict(program().families)) == plan


@pytest.mark.parametrize("family_id", ["log_reader", "distribution_agent", "wan_delivery"])
def test_the_plan_of_each_family_survives(tmp_path: Path, family_id: str) -> None:
    """Also without a baseline, as a plan that leaves it to the target."""
    path = tmp_path / "plan.toml"
    for plan in (family(family_id).default_plan(), replace(family(family_id).default_plan(), baseline=Setting())):
        save_plan(path, plan, family(family_id))
        assert load_plan(path, dict(program().families)) == plan


def test_no_limit_is_written_as_none(tmp_path: Path) -> None:
    """A limit that has a default is switched off by the word none; any other word is refused."""
    plan = replace(family("log_reader").default_plan(), limits=Limits())
    text = dump_plan(plan, family("log_reader"))
    assert 'log_used_share = "none"' in text
    assert 'free_disk_gb = "none"' in text
    path = tmp_path / "plan.toml"
    path.write_text(text.replace('"none"', '"never"'), encoding="utf-8")
    with pytest.raises(BadInput, match="log_used_share"):
        load_plan(path, dict(program().families))


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """The sentence names the file and the reason."""
    with pytest.raises(BadInput, match=r"plan\.toml cannot be written"):
        save_plan(tmp_path / "missing" / "plan.toml", family("log_reader").default_plan(), family("log_reader"))
