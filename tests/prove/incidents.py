"""Incidents drawn at random, and whole runs through them: a backlog that waits, the lab, runner, analysis and rules.

Each session meets a site of its own (`simulated_sites.drawn_site`), whose speed moves within a window as that of the
shipped incident or two to three times as much. What its settings deliver without noise is simulated beside it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import numpy as np

from app.domain.comparison import Comparison, Verdict
from app.domain.decision import DecisionKind
from app.domain.events import Predicted, RunEvent
from app.domain.plan import Design, Factor, Phase, Plan
from app.domain.setting import Setting
from app.domain.target import Target
from app.domain.work_source import WorkSource
from app.lab.moving import MovingSpeed
from app.lab.scenario_file import shipped_scenarios
from app.services.explain.advising import Advisor
from app.systems.transactional_replication.lab.replication import (
    DistributionSettings,
    LogReaderSettings,
    ReplicationLab,
)
from app.systems.transactional_replication.lab.scenario import Scenario, load_scenario
from app.systems.transactional_replication.load import WorkloadSpec
from tests.benchmarks.lab_sessions import run_on_lab
from tests.calibration.trials import LAN_COMMANDS, distribution_run_time_s, log_reader_run_time_s
from tests.labs import lab_behind
from tests.prove.response_worlds import ALONE, JOINT, settings_of
from tests.prove.simulated_sites import SIZES, drawn_site

Constants = Mapping[str, float]

SITE: Final[Constants] = {}
"""The shipped incident moves as a site does (`window_worlds.SITE`)."""

ROUGH: Final[Constants] = {
    "run_cv": 0.05,
    "drift_share": 0.12,
    "drift_memory_s": 900.0,
    "mix_share": 0.12,
    "mix_memory_s": 240.0,
    "slow_share": 0.20,
    "second_share": 0.35,
    "burst_time_share": 0.10,
    "burst_least_share": 0.5,
    "burst_most_share": 0.5,
}
"""And a rough one (`window_worlds.ROUGH`)."""

BEST_PER_S: Final = 2_000.0
"""Commands a second that the best setting of a site delivers: the times of a drawn site are scaled to it, all alike, so
that hours of it can be simulated; how its settings stand to each other stays as drawn."""

ARRIVING: Final[Mapping[str, float]] = {"distribution_agent": 0.5, "log_reader": 0.9}
"""Of what the best setting delivers: written for the hour in which the agent stood, and on. More for a Log Reader
Agent, whose windows take six minutes where its counter is not used."""

_SIMULATED: Final = 60_000
_WRITERS: Final = """
[[client_writers]]
pairs = [1]
transactions_per_s = {rate}
least_commands = {least}
most_commands = {most}
"""
_MOST_OFF: Final = 3.0
_ALIKE: Final = 0.005
"""A share by which settings of a flat site may differ all the same, and that no claim may be of."""
_OF_AGENT: Final = (
    "apply_us_per_command",
    "several_streams_share",
    "lock_growth_share_per_1000_commands",
    "interference_share_per_stream_pair",
    "batch_ms",
    "fetch_us_per_command",
)
_OF_LINK: Final = ("rtt_ms", "bandwidth_kbps", "round_trips_per_command")


class Kind(NamedTuple):
    """What is tuned, and how a site for it is drawn.

    Attributes:
        times: the constants of a scenario that are times of the agent.
        is_flat: all settings do alike.
    """

    family: str
    factors: tuple[Factor, ...]
    times: tuple[str, ...]
    is_flat: bool = False


_DELIVERING: Final = ("apply_us_per_command", "batch_ms", "fetch_us_per_command", "rtt_ms")
_READING: Final = ("read_us_per_command", "write_us_per_command", "batch_round_trip_ms")
KINDS: Final[Mapping[str, Kind]] = {
    "joint space": Kind("distribution_agent", JOINT, _DELIVERING),
    "SubscriptionStreams alone": Kind("distribution_agent", ALONE, _DELIVERING),
    "flat": Kind("distribution_agent", JOINT, _DELIVERING, is_flat=True),
    "ReadBatchSize": Kind("log_reader", (Factor("ReadBatchSize", (500, 100, 250, 1_000, 2_500, 5_000)),), _READING),
}


@dataclass(frozen=True)
class Incident:
    """One site: its scenario, and what each setting delivers there without noise, commands/s."""

    path: Path
    kind: Kind
    rates_per_s: Mapping[Setting, float]

    @property
    def baseline(self) -> Setting:
        """The setting in effect."""
        return next(iter(self.rates_per_s))

    def loss(self, pick: Setting) -> float:
        """Return by how much a setting delivers less than the best, a share of the time."""
        return max(self.rates_per_s.values()) / self.rates_per_s[pick] - 1


def incident(kind: Kind, noise: Constants, number: int, folder: Path) -> Incident:
    """Draw a site, simulate each of its settings, and write its scenario."""
    constants, (least, most) = _drawn(kind, number)
    text = shipped_scenarios()["incident"].read_text(encoding="utf-8").split("[[client_writers]]")[0]
    text = re.sub(r"^commands_per_s = \[.*\]", "commands_per_s = [0.0]", text, flags=re.MULTILINE)
    of_starts = {name: noise[name] for name in ("run_cv",) if name in noise}
    before, section, behind = text.partition("[noise.moving]")
    behind = _with(behind, {name: noise[name] for name in noise if name not in of_starts})
    text = _with(before + section + behind, {**constants, **of_starts, "outage_hours": 1.0})
    if kind.family == "log_reader":
        text = text.replace("outage_pairs =", 'outage_of = "log_reader"\noutage_pairs =')
    path = folder / f"incident-{number}.toml"
    path.write_text(text, encoding="utf-8")
    scenario = load_scenario(path)
    rates = {
        setting: _SIMULATED / _run_time_s(scenario, kind, setting, (least, most))
        for setting in settings_of(kind.factors)
    }
    slower = max(rates.values()) / BEST_PER_S
    scaled = {name: constants[name] * slower for name in kind.times if name in constants}
    if "bandwidth_kbps" in constants:
        scaled["bandwidth_kbps"] = constants["bandwidth_kbps"] / slower
    arriving = ARRIVING[kind.family] * BEST_PER_S / ((least + most) / 2)
    path.write_text(_with(text, scaled) + _WRITERS.format(rate=arriving, least=least, most=most), encoding="utf-8")
    return Incident(path, kind, {setting: rate / slower for setting, rate in rates.items()})


def _drawn(kind: Kind, number: int) -> tuple[Constants, tuple[int, int]]:
    """Return constants of a site, and the least and the most commands of its transactions."""
    site = drawn_site(number)
    mean = sum(site.commands_per_transaction) / 2
    least = max(1, round(mean / 2))
    sizes = least, round(2 * mean) - least
    if kind.family == "log_reader":
        random = np.random.default_rng([213, number])
        off = _MOST_OFF ** random.uniform(-1, 1, 2)
        work_us = 166.9 * float(off[0])
        return {
            "read_us_per_command": work_us,
            "write_us_per_command": work_us,
            "batch_round_trip_ms": 42.16 * float(off[1]),
        }, sizes
    if kind.is_flat:  # reading at the Distributor takes all the time, whatever the setting
        return {"apply_us_per_command": 10.0, "batch_ms": 0.1, "fetch_us_per_command": 1_000.0}, sizes
    agent, link = site.scenario.distribution_agent, site.scenario.link
    return {
        **{name: getattr(agent, name) for name in _OF_AGENT},
        **{name: getattr(link, name) for name in _OF_LINK},
        "subscriber_cpus": site.scenario.topology.subscriber_cpus,
    }, sizes


def _with(text: str, constants: Constants) -> str:
    """Return a scenario with other constants, each of which it has once."""
    for name, value in constants.items():
        text, count = re.subn(rf"^{name} = \S+", f"{name} = {value!r}", text, flags=re.MULTILINE)
        assert count == 1, name
    return text


def _run_time_s(scenario: Scenario, kind: Kind, setting: Setting, sizes: tuple[int, int]) -> float:
    """Return what so many commands take without noise."""
    if kind.family == "log_reader":
        reading = LogReaderSettings(read_batch_size=int(setting["ReadBatchSize"]))
        return log_reader_run_time_s(scenario, reading, sizes) * _SIMULATED / LAN_COMMANDS
    size, streams = int(setting.get("CommitBatchSize", SIZES[0])), int(setting["SubscriptionStreams"])
    delivering = DistributionSettings(commit_batch_size=size, subscription_streams=streams)
    return distribution_run_time_s(scenario, delivering, sizes, _SIMULATED)


@dataclass(frozen=True)
class Lived:
    """One session and what it came to.

    Attributes:
        minutes: of the servers' time, from the first statement to the last.
        pick: the setting that was confirmed, or the baseline.
        loss: of the pick against the best setting there is.
        stated: probability the model told last that its pick is within 2 % of the best, None where it told none.
        confirmed: the pick against the baseline, None where nothing was confirmed.
        true_ratio: of their rates.
        delivered: commands delivered meanwhile, against what the baseline would have delivered.
        changes, opens: whether a change is decided on, and whether only if a small one is worth it.
        pairs: of confirming windows.
    """

    minutes: float
    pick: Setting
    loss: float
    stated: float | None
    confirmed: Comparison | None
    true_ratio: float
    delivered: float
    changes: bool
    opens: bool
    pairs: int

    @property
    def claims(self) -> bool:
        """Whether a difference is claimed."""
        return self.confirmed is not None and self.confirmed.verdict in (Verdict.IMPROVEMENT, Verdict.WORSE)

    @property
    def is_false(self) -> bool:
        """Whether a gain is claimed that is none, or a loss."""
        if self.confirmed is None:
            return False
        low, high = self.confirmed.low, self.confirmed.high
        return (low > 1 and self.true_ratio <= 1 + _ALIKE) or (high < 1 and self.true_ratio >= 1 - _ALIKE)

    @property
    def covers(self) -> bool:
        """Whether the interval holds the true ratio."""
        return self.confirmed is not None and self.confirmed.low <= self.true_ratio <= self.confirmed.high


def live_through(kind: Kind, noise: Constants, number: int, explaining: Advisor) -> Lived:
    """Run the experiment that is proposed there to its end."""
    with TemporaryDirectory() as folder:
        met = incident(kind, noise, number, Path(folder))
        watched = _Watched(kind)
        session = run_on_lab(_plan(met, number), met.path, number, on_event=watched.hear, on_open=watched.open)
    advice = explaining.advise(session.record)
    confirming = {t.setting for t in session.run.trials if t.phase is Phase.CONFIRM} - {met.baseline}
    pick = next(iter(confirming), met.baseline)
    shown = [c for c in advice.comparisons if c.phase is Phase.CONFIRM]
    assert len(shown) <= 1, shown
    changes = [one for one in advice.decisions if one.kind is DecisionKind.CHANGE]
    left = watched.left_s(number) * met.rates_per_s[met.baseline]
    return Lived(
        minutes=session.length_s / 60,
        pick=pick,
        loss=met.loss(pick),
        stated=watched.stated,
        confirmed=shown[0] if shown else None,
        true_ratio=met.rates_per_s[pick] / met.rates_per_s[met.baseline],
        delivered=watched.delivered / left,
        changes=bool(changes),
        opens=any(one.is_worth_open for one in changes),
        pairs=len({t.block for t in session.run.trials if t.phase is Phase.CONFIRM}),
    )


def _plan(met: Incident, seed: int) -> Plan:
    source = WorkSource.OWN_BACKLOG
    load = WorkloadSpec(source=source).to_load()
    design = Design(seed=seed).on(in_windows=source.is_own_work)
    return Plan(met.kind.family, met.kind.factors, met.baseline, load=load, design=design)


class _Watched:
    """The agent under test, as the simulation knows it, from the first event of a run on."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._began: tuple[float, int] | None = None
        self.stated: float | None = None

    def open(self, target: Target) -> None:
        self._lab: ReplicationLab = lab_behind(target).state.lab

    def hear(self, event: RunEvent) -> None:
        self._began = self._began or self._now()
        if isinstance(event, Predicted):
            told = re.search(r"(\d+)\s?% probability", event.sentence)
            self.stated = None if told is None else int(told[1]) / 100

    def _now(self) -> tuple[float, int]:
        agent = self._lab.log_reader(0) if self._kind.family == "log_reader" else self._lab.distribution_agent(0)
        return self._lab.now_s, agent.total_delivered_commands

    @property
    def delivered(self) -> int:
        """Commands since the run began."""
        assert self._began is not None
        return self._now()[1] - self._began[1]

    def left_s(self, seed: int) -> float:
        """Return for how long the agent would have worked at the mean speed meanwhile, had it been left alone."""
        assert self._began is not None
        constants = self._lab.scenario.noise.moving
        assert constants is not None
        speed = MovingSpeed(constants, seed)
        return sum(speed.speed_at(second) for second in range(int(self._began[0]), int(self._now()[0])))
