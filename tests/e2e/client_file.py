"""A client's file with a name of the client in every place that can hold one."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from app.domain.change import Change, EntryState, JournalEntry
from app.domain.load import Load
from app.domain.measurement import Sample
from app.domain.server import EffectiveParameter, ServerInfo
from app.domain.session import Environment, SessionRecord
from app.domain.statement import Access, StatementRecord
from app.foundation.codec import dump_json
from app.store import RecordedEvent, Remark, Tag, create_session_file
from app.systems.availability_groups.groups import (
    AvailabilityGroup,
    CommitMode,
    DiskVolume,
    GroupTopology,
    Replica,
    ReplicaDatabase,
    ServerDatabase,
)
from app.systems.oracle_streams.pipeline import (
    OracleDatabase,
    StreamsComponent,
    StreamsParameter,
    StreamsPath,
    StreamsProcess,
    StreamsTopology,
)
from tests.report.sample import BEGAN, NAMES, empty_session, full_session, imported_request

SECOND_TARGET: Final = (
    "sqlserver://FABRIKAM%5Csvc_tuner@agl-fabrikam.corp.fabrikam.test:1433"
    "?encrypt=strict&failover_partner=fabnode02.corp.fabrikam.test&server.FABNODE03=fabnode03.corp.fabrikam.test,1444"
    "&spn.FABNODE05=MSSQLSvc/fabnode04.corp.fabrikam.test:1433"
)
ORACLE_TARGET: Final = "oracle://strmtuner@orafab01.corp.fabrikam.test:1521/LEDGERPDB"

CLIENT_NAMES: Final = (
    *NAMES,
    "Fabrikam Freight",
    "svc_tuner",
    "agl-fabrikam",
    "corp.fabrikam.test",
    "FABNODE01",
    "fabnode02",
    "FABNODE03",
    "fabnode04",
    "FABNODE05",
    "AG_FREIGHT_LEDGER",
    "FreightLedger",
    "strmtuner",
    "orafab01",
    "LEDGERPDB",
    "LEDGERSRC",
    "FREIGHT_CAPTURE",
    "FREIGHT_APPLY",
    "FREIGHT_PROP",
    "FREIGHT_QUEUE",
    "STRMOWNER",
    "Shipments_2026",
    "freight-backups",
    "freight-measurements.csv",
    "Größenordnung",
)
"""Every name of the client in the file."""


def write_client_file(path: Path) -> Path:
    """Write a file of two measured sessions and one of measurements made elsewhere."""
    imported = replace(
        imported_request().session, session_id="S20261123-080000-aaaaaa", imported_from="freight-measurements.csv"
    )
    with create_session_file(path) as store:
        store.add_session(full_session())
        store.add_session(client_session(), events=_events(), remarks=_remarks(), tags=(Tag("E1", "fabnode01"),))
        store.add_session(imported)
    return path


def client_session() -> SessionRecord:
    """Return a session with an availability group, a Streams pipeline, statements and changes."""
    session = full_session()
    run = session.runs[0]
    trial = replace(run.trials[0], samples=(Sample("FABNODE01: processors", 0.0, 0.25, "share"),))
    load = Load.from_mapping({"database": "FreightLedger", "group": "AG_FREIGHT_LEDGER", "secondary": "fabnode02"})
    moved = replace(
        run,
        target=SECOND_TARGET,
        plan=replace(run.plan, load=load),
        reason="FABNODE01 was stopped by svc_tuner",
        trials=(trial, *run.trials[1:]),
    )
    return replace(
        empty_session(),
        session_id="S20261122-080000-bbbbbb",
        title="Freight ledger of Fabrikam Freight",
        client="Fabrikam Freight",
        consultant="Harbour Database Consulting",
        environments=(_groups(), _streams()),
        runs=(moved,),
        notes=("asked the DBA to run, at FABNODE03: DBCC TRACEON at fabnode03",),
        statements=_statements(),
        changes=_changes(),
    )


def _groups() -> Environment:
    replicas = tuple(
        Replica(f"{n}a", server, role, CommitMode.SYNCHRONOUS, "manual", "manual", True)
        for n, (server, role) in enumerate((("FABNODE01", "primary"), ("fabnode02", "secondary")))
    )
    group = AvailabilityGroup(
        "9f",
        "AG_FREIGHT_LEDGER",
        "FABNODE01",
        replicas,
        (ReplicaDatabase("FreightLedger", "fabnode02", "SYNCHRONIZED", True, False),),
        listeners=("agl-fabrikam.corp.fabrikam.test",),
    )
    topology = GroupTopology(
        connected_to="FABNODE01",
        servers=(ServerInfo("FABNODE01", "Primary", "16.0", "Enterprise", 8),),
        groups=(group,),
        databases=(ServerDatabase("Größenordnung", "", "ONLINE", "FULL", 10.0, 1.0, 0.1, False),),
        trace_flags=(("FABNODE01", 9592),),
        volumes=(DiskVolume("FABNODE01", "E:\\freight-backups\\", 100.0, 200.0),),
        unreachable=(("FABNODE03", "no answer from FABNODE03"),),
    )
    facts = (("Sign-in", "FABRIKAM\\svc_tuner", ""),)
    return Environment(SECOND_TARGET, facts, (("groups", dump_json(topology)),))


def _streams() -> Environment:
    value = EffectiveParameter("PARALLELISM", "4", "profile", "4", 1, None, "")
    topology = StreamsTopology(
        databases=(OracleDatabase("LEDGERSRC.CORP.FABRIKAM.TEST", "Source", "11.2", "Enterprise", "11.2", 8, 512.0),),
        processes=(
            StreamsProcess(
                StreamsComponent.CAPTURE, "FREIGHT_CAPTURE", "LEDGERSRC", "ABORTED", "", "STRMOWNER.FREIGHT_QUEUE",
                error="ORA-01031 for STRMOWNER",
            ),
        ),
        paths=(StreamsPath("FREIGHT_CAPTURE to FREIGHT_APPLY", "FREIGHT_CAPTURE", "FREIGHT_PROP", "FREIGHT_APPLY"),),
        parameters=(StreamsParameter(StreamsComponent.APPLY, "FREIGHT_APPLY", value, True, False),),
        apply_errors=0,
        long_transactions=1,
        warnings=("FREIGHT_QUEUE is almost full",),
    )  # fmt: skip
    return Environment(ORACLE_TARGET, (), (("streams", dump_json(topology)),))


def _statements() -> tuple[StatementRecord, ...]:
    parameters = '{"table": "dbo.Shipments_2026", "replica_server": "fabnode02", "note": "Gr\\u00f6\\u00dfenordnung"}'
    text = "/* Replitune */ SELECT N'FreightLedger', [Shipments_2026] FROM [AG_FREIGHT_LEDGER];"
    return (
        StatementRecord(
            "read_group", Access.CHANGE, "FABNODE01", text, parameters, BEGAN, 1.5, 1, "login svc_tuner failed"
        ),
    )


def _changes() -> tuple[JournalEntry, ...]:
    change = Change(
        kind="trace_flag",
        subject="trace flag 9592 at FABNODE01",
        original="off",
        new="on",
        details=(
            ("servers", '["FABNODE01", "fabnode02"]'),
            ("folder", "\\\\fabnode02\\freight-backups"),
            ("flag", 9592),
        ),
        apply_sql="-- at FABNODE01\nDBCC TRACEON (9592, -1);",
        undo_sql="USE [FreightLedger]; DBCC TRACEOFF (9592, -1); -- O''Brien of Fabrikam Freight",
        needs_consent="every group of FABNODE01",
    )
    entry = JournalEntry(
        1, "S20261122-080000-bbbbbb", SECOND_TARGET, change, EntryState.APPLIED, BEGAN, "FABNODE01 did not answer"
    )
    return (entry,)


def _events() -> tuple[RecordedEvent, ...]:
    return (RecordedEvent("E1", "change_applied", "trace flag 9592 at FABNODE01", BEGAN + timedelta(minutes=1), 60.0),)


def _remarks() -> tuple[Remark, ...]:
    return (Remark(1, "", "Call Mr Halvorsen-Brandt about fabnode02", BEGAN),)
