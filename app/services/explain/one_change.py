"""One thing has one setting: of a file's experiments on it one change is made, against one reference.

A file may hold some combinations of several parameters only, so that its experiments compare with settings of their
own. Carried out one after the other, the second change would begin where nothing ran. So the change that begins at the
baseline of all these settings is made, and those of others are to be measured beside it first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.analysis.settings_order import lowest_or_default
from app.domain.comparison import Comparison
from app.domain.decision import Beside, Decision, DecisionKind
from app.domain.session import SessionRecord
from app.domain.setting import Setting, typed_text
from app.reporting.request import FamilyTexts

Families = Mapping[str, FamilyTexts]


@dataclass(frozen=True)
class _Thing:
    """The subject of a family's experiments under one load, all of the same parameters."""

    family: str
    load: Setting
    parameters: tuple[str, ...]


def one_change_each(
    decisions: Sequence[Decision],
    session: SessionRecord,
    comparisons: Sequence[Comparison],
    families: Families,
    given: Setting,
) -> list[Decision]:
    """Return decisions on measurements from elsewhere, of which one at most changes what runs under one load.

    Args:
        given: the values given for the baseline; empty for none.
    """
    baselines = _baselines(comparisons, families, given)
    asked = {
        at: thing
        for at, one in enumerate(decisions)
        if one.kind is DecisionKind.CHANGE and one.gain is not None and not session.runs_behind(one.finding)
        if (thing := _thing(one.gain.comparison, families)) in baselines
    }
    kept: dict[_Thing, Decision] = {}
    for at, thing in sorted(asked.items(), key=lambda each: -decisions[each[0]].score):
        if _reference(decisions[at], thing) == baselines[thing]:
            kept.setdefault(thing, decisions[at])
    return [
        one if at not in asked or one is kept.get(asked[at]) else _beside(one, asked[at], kept, baselines)
        for at, one in enumerate(decisions)
    ]


def _baselines(comparisons: Sequence[Comparison], families: Families, given: Setting) -> dict[_Thing, Setting]:
    """Return the baseline of all settings of each thing that several experiments compare, each beside values it holds
    fixed."""
    settings: dict[_Thing, set[Setting]] = {}
    for compared in comparisons:
        thing = _thing(compared, families)
        if len(compared.reference) < len(thing.parameters):
            settings.setdefault(thing, set())
    for compared in comparisons:
        thing = _thing(compared, families)
        if thing in settings:
            settings[thing] |= {_whole(compared, side, thing) for side in (compared.reference, compared.candidate)}
    return {
        thing: lowest_or_default(every, families[thing.family].parameters, given) for thing, every in settings.items()
    }


def _thing(compared: Comparison, families: Families) -> _Thing:
    known = {parameter.name for parameter in families[compared.family].parameters}
    held = known & compared.conditions.keys()
    names = tuple(sorted(held | compared.reference.keys()))
    return _Thing(compared.family, compared.conditions.without(held), names)


def _whole(compared: Comparison, side: Setting, thing: _Thing) -> Setting:
    """Return a side with the parameters that its experiment held."""
    every = {**compared.conditions, **side}
    return Setting.from_mapping({name: every[name] for name in thing.parameters})


def _reference(decision: Decision, thing: _Thing) -> Setting:
    assert decision.gain is not None  # it is asked of changes with one
    return _whole(decision.gain.comparison, decision.gain.comparison.reference, thing)


def _beside(
    decision: Decision, thing: _Thing, kept: Mapping[_Thing, Decision], baselines: Mapping[_Thing, Setting]
) -> Decision:
    """Return a change as one that is to be measured first, beside the values in effect once the kept one is made."""
    stands, made = baselines[thing], kept.get(thing)
    if made is not None and made.gain is not None:
        changed = {part.parameter: made.gain.comparison.candidate[part.parameter] for part in made.parts}
        stands = Setting.from_mapping({**stands, **changed})
    measured = _reference(decision, thing)
    beside = tuple(
        Beside(name, measured[name], typed_text(stands[name]))
        for name in thing.parameters
        if name not in decision.parameters and measured[name] != stands[name]
    )
    kind = DecisionKind.MEASURE_AGAIN
    together = tuple(replace(part, kind=kind, to_value=None) for part in decision.together)
    return replace(decision, kind=kind, to_value=None, measured_beside=beside, score=0.0, together=together)
