"""The usual cost of each way of stopping, in one sentence."""

from collections.abc import Sequence

from app.domain.plan import Stop
from app.domain.setting import value_text
from app.foundation.durations import duration_text
from app.foundation.texts import _
from app.services.plan.plan_ways import Way


def ways_sentence(ways: Sequence[Way]) -> str:
    """Return the usual cost of each way of stopping and the recommended one, "" where there is no choice."""
    if not ways:
        return ""
    told = {way.stop: (value_text(way.trials), duration_text(way.duration_s)) for way in ways}
    names = {Stop.BLOCKS: _("fixed blocks"), Stop.RACE: _("a race"), Stop.MODEL: _("a model")}
    (blocks, blocks_time), (race, race_time), (model, model_time) = (told[stop] for stop in names)
    words = _(
        "Usual trials in all: {blocks} with fixed blocks ({blocks_time}), {race} with a race ({race_time}), {model} "
        "guided by a model ({model_time}). Recommended: {recommended}."
    )
    return words.format(
        blocks=blocks,
        blocks_time=blocks_time,
        race=race,
        race_time=race_time,
        model=model,
        model_time=model_time,
        recommended=next(names[way.stop] for way in ways if way.is_recommended),
    )
