"""What may be varied on a lab counts there: two levels read differently, and what would change nothing is refused."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest

from app.domain.errors import BadInput
from app.domain.family import ExperimentFamily
from app.domain.measurement import TrialStatus
from app.domain.plan import Factor, Plan
from app.domain.plan_field import PlanValue
from app.domain.setting import Parameter, Setting, Value
from app.domain.statement import Access, StatementRecord
from app.foundation.paths import resource_path
from app.lab.scenario_file import scenario_kind
from app.services.plan.checking import check_run
from app.services.plan.completing import read_site
from app.systems.availability_groups.families.commit_mode import CommitModeFamily
from app.systems.availability_groups.subjects import COMMIT, SEEDING
from app.systems.oracle_streams.families.streams_apply import StreamsApplyFamily
from app.systems.oracle_streams.subjects import STREAMS
from app.systems.transactional_replication.families.log_reader import LogReaderFamily
from app.systems.transactional_replication.load import Scenario
from app.systems.transactional_replication.subjects import DISTRIBUTION, LOG_READER
from tests.contract.families.lab_runs import FAMILIES, open_lab_of, run_on_lab, small_plan
from tests.labs import SYSTEMS, families_of, open_lab

HIDDEN: Mapping[str, PlanValue] = {"confirm_hidden": "yes"}
LARGE: Mapping[str, PlanValue] = {**HIDDEN, "operation": "update", "rows": 40_000, "rows_per_commit": 40_000}


@dataclass(frozen=True)
class Point:
    """Where a parameter's documented mechanism acts: two levels, neither of them in effect, and the load.

    Attributes:
        lab: another scenario than the subject's usual one.
        load: what the plan says about the load, beyond a small plan.
        beside: other parameters, fixed for both levels.
        rate_per_s: of a steady load; 0 delivers a backlog.
    """

    levels: tuple[Value, Value]
    lab: str = ""
    load: Mapping[str, PlanValue] = field(default_factory=dict)
    beside: Mapping[str, Value] = field(default_factory=dict)
    rate_per_s: float = 0.0


POINTS: dict[tuple[str, str], Point] = {
    (LOG_READER, "ReadBatchSize"): Point((100, 5_000)),
    (LOG_READER, "ReadBatchThreshold"): Point((100, 5_000)),
    # an agent looks again after an interval only where it has read the log to its end
    (LOG_READER, "PollingInterval"): Point((2, 20), rate_per_s=100.0),
    (DISTRIBUTION, "CommitBatchSize"): Point((10, 1_000)),
    (DISTRIBUTION, "CommitBatchThreshold"): Point((20, 2_000)),
    (DISTRIBUTION, "SubscriptionStreams"): Point((2, 8)),
    # headers of packets cost time where the line is slow
    (DISTRIBUTION, "PacketSize"): Point((512, 16_000), lab="wan-128k"),
    (COMMIT, "availability_mode"): Point(("async", "sync")),
    # a flag is in effect half a minute after it was set
    (COMMIT, "log_stream_compression"): Point(
        ("on", "off"), load={"settle_s": 60.0}, beside={"availability_mode": "sync"}
    ),
    # commits are grouped where several connections make them, as the client's own applications do
    (COMMIT, "group_commit_time"): Point(
        (0, 1),
        lab="ag-2025",
        load={"source": "own_traffic", "window_s": 60.0, "group": "AG_ORDERS", "database": "Orders"},
    ),
    (SEEDING, "backup_compression"): Point(("MS_XPRESS", "ZSTD_HIGH"), lab="ag-2025"),
    (SEEDING, "seeding_method"): Point(("direct", "direct_compressed")),
    (SEEDING, "stripes"): Point((2, 4)),
    (SEEDING, "BUFFERCOUNT"): Point((2, 50)),
    (SEEDING, "MAXTRANSFERSIZE"): Point((65_536, 4_194_304)),
    (STREAMS, "TXN_LCR_SPILL_THRESHOLD"): Point((1_000, 200_000), load=LARGE),
    (STREAMS, "PARALLELISM"): Point((1, 2)),
    # the order of commits costs time where some transactions wait for others
    (STREAMS, "COMMIT_SERIALIZATION"): Point(
        ("FULL", "NONE"),
        load={**HIDDEN, "rows": 20_000, "rows_per_commit": 100},
        beside={"_HASH_TABLE_SIZE": 25_000, "PARALLELISM": 4},
    ),
    (STREAMS, "_DYNAMIC_STMTS"): Point(("N", "Y"), load=LARGE),
    # in a small pool what is kept ready is missed
    (STREAMS, "_TXN_BUFFER_SIZE"): Point(
        (3, 81), lab="streams-small-pool", load={**HIDDEN, "rows": 20_000, "rows_per_commit": 20}
    ),
    (STREAMS, "_HASH_TABLE_SIZE"): Point((1_000, 2_000_000), load=HIDDEN),
    (STREAMS, "_CMPKEY_ONLY"): Point(("N", "Y"), load=LARGE),
    (STREAMS, "CAPTURE_PARALLELISM"): Point((2, 8)),
    (STREAMS, "_SGA_SIZE"): Point((1, 100), load=LARGE),
    (STREAMS, "_CHECKPOINT_FREQUENCY"): Point((1, 100), load=LARGE),
    (STREAMS, "streams_pool_size"): Point((200 * 1024**2, 5 * 1024**3), load=LARGE),
    (STREAMS, "LATENCY"): Point((5, 30)),
}

PARAMETERS = [(family, parameter) for family in FAMILIES.values() for parameter in family.parameters]
IDS = [f"{family.family_id}-{parameter.name}" for family, parameter in PARAMETERS]


class WithMaxCommands(LogReaderFamily):
    """The Log Reader Agent's family with a parameter that servers have and no lab simulates."""

    parameters = (*LogReaderFamily.parameters, Parameter("MaxCmdsInTran", "commands", 0, 0, None, (0, 100), "", ""))


