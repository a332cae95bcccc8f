"""Facts that rules of every system may ask for: the results of compared trials."""

from collections.abc import Mapping
from typing import Final

from app.domain.comparison import Verdict
from app.domain.fact_kind import FactKind, FactType, FactValue, effect, flag, number, text
from app.foundation.texts import _

__all__ = ["COMPARED_FACTS", "FactKind", "FactKinds", "FactType", "FactValue"]

FactKinds = Mapping[str, FactKind]
"""What the facts mean that rules may ask for, by name."""

# One set of facts is made for each family, factor and set of conditions.
COMPARED_FACTS: Final = (
    text("factor", _("the varied parameter")),
    number("factors_varied", "count", _("the number of parameters varied together"), _("parameters varied together")),
    text(
        "baseline_setting",
        _("the baseline's values of the parameters that the best setting changes"),
        _("setting compared with (baseline)"),
    ),
    text("best_setting", _("the values of the parameters that the best setting changes"), _("best setting tried")),
    text("measure", _("the measure the settings are judged by"), _("judged by")),
    text("verdict", _("the verdict on the best setting against the baseline"), words=tuple(v.value for v in Verdict)),
    flag("best_differs", _("whether the best value differs from the baseline's")),
    flag("confirmed", _("whether fresh trials confirmed the verdict"), _("confirmed by fresh trials")),
    number("baseline_value", "", _("the baseline's value of the parameter"), _("value compared with (baseline)")),
    number("best_value", "", _("the parameter's value in the best setting"), _("best value tried")),
    text(
        "baseline_level",
        _("the baseline's value of the parameter, number or word"),
        _("value compared with (baseline)"),
    ),
    text("best_level", _("the parameter's value in the best setting, number or word"), _("best value tried")),
    number("smallest_level", "", _("the smallest value tried"), _("smallest value tried")),
    number("largest_level", "", _("the largest value tried"), _("largest value tried")),
    number(
        "gain_percent", "%", _("the improvement of the best setting over the baseline"), _("gain over the baseline")
    ),
    number(
        "gain_low_percent",
        "%",
        _("the lower end of the interval of the best setting's improvement"),
        _("gain, lower end of the 95 % interval"),
    ),
    number(
        "gain_high_percent",
        "%",
        _("the upper end of the interval of the best setting's improvement"),
        _("gain, upper end of the 95 % interval"),
    ),
    *effect(
        "effect",
        _("effect"),
        _("the effect of the best setting compared with the baseline, in words"),
        told="gain_percent",
    ),
    number(
        "factors_changed",
        "count",
        _("the number of parameters that the best setting changes, where these are several"),
        _("parameters changed together"),
    ),
    number(
        "factors_not_apart",
        "count",
        _("the number of parameters changed together that the trials do not take apart"),
        _("parameters not taken apart"),
    ),
    text(
        "shown_factor",
        _("the parameter, where the gain is its own: nothing else is changed, or the trials show it by itself"),
        _("parameter whose own gain is shown"),
    ),
    text(
        "alone_setting",
        _("the value of a parameter whose gain by itself is told, whatever the others are set to"),
        _("value told by itself"),
    ),
    text(
        "own_setting",
        _("the value of a parameter whose gain is told beside one setting of the others"),
        _("value told beside the others"),
    ),
    text(
        "beside_setting",
        _("the setting of the other parameters beside which the gain of one is told"),
        _("setting of the others"),
    ),
    number(
        "own_gain_percent",
        "%",
        _("the improvement by this parameter alone, where two were varied together"),
        _("gain by this parameter alone"),
    ),
    number(
        "own_gain_low_percent",
        "%",
        _("the lower end of the interval of that improvement"),
        _("that gain, lower end of the 95 % interval"),
    ),
    number(
        "own_gain_high_percent",
        "%",
        _("the upper end of the interval of that improvement"),
        _("that gain, upper end of the 95 % interval"),
    ),
    number(
        "largest_level_loss_percent",
        "%",
        _("the loss at the largest value tried against the best"),
        _("loss at the largest value"),
    ),
    number(
        "largest_level_loss_low_percent",
        "%",
        _("the lower end of the interval of the loss at the largest value tried"),
        _("that loss, lower end of the 95 % interval"),
    ),
    number(
        "largest_not_worse_value",
        "",
        _("the largest value tried that was not shown to be worse than the best by the smallest effect"),
        _("largest value that is not worse"),
    ),
    *effect(
        "largest_level_effect",
        _("effect of the largest value"),
        _("the effect of the largest value tried compared with the best, in words"),
        told="largest_level_loss_percent",
    ),
    number(
        "next_level_loss_low_percent",
        "%",
        _("the lower end of the interval of the loss at the largest value but one tried against the best"),
        _("loss at the largest value but one, lower end of the 95 % interval"),
    ),
    flag(
        "got_worse",
        _("whether the best setting makes another main measure worse"),
        _("another measure gets worse"),
    ),
    number(
        "default_loss_percent",
        "%",
        _("the loss at the vendor's default against the best"),
        _("loss at the vendor's default"),
    ),
    number(
        "plateau_from_value",
        "",
        _("the smallest value from which on no value differs by the smallest effect"),
        _("no difference from this value on"),
    ),
    number("minimum_effect_percent", "%", _("the smallest effect worth acting on"), _("smallest gain worth acting on")),
    number(
        "smallest_effect_percent",
        "%",
        _("the smallest effect these trials could have shown with 80 % power"),
        _("smallest change these trials could show"),
    ),
    text(
        "power_told",
        _("a sentence on the changes these trials could have shown with 80 % power"),
        _("power"),
        tells=("smallest_effect_percent",),
    ),
    number(
        "trials_per_setting",
        "count",
        _("the number of trials behind the verdict, of the setting with fewer"),
        _("trials of each setting, at least"),
    ),
    number(
        "fewest_trials",
        "count",
        _("the number of trials of the setting tried least often"),
        _("trials of the setting tried least"),
    ),
    number(
        "trials_needed",
        "count",
        _("the number of trials per setting that show a difference worth acting on, four times out of five"),
        _("trials of each setting needed"),
    ),
    number(
        "trials_for_noise",
        "count",
        _("the number of trials per setting that show how much they differ by chance, where that is not known"),
        _("trials of each setting needed to learn the noise"),
    ),
)
