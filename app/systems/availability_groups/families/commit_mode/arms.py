"""The arms of the measured settings, and the effect of their compression on the version at hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from app.analysis.settings_order import setting_key
from app.analysis.swept import SweptFit, fit_swept
from app.domain.comparison import Comparison
from app.domain.family import Evidence
from app.domain.measurement import Metric
from app.domain.setting import Setting, effective_setting
from app.systems.availability_groups import metrics
from app.systems.availability_groups.analysis.evidence import baseline_of, major_of_primary
from app.systems.availability_groups.commit_steps import (
    OFF,
    ON,
    SQL_SERVER_2016,
    compression_found,
    compression_in_effect,
)
from app.systems.availability_groups.families.commit_mode.parameters import INSERTS, PARAMETERS, ROWS_PER_INSERT
from app.systems.availability_groups.families.commit_mode.plan import commit_time_of, compression_of, mode_of
from app.systems.availability_groups.groups import CommitMode
from app.systems.availability_groups.site import GroupSite

SWEPT_NAMES = (INSERTS, ROWS_PER_INSERT)


@dataclass(frozen=True)
class Arms:
    """The evidence of one run, or of one version's imported measurements, sorted into arms.

    Attributes:
        baseline: what every claim is made against, as measured.
    """

    evidence: Evidence
    baseline: Setting

    @cached_property
    def metric(self) -> Metric:
        """The measure that arms are compared by: run time, the wait of a commit, from elsewhere what else is there."""
        names = {c.metric for c in self.evidence.comparisons}
        by_rank = (metrics.SHAPE_TIME, metrics.COMMIT_WAIT, *metrics.COMMIT_STAND_INS)
        return next((metric for metric in by_rank if metric.name in names), metrics.SHAPE_TIME)

    @cached_property
    def fit(self) -> SweptFit | None:
        """The fit of that measure, None where nothing was measured."""
        main = [m for m in self.evidence.measurements if m.metric == self.metric.name]
        return fit_swept(main, SWEPT_NAMES, self.evidence.noise_cv) if main else None

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The measured settings."""
        return self.fit.settings if self.fit is not None else ()

    @cached_property
    def planned(self) -> tuple[Setting, ...]:
        """The measured settings and those the plan still leads to, in the order that stays when they are measured."""
        plan = self.evidence.plan
        if plan is None:
            return self.settings
        names = [factor.name for factor in plan.factors]
        crossed = (
            effective_setting(Setting.from_mapping(dict(zip(names, levels, strict=True))), PARAMETERS)
            for levels in product(*(factor.levels for factor in plan.factors))
        )
        return tuple(sorted({*crossed, *self.settings}, key=setting_key))

    @cached_property
    def major(self) -> int | None:
        """Major version of the primary, None where it is not known."""
        return major_of_primary(self.evidence)

    def compression(self, setting: Setting) -> str:
        """Return "on" or "off": a setting's compression on this version; as 2016 where it is not known."""
        return compression_in_effect(self.major or SQL_SERVER_2016, mode_of(setting), compression_of(setting))

    def compression_now(self, mode: CommitMode) -> str:
        """Return "on" or "off": the server's compression for a mode with the trace flags it was found with."""
        return compression_found(self.major or SQL_SERVER_2016, mode, self._flags)

    def tells_compression(self, setting: Setting) -> bool:
        """Tell whether it is known if the log stream of an arm was compressed: by its setting, or by the version."""
        return self.major is not None or compression_of(setting) in (ON, OFF)

    @property
    def _flags(self) -> tuple[int, ...]:
        site = self.evidence.site
        if not isinstance(site, GroupSite):
            return ()
        return tuple(flag for server, flag in site.topology.trace_flags if server == site.topology.connected_to)

    def now(self, mode: CommitMode) -> Setting | None:
        """Return the arm of a mode with compression as the server was found, None where it was not measured."""
        return self.with_compression(mode, self.compression_now(mode))

    def with_compression(self, mode: CommitMode, compression: str) -> Setting | None:
        """Return the arm of a mode whose log stream is (not) compressed, the one without trace flags first."""
        settings = [s for s in self.settings if mode_of(s) is mode and self.compression(s) == compression]
        usual_ms = commit_time_of(self.baseline)
        return min(
            settings,
            key=lambda s: (compression_of(s) != "default", commit_time_of(s) != usual_ms, s.label()),
            default=None,
        )

    def commit_times(self) -> Mapping[int, Setting]:
        """Return the synchronous arms that differ only in how long commits are grouped, by that time, ms."""
        synchronous = self.of_mode(CommitMode.SYNCHRONOUS)
        usual = self.now(CommitMode.SYNCHRONOUS) or next(iter(synchronous), self.baseline)
        alike = (s for s in synchronous if compression_of(s) == compression_of(usual))
        return {commit_time_of(setting): setting for setting in alike}

    def of_mode(self, mode: CommitMode) -> tuple[Setting, ...]:
        """Return all arms of a mode."""
        return tuple(s for s in self.settings if mode_of(s) is mode)

    def compared(self, reference: Setting | None, candidate: Setting | None) -> tuple[Comparison, ...]:
        """Return the comparisons of a pair, by rising rows per insert."""
        comparisons = [c for c in self.evidence.comparisons if (c.reference, c.candidate) == (reference, candidate)]
        return tuple(sorted(comparisons, key=rows_of))

    def priced(self) -> tuple[Comparison, ...]:
        """Return the comparisons of every asynchronous arm with every synchronous one."""
        return tuple(
            compared
            for reference in self.of_mode(CommitMode.ASYNCHRONOUS)
            for candidate in self.of_mode(CommitMode.SYNCHRONOUS)
            for compared in self.compared(reference, candidate)
        )

    def mean(self, metric: str, setting: Setting | None, place: Setting) -> float | None:
        """Return the mean of a measure of a setting at a place, None where it was not taken."""
        values = [
            m.value
            for m in self.evidence.measurements
            if m.metric == metric and m.setting == setting and all(m.conditions.get(n) == v for n, v in place.items())
        ]
        return sum(values) / len(values) if values else None


def arms_of(evidence: Evidence) -> Arms:
    """Return the arms of a piece of evidence."""
    return Arms(evidence, baseline_of(evidence, PARAMETERS))


def rows_of(comparison: Comparison) -> float:
    """Return the rows per insert of a comparison; fewer inserts have more rows where those are not given.

    A file may give neither: then there is one shape.
    """
    rows = comparison.conditions.get(ROWS_PER_INSERT)
    return float(rows) if rows is not None else -float(comparison.conditions.get(INSERTS, 0))


def place_of(comparison: Comparison) -> Setting:
    """Return the swept conditions of a comparison."""
    return Setting.from_mapping({n: comparison.conditions[n] for n in SWEPT_NAMES if n in comparison.conditions})
