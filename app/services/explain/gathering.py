"""The measurements of a session, own and elsewhere, before anything is computed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from app.analysis.comparing.experiment import Declared, MeasuredElsewhere, MeasuredRun
from app.domain.family import ExperimentFamily, Site
from app.domain.measurement import Measurement, TrialStatus
from app.domain.session import BASELINE_FACT, NOISE_FACT, Environment, RunRecord, SessionRecord
from app.domain.setting import Setting, value_text
from app.domain.system import rig_of, system_of
from app.foundation.texts import _
from app.services.explain.importing import experiments

Families = Mapping[str, ExperimentFamily]

# More such sentences help nobody.
_MOST_CONTRADICTIONS = 20


@dataclass(frozen=True)
class Gathered:
    """All that is explained of a session.

    Attributes:
        warnings: what a reader must know before believing the rest.
    """

    runs: tuple[MeasuredRun, ...]
    elsewhere: MeasuredElsewhere
    warnings: tuple[str, ...]


def gather(session: SessionRecord, families: Families) -> Gathered:
    """Return the measurements of a session, own and elsewhere, with the readings of its servers."""
    declared = {family_id: Declared.by(family) for family_id, family in families.items()}
    named = tuple(m for m in session.imported if declared[m.family].compares_all)
    others = experiments(m for m in session.imported if not declared[m.family].compares_all)
    return Gathered(
        runs=tuple(
            MeasuredRun(
                family=declared[run.plan.family],
                metric=families[run.plan.family].main_metric(run.plan),
                plan=run.plan,
                trials=run.trials,
                site=_site(session.environments, run, families[run.plan.family]),
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
        warnings=(*session.notes, *_contradictions(session.imported, families), *_warnings(session.runs)),
    )


def _contradictions(imported: Iterable[Measurement], families: Families) -> Iterator[str]:
    """Yield which runs made elsewhere have numbers that cannot all hold; of very many only how many more."""
    by_family: dict[str, list[Measurement]] = {}
    for m in imported:
        by_family.setdefault(m.family, []).append(m)
    sentences = [s for family, measured in by_family.items() for s in families[family].contradictions(measured)]
    yield from sentences[:_MOST_CONTRADICTIONS]
    if len(sentences) > _MOST_CONTRADICTIONS:
        yield _("further runs whose numbers contradict each other: {count}").format(
            count=value_text(len(sentences) - _MOST_CONTRADICTIONS)
        )


def _site(environments: Iterable[Environment], run: RunRecord, family: ExperimentFamily) -> Site | None:
    """Return the site that a run measured as it was read before, None where it was not recorded."""
    read = next((environment for environment in environments if environment.target == run.target), None)
    kept = None if read is None else system_of(family).kept_site(read, family.subject)
    return None if kept is None else rig_of(family).site_of_plan(run.plan, kept)


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