class WithConnections(CommitModeFamily):
    """The commit mode with a setting of the replica that no lab simulates."""

    parameters = (*CommitModeFamily.parameters, Parameter("session_timeout", "s", 10, 5, None, (10, 20), "", ""))


class WithForcedCheckpoints(StreamsApplyFamily):
    """The pipeline with a parameter that the lab's capture process has and that counts for nothing."""

    parameters = (
        *StreamsApplyFamily.parameters,
        Parameter("_CHECKPOINT_FORCE", "", "N", None, None, ("N", "Y"), "", "", ("N", "Y")),
    )


NOT_SIMULATED: tuple[ExperimentFamily, ...] = (WithMaxCommands(), WithConnections(), WithForcedCheckpoints())


def _point(family: ExperimentFamily, parameter: Parameter) -> Point:
    return POINTS.get((family.subject, parameter.name)) or Point((parameter.levels[0], parameter.levels[-1]))


def _plan(family: ExperimentFamily, values: Mapping[str, tuple[Value, ...]], point: Point) -> Plan:
    plan = small_plan(family, Scenario.CONTINUOUS if point.rate_per_s else Scenario.DRAINED)
    return replace(
        plan,
        factors=tuple(Factor(name, levels) for name, levels in values.items()),
        baseline=Setting.from_mapping({name: levels[0] for name, levels in values.items()}),
        load=plan.load.but(**point.load, rate_per_s=point.rate_per_s or None),
        limits=plan.limits.but(log_used_share=None),
    )


def _readings(
    family: ExperimentFamily, parameter: Parameter, level: Value, point: Point
) -> list[tuple[str, str, float]]:
    """Return everything one trial at a level measures, on a lab of its own without noise."""
    values = {**{name: (value,) for name, value in point.beside.items()}, parameter.name: (level,)}
    run = run_on_lab(family, _plan(family, values, point), scenario=point.lab, noise=False)
    assert [trial.status for trial in run.trials] == [TrialStatus.USED], run.trials
    [trial] = run.trials
    return [(m.metric, m.conditions.label(), m.value) for m in trial.measurements]


def _refusal(family: ExperimentFamily, parameter: Parameter, point: Point) -> str:
    """Return why a plan over this parameter is refused on its lab, "" where it is not."""
    sent: list[StatementRecord] = []
    target = open_lab_of(family.subject, sent.append, lab=point.lab)
    plan = _plan(family, {parameter.name: point.levels}, point)
    try:
        check_run(plan, family, target, "plan.toml")
    except BadInput as error:
        assert {record.access for record in sent} == {Access.READ}
        return str(error)
    return ""


@pytest.mark.parametrize(("family", "parameter"), PARAMETERS, ids=IDS)
def test_what_a_family_varies_counts_on_its_lab_or_is_refused(family: ExperimentFamily, parameter: Parameter) -> None:
    """No run on the lab can end with "cannot tell" because nothing there reads the parameter."""
    point = _point(family, parameter)
    if f"the lab does not simulate {parameter.name}" in _refusal(family, parameter, point):
        assert (family.subject, parameter.name) not in POINTS
        return
    low, high = (_readings(family, parameter, level, point) for level in point.levels)
    assert low != high


@pytest.mark.parametrize("family", NOT_SIMULATED, ids=lambda family: family.parameters[-1].name)
def test_what_the_lab_does_not_simulate_is_refused_before_anything_is_changed(family: ExperimentFamily) -> None:
    """One sentence names the plan, the lab and the parameter; only reading statements were sent."""
    parameter = family.parameters[-1]
    assert _refusal(family, parameter, _point(family, parameter)) == (
        f"plan.toml: the lab does not simulate {parameter.name}; vary another parameter, or measure on a server"
    )


def test_what_the_lab_does_not_simulate_would_read_the_same() -> None:
    """The comparison above can tell: of a parameter nothing reads, two levels give one reading."""
    family = NOT_SIMULATED[0]
    parameter = family.parameters[-1]
    point = Point((50, 100))
    low, high = (_readings(family, parameter, level, point) for level in point.levels)
    assert low == high


def test_a_second_parameter_is_looked_at_as_well() -> None:
    """A grid over one that counts and one that does not is refused for the second."""
    family = NOT_SIMULATED[0]
    plan = _plan(family, {"ReadBatchSize": (100, 500), "MaxCmdsInTran": (0, 100)}, Point((0, 1)))
    with pytest.raises(BadInput, match="the lab does not simulate MaxCmdsInTran;"):
        check_run(plan, family, open_lab_of(family.subject, lambda _record: None), "plan.toml")


def test_every_kind_of_lab_says_what_counts() -> None:
    """Each kind of scenario is a lab of some subject, and each says what may be varied there."""
    paths = [path for path in sorted(resource_path("lab").glob("*.toml")) if path.stem not in ("busy-day", "incident")]
    subjects = {
        system.lab.kind: {family.subject for family in families_of(name).values()} for name, system in SYSTEMS.items()
    }
    assert {scenario_kind(path) for path in paths} == set(subjects)
    for path in paths:
        for subject in subjects[scenario_kind(path)]:
            families = [family for family in FAMILIES.values() if family.subject == subject]
            assert all(read_site(open_lab(path), family).simulated for family in families), path
