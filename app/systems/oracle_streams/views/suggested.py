"""Suggestions for a Streams pipeline, by the work of its slowest stage."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.domain.family import ExperimentFamily
from app.domain.plan import Factor
from app.domain.setting import Parameter, value_text
from app.flows.suggested import Expected, Suggestion
from app.foundation.texts import _
from app.systems.oracle_streams.observed import ObservedPath, StreamsObservation
from app.systems.oracle_streams.views.observed import path_name

PUBLISHED_SPILL_MIN: Final = (21.0, 9.0)
"""One transaction of 300,000 updates with the spill threshold below and above it, minutes:
resources/published/oracle-streams-2009.csv, tests 3 and 4."""

_NOTED_SHARE: Final = 0.5


def suggested(observation: StreamsObservation, families: Mapping[str, ExperimentFamily]) -> Sequence[Suggestion]:
    """Return the spill threshold and the apply servers, at the path the others waited for longest."""
    family = families.get("streams_apply")
    if family is None or not observation.paths:
        return ()
    path = max(observation.paths, key=lambda path: path.bottleneck_share)
    return (_spilling(family, path), *_servers(family, path))


def _spilling(family: ExperimentFamily, path: ObservedPath) -> Suggestion:
    spills = path.staged_messages > 0 or path.staged_transactions > 0
    words = _("No transaction was larger than the spill threshold while it was watched.")
    if spills:
        words = _("The apply reader staged {count:,.0f} messages of large transactions on disk.").format(
            count=path.staged_messages
        )
    before_min, after_min = PUBLISHED_SPILL_MIN
    change = after_min / before_min - 1.0
    plan = family.default_plan()
    return Suggestion(
        plan=plan,
        title=_title(plan.factors[0]),
        about=path_name(path),
        because=words,
        expected=Expected(change, change, _("A published test saw {change} for one large transaction")),
        is_limiting=spills,
    )


def _servers(family: ExperimentFamily, path: ObservedPath) -> tuple[Suggestion, ...]:
    parameter: Parameter | None = next((p for p in family.parameters if p.name == "PARALLELISM"), None)
    if parameter is None:
        return ()
    factor = Factor(parameter.name, parameter.levels)
    plan = replace(family.default_plan(), factors=(factor,))
    if path.bottleneck:
        words = _("The others waited for {stage} {share:.0%} of the time.").format(
            stage=path.bottleneck, share=path.bottleneck_share
        )
    else:
        words = _("There was nothing to do while it was watched.")
    is_limiting = bool(path.bottleneck) and path.bottleneck_share >= _NOTED_SHARE
    return (Suggestion(plan, _title(factor), path_name(path), words, None, is_limiting),)


def _title(factor: Factor) -> str:
    return f"{factor.name} {', '.join(map(value_text, factor.levels))}"
