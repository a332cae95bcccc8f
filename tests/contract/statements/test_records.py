"""What is read of a result fits what its statement's header says of it: columns, types, NULLs, units, whose words."""

import dataclasses
from datetime import datetime
from typing import Any, get_args

import pytest

from app.domain.naming import Holds
from app.domain.units import dimension_of
from app.drivers.oracle import catalogue as oracle
from app.drivers.sqlserver.catalogue import Column, catalogue
from app.foundation.enumeration import Enumeration
from app.model import reading
from app.model.reading import fields_of, unit_of
from app.systems.availability_groups import copies, groups, readings
from app.systems.oracle_streams import readings as streams
from app.systems.transactional_replication import observed, topology
from app.systems.transactional_replication import readings as agents
from app.systems.transactional_replication.server import parameters

PRIMARY, SECONDARY = "group_sample_primary", "group_sample_secondary"
SEEDING = ("seeding_sample_secondary", "seeding_sample_primary")
# Which statements a record is read from, and what of it is given by whoever reads.
READ = [
    (readings.GroupSample, (PRIMARY,), {"readings", "servers", "work"}),
    (readings.ReplicaReading, (PRIMARY,), set()),
    (readings.ServerReading, (PRIMARY,), {"server"}),
    (readings.ServerReading, (SECONDARY,), {"server"}),
    (readings.SeedingServerReading, SEEDING[:1], {"server"}),
    (readings.SeedingServerReading, SEEDING[1:], {"server"}),
    (readings.SeedingSource, SEEDING[1:], set()),
    (readings.SeedingDestination, SEEDING[:1], set()),
    (
        readings.SeedingSample,
        SEEDING,
        {"state", "failure", "read_mb", "sent_mb", "written_mb", "free_disk_gb", "servers", "work"},
    ),
    (groups.AvailabilityGroup, ("group_replicas",), {"replicas", "databases", "listeners"}),
    (groups.Replica, ("group_replicas",), {"role", "mode"}),
    (groups.ReplicaDatabase, ("group_databases",), set()),
    (groups.ServerDatabase, ("server_databases",), set()),
    (groups.ServerOption, ("server_options",), set()),
    (groups.DiskVolume, ("server_volumes",), {"server"}),
    (
        copies.SeedingRequirements,
        ("seeding_requirements",),
        {"database_mb", "free_secondary_mb", "free_backup_mb", "seeding_mode", "may_create_any", "unknown_folders"},
    ),
    (copies.SeedingEvent, ("seeding_events",), set()),
    (copies.SeedingStep, ("backup_history",), set()),
    (
        agents.ReplicationSample,
        ("distributor_sample",),
        {"log_pending_transactions", "distribution_pending_commands", "log_used_share", "agents", "started_ms"}
        | {"published", "log_use_unknown", "work", "log_pending"},
    ),
    (agents.AgentReading, ("agent_history", "distributor_sample"), {"agent", "agent_id"}),
    (observed.AgentHour, ("agent_hours",), set()),
    (topology.Agent, ("agents",), {"redirected"}),
    (topology.RunsElsewhere, ("agents_elsewhere",), set()),
    (topology.SubscriptionNature, ("subscription_natures",), set()),
    (topology.Subscription, ("subscriptions",), set()),
    (topology.SubscriberObjects, ("subscriber_objects",), set()),
    (topology.JobStart, ("job_starts",), set()),
    (topology.PendingCommands, ("pending_commands",), set()),
    (parameters.AgentProfile, ("agent_profile",), set()),
]
TAKES_NULL = (str, bool)
MARKS = (reading.Column, reading.Counter, reading.Gauge, reading.Mean, Enumeration)
TYPES: dict[Any, set[str]] = {
    str: {"nvarchar", "sysname", "uniqueidentifier"},
    str | None: {"nvarchar", "sysname"},
    bool: {"int", "bit"},
    bool | None: {"int", "bit"},
    int: {"int", "bigint"},
    int | None: {"int", "bigint"},
    float: {"int", "bigint", "float"},
    float | None: {"int", "bigint", "float"},
    datetime: {"datetime"},
    datetime | None: {"datetime"},
}
ORACLE_TYPES: dict[Any, set[str]] = {
    str: {"VARCHAR2"},
    int: {"INTEGER"},
    float: {"INTEGER", "NUMBER"},
    float | None: {"NUMBER"},
    datetime: {"DATE"},
    datetime | None: {"DATE"},
}


@pytest.mark.parametrize(("record", "statements", "given"), READ)
def test_a_record_fits_the_header(record: Any, statements: tuple[str, ...], given: set[str]) -> None:
    """Each field that is read has a column; a NULL has a place; units convert; a name is one in both."""
    columns: dict[str, Column] = {}
    for name in statements:
        columns = {column.name: column for column in catalogue()[name].columns} | columns
    read = [field for field in fields_of(record) if field.name not in given]
    assert {field.column for field in read} <= columns.keys()
    for field in read:
        column = columns[field.column]
        if field.words is not None and all(isinstance(value, int) for value in field.words.words):
            assert column.sql_type == "int", column
            continue
        assert column.sql_type in TYPES[field.hint], column
        assert not column.nullable or field.hint in TAKES_NULL or type(None) in get_args(field.hint), column
        if column.unit and unit_of(field.name):
            assert dimension_of(column.unit) == dimension_of(unit_of(field.name)), column
        if field.hint is str:
            assert column.holds == next((mark for mark in field.marks if isinstance(mark, Holds)), Holds.NAME), column


@pytest.mark.parametrize("name", [name for name in oracle.catalogue() if name.startswith("sample_")])
def test_a_reading_of_a_pipeline_fits_the_header_of_each_sample(name: str) -> None:
    """The same, of rows that each tell some of its fields: any of them may be NULL where it says nothing."""
    columns = {column.name: column for column in oracle.catalogue()[name].columns}
    read = [field for field in fields_of(streams.StreamsSample) if any(isinstance(m, streams.Of) for m in field.marks)]
    given = {field.name for field in fields_of(streams.StreamsSample)} - {field.name for field in read}
    assert given == {"source_pool_share", "destination_pool_share", "states", "offset_s"}
    for field in read:
        column = columns[field.column]
        assert column.oracle_type in ORACLE_TYPES[field.hint], column
        if column.unit and unit_of(field.name):
            assert dimension_of(column.unit) == dimension_of(unit_of(field.name)), column
        if field.hint is str:
            assert column.holds == next(mark for mark in field.marks if isinstance(mark, Holds)), column


def test_every_declared_reading_is_held_against_its_header() -> None:
    """A record that is declared among the readings is in the table above."""
    found = [
        record
        for module in (copies, groups, readings, agents, observed, parameters, topology)
        for record in vars(module).values()
    ]
    records = {record for record in found if isinstance(record, type) and dataclasses.is_dataclass(record)}
    read = {record for record in records if any(isinstance(m, MARKS) for f in fields_of(record) for m in f.marks)}
    plain = {topology.SubscriberObjects, topology.SubscriptionNature}  # each of whose columns is named as its field
    assert read | plain == {record for record, _statements, _given in READ}
