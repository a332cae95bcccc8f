"""How likely a plan shows an effect of each size, as a plot that moves with the form."""

from dataclasses import replace
from typing import Final

from app.domain.family import ExperimentFamily
from app.domain.plan import Design, Plan
from app.domain.plot import Mark, PlotSpec, Series
from app.domain.setting import value_text
from app.foundation.texts import _
from app.services.plan.plan_outlook import effects_shown, plan_outlook

_CHANCES: Final = (*(step / 20 for step in range(1, 20)), 0.97, 0.99)
_USUAL: Final = 0.8


def power_plot(plan: Plan, family: ExperimentFamily) -> PlotSpec | None:
    """Return the chance of being shown by the true effect; None where the plan claims nothing.

    A second, dashed curve is the design that shows the plan's smallest effect 8 times in 10, where this one does not.
    """
    curve = _curve(plan, family)
    if not curve:
        return None
    outlook, wanted = plan_outlook(plan, family), plan.design.minimum_effect
    shown, needed = outlook.shown_effect, outlook.confirm_blocks_needed
    series = [
        _too_small(wanted),
        Series(_("this plan"), Mark.LINE, *_percents(curve), emphasised=True),
    ]
    if shown is not None and shown > wanted and needed is not None:
        other = _curve(replace(plan, design=_with_blocks(plan.design, needed, family)), family)
        label = _("{blocks} blocks") if family.compares_all else _("{blocks} confirmation blocks")
        series.append(Series(label.format(blocks=value_text(needed)), Mark.LINE, *_percents(other), is_dashed=True))
    return PlotSpec(
        plot_id="plan.power",
        title=_("What this plan can show"),
        alt=_("The chance that the plan shows an effect, by the true size of the effect."),
        x_label=_("True effect (%)"),
        y_label=_("Chance of being shown (%)"),
        series=tuple(series),
        reference_y=100 * _USUAL,
    )


def _curve(plan: Plan, family: ExperimentFamily) -> tuple[tuple[float, float], ...]:
    """Return (effect, chance) of each chance that the plan has for some effect."""
    effects = zip(effects_shown(plan, family, _CHANCES), _CHANCES, strict=True)
    return tuple((effect, chance) for effect, chance in effects if effect is not None and effect >= 0)


def _percents(curve: tuple[tuple[float, float], ...]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return tuple(100 * effect for effect, _chance in curve), tuple(100 * chance for _effect, chance in curve)


def _too_small(wanted: float) -> Series:
    label = _("too small to act on")
    return Series(label, Mark.BAND, (0.0, 100 * wanted), (0.0, 0.0), low=(0.0, 0.0), high=(100.0, 100.0))


def _with_blocks(design: Design, needed: int, family: ExperimentFamily) -> Design:
    """Return the design with as many blocks that carry claims as are needed, further ones among them."""
    if family.compares_all:
        return replace(design, blocks=needed)
    return replace(design, confirm_blocks=needed, further_blocks=0)
