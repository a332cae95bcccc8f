"""The measurements of a session, own and elsewhere, before anything is computed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from app.analysis.comparing.experiment import Declared, MeasuredElsewhere, MeasuredRun
from app.domain.contradiction import Contradiction
from app.domain.family import ExperimentFamily
from app.domain.measurement import Measurement, TrialStatus
from app.domain.session import BASELINE_FACT, NOISE_FACT, Environment, RunRecord, SessionRecord
from app.domain.setting import Setting, value_text
from app.domain.system import site_of_run
from app.foundation.texts import _
from app.services.explain.importing import experiments

Families = Mapping[str, ExperimentFamily]

# More such sentences help nobody.
_MOST_CONTRADICTIONS = 20


@dataclass(frozen=True)
class Gathered:
    """All that is explained of a session.

    Attributes:
        contradictions: of the runs made elsewhere.
        warnings: what a reader must know before believing the rest.
    """

    runs: tuple[MeasuredRun, ...]
    elsewhere: MeasuredElsewhere
    contradictions: tuple[Contradiction, ...]
    warnings: tuple[str, ...]


def gather(session: SessionRecord, families: Families) -> Gathered:
    """Return the measurements of a session, own and elsewhere, with the readings of its servers."""
    declared = {family_id: Declared.by(family) for family_id, family in families.items()}
    named = tuple(m for m in session.imported if declared[m.family].compares_all)
    others = experiments(m for m in session.imported if not declared[m.family].compares_all)
    contradictions = _contradictions(session.imported, families)
    return Gathered(
        runs=tuple(
            MeasuredRun(
                family=declared[run.plan.family],
                metric=families[run.plan.family].main_metric(run.plan),
                plan=run.plan,
                trials=run.trials,
                site=site_of_run(session.environments, run, families[run.plan.family]),
            )
            for run in session.runs
        ),
        elsewhere=MeasuredElsewhere(
            families=declared,
            named=named,
            picked=tuple(other.measurements for other in others),
            noise_cv=_noise_cv(session.environments),
            baseline=_baseline(session.environments),
        ),
        contradictions=contradictions,
        warnings=(*session.notes, *_named(contradictions), *_warnings(session.runs)),
    )


def _contradictions(imported: Iterable[Measurement], families: Families) -> tuple[Contradiction, ...]:
    """Return which runs made elsewhere have numbers that cannot all hold."""
    by_family: dict[str, list[Measurement]] = {}
    for m in imported:
        by_family.setdefault(m.family, []).append(m)
    return tuple(c for family, measured in by_family.items() for c in families[family].contradictions(measured))


def _named(contradictions: Iterable[Contradiction]) -> Iterator[str]:
    """Yield the sentence of each contradiction; of very many only how many more."""
    sentences = [contradiction.text for contradiction in contradictions]
    yield from sentences[:_MOST_CONTRADICTIONS]
    if len(sentences) > _MOST_CONTRADICTIONS:
        yield _("further runs whose numbers contradict each other: {count}").format(
            count=value_text(len(sentences) - _MOST_CONTRADICTIONS)
        )


def _noise_cv(environments: Iterable[Environment]) -> float | None:
    """Return the noise level given with measurements made elsewhere, None where there was none."""
    given = (value for e in environments for name, value, _unit in e.facts if name == NOISE_FACT)
    return next((float(value) for value in given), None)


def _baseline(environments: Iterable[Environment]) -> Setting:
    """Return the values given as the baseline of measurements made elsewhere; empty where none were."""
    given = (value for e in environments for name, value, _unit in e.facts if name == BASELINE_FACT)
    parts = [part.rpartition(" ") for part in next(given, "").split(", ") if part]
    return Setting.from_mapping({n: int(value) if value.isdecimal() else value for n, _space, value in parts})


def _warnings(runs: Iterable[RunRecord]) -> Iterable[str]:
    """Yield which runs have trials that were not used."""
    for run in runs:
        unused = [t for t in run.trials if t.status is not TrialStatus.USED]
        if unused:
            yield _("{run}: trials not used: {count} of {total}; the report lists each with its reason").format(
                run=run.run_id, count=value_text(len(unused)), total=value_text(len(run.trials))
            )
