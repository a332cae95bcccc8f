"""Measurements of a parameter that no family knows: settings compared by each measure, without advice."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import geometric_mean

from app.analysis.compare import Against, compare
from app.analysis.settings_order import as_given, setting_key
from app.domain.measurement import Better
from app.domain.setting import Setting
from app.reporting.tables.plain_comparisons import Compared
from app.services.explain.importing import NO_RULE, ImportedExperiment, ImportedFile, experiments

_MINIMUM_EFFECT = 0.05


@dataclass(frozen=True)
class PlainComparison:
    """The measured levels of a parameter that no rule speaks of, compared.

    Attributes:
        parameter: as the file names it.
        comparisons: each setting against the baseline, by measure and conditions.
        notes: on how the file was read.
    """

    parameter: str
    comparisons: tuple[Compared, ...]
    notes: tuple[str, ...]


def compare_plainly(imported: ImportedFile, noise_cv: float | None = None) -> PlainComparison | None:
    """Return the comparison of measurements whose parameter no family knows, None where one does.

    Args:
        noise_cv: run-to-run noise known from outside, as a share, or None.
    """
    if not any(m.family == NO_RULE for m in imported.measurements):
        return None
    (parameter,) = imported.families[NO_RULE].parameters
    given = imported.baseline or Setting.from_mapping({parameter.name: parameter.default})
    found = experiments(imported.measurements, imported.families)
    return PlainComparison(
        parameter.name, tuple(c for one in found for c in _compared(one, given, noise_cv)), imported.notes
    )


def _compared(experiment: ImportedExperiment, given: Setting, noise_cv: float | None) -> Iterator[Compared]:
    """Yield each setting against the baseline that was given, else the level called control, else the first."""
    values: dict[Setting, list[float]] = {}
    for m in experiment.measurements:
        values.setdefault(m.setting, []).append(m.value)
    baseline = min(as_given(values, given), key=setting_key)
    for c in compare(experiment.measurements, Against(baseline), Better.LOWER, _MINIMUM_EFFECT, noise_cv):
        yield Compared(c, geometric_mean(values[c.candidate]), geometric_mean(values[c.reference]))
