"""Plans to begin with leave what was chosen."""

from dataclasses import replace

from app.domain.plan import Factor, Stop
from app.flows.plan.plan_form import plan_form
from app.flows.plan.plan_presets import about_chosen, presets
from app.services.plan.plan_ways import ways_of_stopping
from tests.unit.flows.sites import family, site

LAB = "lab"


def test_a_preset_never_replaces_the_parameter_chosen() -> None:
    """Neither the parameter nor the Subscriber; the quick look takes three of its values."""
    chosen_family = family("distribution_agent")
    form = plan_form(chosen_family, site("distribution_agent"))
    plan = form.to_plan()
    assert plan is not None
    factor = Factor("CommitBatchSize", (100, 200, 500, 1_000))
    chosen = replace(plan, factors=(factor,), load=plan.load.but(subscriber="SUB2"))
    recommended, quick = (about_chosen(preset, chosen) for preset in presets(chosen_family, LAB, form.site))
    assert recommended.factors == (factor,)
    assert quick.factors == (Factor("CommitBatchSize", (100, 500, 1_000)),)
    assert recommended.load["subscriber"] == quick.load["subscriber"] == "SUB2"


def test_what_is_called_recommended_is_what_is_recommended() -> None:
    """The way of stopping that the line below the form recommends."""
    chosen_family = family("distribution_agent")
    plan = presets(chosen_family, LAB, site("distribution_agent"))[0].plan
    (stop,) = (way.stop for way in ways_of_stopping(chosen_family.default_plan(), chosen_family) if way.is_recommended)
    assert plan.design.stop is stop
    assert stop is not Stop.BLOCKS
