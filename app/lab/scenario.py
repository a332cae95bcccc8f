"""A scenario: every physical constant of a simulated site, loaded from a TOML file and checked key by key."""

import re
import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    ValidationError,
)

from app.domain.errors import BadInput
from app.foundation.paths import resource_path
from app.foundation.texts import _

Probability = Annotated[float, Field(ge=0.0, le=1.0)]


class _Section(BaseModel):
    """Base of every section: no unknown key, no NaN or infinity, no silent conversion, frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class TopologyConstants(_Section):
    """What stands where: agent pairs on one Distributor, processors, and what the Subscriber's tables carry."""

    pairs: PositiveInt
    publisher_cpus: PositiveInt
    distributor_cpus: PositiveInt
    subscriber_cpus: PositiveInt
    product_version: str
    edition: str
    foreign_keys: NonNegativeInt
    unique_nonclustered_indexes: NonNegativeInt
    indexed_views: NonNegativeInt
    triggers: NonNegativeInt


class PublisherConstants(_Section):
    """The workload generator and the publication database's transaction log."""

    workload_commands_per_s: PositiveFloat
    row_bytes: PositiveFloat
    log_bytes_per_command: PositiveFloat
    log_size_mb: PositiveFloat


class LogReaderConstants(_Section):
    """A reader thread and a writer thread with a bounded hand-off between them."""

    read_us_per_command: NonNegativeFloat
    write_us_per_command: NonNegativeFloat
    batch_round_trip_ms: NonNegativeFloat
    handoff_batches: PositiveInt


class DistributionDbConstants(_Section):
    """Locks, latches and disk of the distribution database."""

    lock_escalation_commands: PositiveFloat
    latch_share_per_writer: NonNegativeFloat
    queue_share_per_waiting_writer: NonNegativeFloat
    bytes_per_command: PositiveFloat
    data_disk_gb: PositiveFloat
    free_disk_gb: NonNegativeFloat


class DistributionAgentConstants(_Section):
    """Applying commands at the Subscriber on one or more streams."""

    apply_us_per_command: PositiveFloat
    several_streams_share: NonNegativeFloat
    lock_growth_share_per_1000_commands: NonNegativeFloat
    interference_share_per_stream_pair: NonNegativeFloat
    batch_ms: NonNegativeFloat
    stream_pair_failure_probability: Probability
    fetch_us_per_command: NonNegativeFloat
    fetch_commands: PositiveInt
    buffer_commands: PositiveInt


class LinkConstants(_Section):
    """The line from the Distributor to each Subscriber."""

    rtt_ms: NonNegativeFloat
    bandwidth_kbps: PositiveFloat
    bytes_per_command: PositiveFloat
    round_trips_per_command: NonNegativeFloat
    bytes_per_packet: NonNegativeFloat


class NoiseConstants(_Section):
    """Run-to-run noise of the agents and slow drift of the whole machine."""

    enabled: bool
    run_cv: NonNegativeFloat
    drift_share: NonNegativeFloat
    drift_over_s: PositiveFloat


class Scenario(_Section):
    """One simulated site; units are in the keys' names, sources beside the values in the file.

    Attributes:
        name: short name, the file's stem for the shipped ones.
        title: one sentence for a person.
    """

    name: str
    title: str
    topology: TopologyConstants
    publisher: PublisherConstants
    log_reader: LogReaderConstants
    distribution_db: DistributionDbConstants
    distribution_agent: DistributionAgentConstants
    link: LinkConstants
    noise: NoiseConstants


def scenario_names() -> tuple[str, ...]:
    """Return the names of the shipped scenarios, sorted."""
    return tuple(sorted(path.stem for path in resource_path("lab").glob("*.toml")))


def scenario_path(name: str) -> Path:
    """Return the file of a shipped scenario.

    Raises:
        BadInput: no scenario of that name is shipped.
    """
    if name not in scenario_names():
        raise BadInput(
            _('scenario "{name}" does not exist; shipped are {known}').format(
                name=name, known=", ".join(scenario_names())
            )
        )
    return resource_path("lab", f"{name}.toml")


def load_scenario(path: Path) -> Scenario:
    """Read and check a scenario file.

    Raises:
        BadInput: it cannot be read, is not TOML, or a constant is missing, unknown, negative or of the wrong type;
            the message names file and key.
    """
    try:
        return Scenario.model_validate(tomllib.loads(_read_text(path)))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(_("{path} is not valid TOML: {why}").format(path=path, why=error)) from error
    except ValidationError as error:
        raise BadInput(_first_problem(path, error)) from error


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        why = error.strerror or str(error)
        raise BadInput(_("scenario {path} cannot be read: {why}").format(path=path, why=why)) from error
    except UnicodeDecodeError as error:
        raise BadInput(_("{path} is not a text file; a scenario is a TOML file in UTF-8").format(path=path)) from error


def _first_problem(path: Path, error: ValidationError) -> str:
    problem = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "missing":
        return _('{path}: constant "{key}" is missing; add it with a value').format(path=path, key=key)
    if problem["type"] == "extra_forbidden":
        return _('{path}: constant "{key}" is unknown; remove it or correct its name').format(path=path, key=key)
    why = re.sub(r"^Input", _("it"), problem["msg"])
    return _('{path}: constant "{key}" = {value!r} cannot be used: {why}').format(
        path=path, key=key, value=problem["input"], why=why
    )
