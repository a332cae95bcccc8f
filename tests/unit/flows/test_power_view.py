"""The curve of what a plan can show: the same numbers as the sentence beside it, and close to the exact chance."""

import math

import pytest
from scipy import stats

from app.analysis.power import Question, smallest_effect
from app.domain.plot import Mark, Series
from app.flows.plan.plan_form import PlanForm, plan_form
from app.flows.plan.power_view import power_plot
from app.services.plan.plan_outlook import plan_outlook
from tests.unit.flows.sites import family, site
from tests.unit.flows.subjects import GROUPS, form_of


def _form() -> PlanForm:
    return plan_form(family("log_reader"), site("log_reader"))


def _curves(form: PlanForm) -> tuple[Series, ...]:
    plan = form.to_plan()
    assert plan is not None
    spec = power_plot(plan, form.family)
    assert spec is not None
    return tuple(series for series in spec.series if series.mark is Mark.LINE)


def test_the_curve_passes_through_the_effect_that_the_sentence_names() -> None:
    """8 times in 10 the plan shows what its summary says; larger effects are shown more often."""
    form = _form()
    plan = form.to_plan()
    assert plan is not None
    shown = plan_outlook(plan, form.family).shown_effect
    own, _other = _curves(form)
    assert own.x[own.y.index(80.0)] == pytest.approx(100 * (shown or 0))
    assert list(own.x) == sorted(own.x)


def test_the_other_curve_is_the_design_that_shows_the_smallest_effect() -> None:
    """With the blocks that the sentence asks for, the wanted effect is shown 8 times in 10 or more often."""
    _own, other = _curves(_form())
    assert other.label == "11 confirmation blocks"
    assert other.x[other.y.index(80.0)] <= 5.0
    assert other.is_dashed
    enough = _curves(_form().enter("design.confirm_blocks", "11").enter("design.further_blocks", "0"))
    assert len(enough) == 1


def test_more_noise_moves_the_curve_to_larger_effects() -> None:
    """The form's noise is the curve's."""
    calm, noisy = (_curves(_form().enter("design.noise_cv", noise))[0] for noise in ("2", "6"))
    assert all(more > less for more, less in zip(noisy.x[4:], calm.x[4:], strict=True))


def test_a_plan_that_claims_nothing_has_no_curve() -> None:
    """Without confirmation blocks there is nothing to show."""
    form = _form().enter("design.confirm_blocks", "0")
    plan = form.to_plan()
    assert plan is not None
    assert power_plot(plan, form.family) is None


def test_where_everything_is_compared_the_blocks_are_no_confirmation() -> None:
    """Such a family has one kind of block."""
    labels = [series.label for series in _curves(form_of("commit_mode", GROUPS))]
    assert labels[0] == "this plan"
    assert not any("onfirm" in label for label in labels)


@pytest.mark.parametrize("degrees", [4, 8, 16, 40])
@pytest.mark.parametrize("power", [0.2, 0.5, 0.8, 0.95])
def test_the_chance_is_close_to_the_exact_one(degrees: int, power: float) -> None:
    """Against the noncentral t distribution, which the sum of two quantiles stands for: never promised too much."""
    effect = math.log1p(smallest_effect(1.0, degrees, Question(2, 1), power))
    critical = float(stats.t.ppf(0.975, degrees))
    exact = float(stats.nct.sf(critical, degrees, effect) + stats.nct.cdf(-critical, degrees, effect))
    assert exact > power - 0.02
    if degrees >= 8:  # as many as three exploring blocks of five settings lend
        assert exact == pytest.approx(power, abs=0.05)
