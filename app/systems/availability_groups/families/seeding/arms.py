"""The evidence of one run, or of one published test, sorted by method."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from app.analysis.settings_order import setting_key
from app.analysis.swept import fit_swept
from app.domain.comparison import Comparison
from app.domain.family import Evidence
from app.domain.measurement import Metric
from app.domain.setting import EMPTY_SETTING, Setting
from app.systems.availability_groups.analysis.evidence import baseline_of, major_of_primary
from app.systems.availability_groups.analysis.penalty import Spread, mean_spread
from app.systems.availability_groups.copies import SeedingMethod
from app.systems.availability_groups.families.seeding.measures import DATABASE_MB, LINK_MBPS, STAND_INS, TOTAL_TIME
from app.systems.availability_groups.families.seeding.parameters import DEFAULTS, PARAMETERS, SEEDING_METHOD
from app.systems.availability_groups.families.seeding.plan import method_of
from app.systems.availability_groups.site import GroupSite


@dataclass(frozen=True)
class Arms:
    """The evidence with the questions on it.

    Attributes:
        baseline: what every claim is made against, as measured.
    """

    evidence: Evidence
    baseline: Setting

    @cached_property
    def metric(self) -> Metric:
        """The measure that settings are compared by: the time in all, from elsewhere also what else is there."""
        names = {c.metric for c in self.evidence.comparisons}
        return next((metric for metric in (TOTAL_TIME, *STAND_INS) if metric.name in names), TOTAL_TIME)

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """The measured settings, by method as the parameter's choices stand, then by the options of the backup."""
        settings = {m.setting for m in self.evidence.measurements}
        order = SEEDING_METHOD.choices
        return tuple(sorted(settings, key=lambda s: (order.index(str(method_of(s))), setting_key(s))))

    def of_method(self, method: SeedingMethod) -> Setting | None:
        """Return the setting of a method with the options nearest to the server's own choice, None where not tried."""
        settings = [s for s in self.settings if method_of(s) is method]
        return min(settings, key=lambda s: sum(v != DEFAULTS.get(n) for n, v in s.items()), default=None)

    def compared(self, reference: Setting | None, candidate: Setting | None) -> Comparison | None:
        """Return the comparison of a pair, None where it was not made."""
        pair = (reference, candidate)
        return next((c for c in self.evidence.comparisons if (c.reference, c.candidate) == pair), None)

    def spreads(self, metric: Metric) -> Mapping[Setting, Spread]:
        """Return the mean of a measure for each setting, with its pointwise 95 % interval where one is known."""
        measurements = [m for m in self.evidence.measurements if m.metric == metric.name]
        if not measurements:
            return {}
        if all(m.value > 0 for m in measurements):
            fit = fit_swept(measurements, (), self.evidence.noise_cv)
            made = {setting: mean_spread(fit, setting, EMPTY_SETTING) for setting in fit.settings}
            return {setting: spread for setting, spread in made.items() if spread is not None}
        values = {s: [m.value for m in measurements if m.setting == s] for s in {m.setting for m in measurements}}
        return {setting: Spread(sum(each) / len(each)) for setting, each in values.items()}

    def mean(self, metric: Metric, setting: Setting | None) -> float | None:
        """Return the mean of a measure of a setting, as tables and plots show it; None where it was not taken."""
        spread = self.spreads(metric).get(setting) if setting is not None else None
        return None if spread is None else spread.value

    @property
    def major(self) -> int | None:
        """Major version of the primary, None where it is not known."""
        return major_of_primary(self.evidence)

    @property
    def cpus(self) -> int | None:
        """Logical processors of the primary, None where they are not known."""
        site = self.evidence.site
        if isinstance(site, GroupSite):
            server = site.topology.server_named(site.topology.connected_to)
            return None if server is None else server.cpu_count
        return None

    @property
    def database_mb(self) -> int | None:
        """Size of the database, MB, None where it is not known."""
        value = self.evidence.conditions.get(DATABASE_MB)
        return int(value) if isinstance(value, int | float) else None

    @property
    def link_mbps(self) -> float | None:
        """Bandwidth between the replicas, Mbps, None where it is not known."""
        value = self.evidence.conditions.get(LINK_MBPS)
        return float(value) if isinstance(value, int | float) else None


def arms_of(evidence: Evidence) -> Arms:
    """Return the arms of a piece of evidence."""
    return Arms(evidence, baseline_of(evidence, PARAMETERS))
