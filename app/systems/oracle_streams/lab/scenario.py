"""A scenario of an Oracle Streams pipeline: every constant of both databases, from a TOML file of kind "streams"."""

from typing import Final, Literal, Self

from pydantic import NonNegativeFloat, PositiveFloat, PositiveInt, model_validator

from app.lab.client_rate import ClientRateConstants
from app.lab.moving import MovingConstants
from app.lab.scenario_file import Probability, ScenarioKind, Section, TitledScenario
from app.lab.uneven import UnevenConstants
from app.systems.oracle_streams.lab.parameter_values import check_value


class DatabaseConstants(Section):
    """One of the two databases.

    Attributes:
        database_name: global name.
        version: as in V$INSTANCE.
        cpus: processors the apply servers (or the capture) share.
        streams_pool_mb: streams_pool_size.
    """

    database_name: str
    version: str
    cpus: PositiveInt
    streams_pool_mb: PositiveFloat


class NameConstants(Section):
    """Names of the pipeline's parts in the dictionary views."""

    queue_owner: str
    capture_name: str
    source_queue: str
    propagation_name: str
    database_link: str
    destination_queue: str
    apply_name: str


class WorkloadConstants(Section):
    """The session that writes rows as fast as it can, and the redo of a row at the source."""

    insert_rows_per_s: PositiveFloat
    update_rows_per_s: PositiveFloat
    insert_redo_bytes_per_row: PositiveFloat
    update_redo_bytes_per_row: PositiveFloat


class CaptureConstants(Section):
    """LogMiner and the making of LCRs."""

    capture_us_per_lcr: PositiveFloat
    preparer_share: Probability
    wake_s: NonNegativeFloat
    quiet_s: PositiveFloat
    redo_poll_s: PositiveFloat
    start_s: NonNegativeFloat
    stop_s: NonNegativeFloat
    mining_mb_per_s: PositiveFloat
    checkpoint_ms: NonNegativeFloat
    logminer_bytes_per_lcr: NonNegativeFloat
    pageout_us_per_lcr: NonNegativeFloat


class QueueConstants(Section):
    """The two buffered queues: windows of flow control, lifespan of a message, spilling."""

    source_window_lcrs: PositiveInt
    destination_window_lcrs: PositiveInt
    lifespan_s: PositiveFloat
    overspilled_lcrs: PositiveInt
    spill_us_per_lcr: NonNegativeFloat
    batch_lcrs: PositiveInt


class PropagationConstants(Section):
    """Sending messages from queue to queue over the database link."""

    latency_s: NonNegativeFloat
    send_us_per_lcr: NonNegativeFloat
    bytes_per_lcr: PositiveFloat
    bandwidth_mbps: PositiveFloat
    retry_s: PositiveFloat
    failures_to_disable: PositiveInt


class ApplyConstants(Section):
    """Apply reader, coordinator and apply servers."""

    read_us_per_lcr: PositiveFloat
    assembly_us_per_lcr: NonNegativeFloat
    assembly_from_lcrs: PositiveInt
    stage_us_per_lcr: NonNegativeFloat
    read_back_us_per_lcr: NonNegativeFloat
    apply_us_per_lcr: PositiveFloat
    commit_ms: NonNegativeFloat
    rollback_us_per_lcr: NonNegativeFloat
    whole_row_update_share: NonNegativeFloat
    old_value_check_share: NonNegativeFloat
    dependency_share: Probability
    collision_share_per_million_entries: Probability
    initrans: PositiveInt
    itl_wait_share: NonNegativeFloat
    start_s: NonNegativeFloat
    stop_s: NonNegativeFloat


class PoolConstants(Section):
    """The users of Streams pool memory, and when it is short."""

    bytes_per_lcr: PositiveFloat
    base_mb: NonNegativeFloat
    mb_per_apply_server: NonNegativeFloat
    bytes_per_hash_entry: NonNegativeFloat
    pressed_share: Probability
    relieved_share: Probability


class RedoConstants(Section):
    """Redo beyond the workload's own."""

    insert_apply_bytes_per_lcr: NonNegativeFloat
    update_apply_bytes_per_lcr: NonNegativeFloat
    stage_bytes_per_lcr: NonNegativeFloat
    queue_spill_bytes_per_lcr: NonNegativeFloat


class NoiseConstants(Section):
    """Run-to-run noise of the whole site, of each component on top, and slow drift."""

    enabled: bool
    run_cv: NonNegativeFloat
    component_cv: NonNegativeFloat
    drift_share: NonNegativeFloat
    drift_over_s: PositiveFloat
    uneven: UnevenConstants | None = None
    moving: MovingConstants | None = None


class ParameterConstants(Section):
    """Parameters of a capture or apply process as text: the release's defaults and a user's settings."""

    default: dict[str, str]
    set_by_user: dict[str, str]

    @model_validator(mode="after")
    def _check(self) -> Self:
        for name, value in (*self.default.items(), *self.set_by_user.items()):
            check_value(name, value)
        unknown = sorted(set(self.set_by_user) - set(self.default))
        if unknown:
            raise ValueError(f"parameter {unknown[0]} is set but has no default")
        return self


class OtherWritersConstants(Section):
    """Commits of others at the source all the time, at random moments, which the pipeline carries as well."""

    transactions_per_s: PositiveFloat
    rows_per_transaction: PositiveInt


class ClientWritersConstants(ClientRateConstants):
    """The client's own applications; transactions of one second are of one size, sizes are equally likely."""

    least_rows: PositiveInt
    most_rows: PositiveInt


class PastConstants(Section):
    """The site's past before anybody looked: for so long the apply process stood, and what was written waits."""

    outage_hours: PositiveFloat


class StreamsScenario(TitledScenario):
    """One simulated pipeline.

    Attributes:
        initialization: initialization parameters of both databases that the pipeline does not model, as text.
    """

    kind: Literal["streams"]
    source: DatabaseConstants
    destination: DatabaseConstants
    names: NameConstants
    workload: WorkloadConstants
    capture: CaptureConstants
    queues: QueueConstants
    propagation: PropagationConstants
    apply: ApplyConstants
    pool: PoolConstants
    redo: RedoConstants
    noise: NoiseConstants
    capture_parameters: ParameterConstants
    apply_parameters: ParameterConstants
    initialization: dict[str, str]
    other_writers: OtherWritersConstants | None = None
    client_writers: ClientWritersConstants | None = None
    past: PastConstants | None = None


_KIND: Final = ScenarioKind("streams", StreamsScenario)
scenario_names = _KIND.names
scenario_path = _KIND.path
load_scenario = _KIND.load
