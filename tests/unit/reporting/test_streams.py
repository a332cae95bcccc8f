"""A Streams pipeline in the hand-over: environment, method, tables, scripts for Oracle."""

from dataclasses import replace

import pytest

from app.domain.finding import Finding
from app.domain.session import Advice, SessionRecord
from app.domain.setting import Value
from app.reporting.document.environment import environment_section
from app.reporting.document.method import method_section
from app.reporting.document.result_tables import table_blocks
from app.reporting.wording import Vocabulary
from app.systems.oracle_streams.families.streams_apply import FAMILY
from app.systems.oracle_streams.hand_over.change_effort import change_effort_of
from app.systems.oracle_streams.pipeline import StreamsComponent
from tests.contract.families.lab_runs import FAMILIES, LabRun, run_on_lab, small_plan
from tests.contract.oracle.plsql import calls_of, tokens_of
from tests.report.kept import streams_of, with_streams
from tests.report.scripts import (
    WORDS,
    apply_script,
    oracle_apply_script,
    oracle_rollback_script,
)

NOTHING = Advice((), (), (), (), ())


@pytest.fixture(scope="module", name="run")
def _run() -> LabRun:
    return run_on_lab(FAMILIES["streams_apply"], small_plan(FAMILIES["streams_apply"], blocks=2, confirm_blocks=2))


@pytest.fixture(scope="module", name="session")
def _session(run: LabRun) -> SessionRecord:
    return run.session()


def finding(parameter: str, old: Value, new: Value, priority: int = 2) -> Finding:
    """Return a recommendation of a value, made from the session's trials."""
    return Finding(
        rule="any",
        version=1,
        family="streams_apply",
        priority=priority,
        task="Set it",
        recommendation="Set it.",
        because="It is faster.",
        trade_offs="None.",
        risk="None.",
        undo="Put it back.",
        parameter=parameter,
        from_value=old,
        to_value=new,
        sources=(),
        evidence=("E1-T001",),
        facts=(),
    )


def blocks_of(script: str) -> list[str]:
    """Return the PL/SQL blocks that set a value, each without the slash that ends it."""
    parts = (part.rpartition("\nDECLARE\n    here ")[2] for part in script.split("\n/\n") if "    here global_" in part)
    return ["DECLARE\n    here " + part.strip() for part in parts]


def test_the_environment_shows_databases_processes_and_parameters(session: SessionRecord) -> None:
    """Both ends, the path, where each value comes from, and that hidden ones may not be shown."""
    said = repr(environment_section(session, WORDS).blocks)
    for word in ("SRC.EXAMPLE.COM", "10.2.0.4.0", "STREAMS_CAPTURE → STREAMS_PROPAGATION → STREAMS_APPLY", "ENABLED"):
        assert word in said
    for word in ("TXN_LCR_SPILL_THRESHOLD", "_DYNAMIC_STMTS", "4,096", "not shown"):
        assert word in said
    streams = streams_of(session.environments[0])
    warned = with_streams(session.environments[0], replace(streams, warnings=("the pool is small",)))
    assert "the pool is small" in repr(environment_section(replace(session, environments=(warned,)), WORDS).blocks)


def test_the_method_tells_the_load_and_the_limits(session: SessionRecord) -> None:
    """Operation, rows and size of the transactions, and what ends a trial."""
    said = repr(method_section(session, NOTHING, Vocabulary((FAMILY,))).blocks)
    for word in ("insert", "4,000", "500", "Streams pool used over 95"):
        assert word in said


def test_the_table_shows_every_setting(run: LabRun) -> None:
    """Run time, pauses, spills and redo of each setting stand in one table."""
    [table] = run.advise().tables
    assert len(table.rows) == 2
    assert {"run_time", "flow_control_pause", "spilled_source", "source_redo"} <= {c.key for c in table.columns}
    assert table_blocks((table,))


def test_scripts_act_on_the_measured_process_of_its_own_database_only(session: SessionRecord) -> None:
    """One block each, guarded by the database's name and by the value; the rollback in reverse order."""
    findings = [finding("TXN_LCR_SPILL_THRESHOLD", 100_000, 500_000), finding("_SGA_SIZE", 10, 80, 3)]
    apply, back = (
        blocks_of(oracle_apply_script(findings, session)),
        blocks_of(oracle_rollback_script(findings, session)),
    )
    assert len(apply) == len(back) == 2
    assert "here <> 'DST.EXAMPLE.COM'" in apply[0]
    assert "here <> 'SRC.EXAMPLE.COM'" in apply[1]
    assert "NOT IN ('100000', '500000')" in apply[0]
    assert "value => '500000'" in apply[0]
    assert "value => '100000'" in back[1]
    assert "DBMS_CAPTURE_ADM" in back[0]
    for block in (*apply, *back):
        assert {call.procedure for call in calls_of(block)} >= {"DBMS_OUTPUT.PUT_LINE"}
        assert tokens_of(block)


def test_what_nobody_had_set_goes_back_to_its_default(session: SessionRecord) -> None:
    """NULL puts the default back; a hidden parameter nobody set is not shown, and that is no other value."""
    streams = streams_of(session.environments[0])
    unset = tuple(
        replace(p, set_by_user=False, effective=replace(p.effective, value=""))
        if p.effective.name == "_DYNAMIC_STMTS"
        else p
        for p in streams.parameters
    )
    environment = with_streams(session.environments[0], replace(streams, parameters=unset))
    fresh = replace(session, environments=(environment,))
    [back] = blocks_of(oracle_rollback_script([finding("_DYNAMIC_STMTS", "N", "Y")], fresh))
    assert "value => NULL" in back
    assert "NOT IN ('Y')" in back


def test_a_hidden_parameter_asks_for_the_restart_it_was_measured_with(session: SessionRecord) -> None:
    """No page says when one counts: script and run sheet ask for what the trials did before they measured."""
    for parameter, is_hidden in (("_DYNAMIC_STMTS", True), ("TXN_LCR_SPILL_THRESHOLD", False)):
        made = finding(parameter, "100000", "10")
        for script in (oracle_apply_script([made], session), oracle_rollback_script([made], session)):
            assert ("stop and start the process" in " ".join(script.replace("\n--", "").split())) is is_hidden
        asked = change_effort_of(made, session)
        assert ("stopped and started" in asked.interruption) is is_hidden
        assert ("was stopped and started since" in asked.check) is is_hidden


def test_the_pool_is_set_at_both_databases(session: SessionRecord) -> None:
    """Two blocks, each for its own database and one instance of it, where the size is found or new; and back to it."""
    made = [finding("streams_pool_size", 4 * 1024**3, 5 * 1024**3)]
    apply, back = blocks_of(oracle_apply_script(made, session)), blocks_of(oracle_rollback_script(made, session))
    assert [("SRC." in block, "DST." in block) for block in apply] == [(True, False), (False, True)]
    assert all("TO_CHAR(5368709120, " in block for block in apply)
    assert all("TO_CHAR(4294967296, " in block for block in back)
    in_words = [finding("streams_pool_size", "4G", " 5g")]
    guards = [
        block.split("IF TO_NUMBER")[1].split("THEN")[0] for block in blocks_of(oracle_apply_script(in_words, session))
    ]
    assert guards == [block.split("IF TO_NUMBER")[1].split("THEN")[0] for block in apply]
    for block in (*apply, *back):
        assert "NOT BETWEEN 4294967296 AND 4294967296 + granule" in block
        assert "NOT BETWEEN 5368709120 AND 5368709120 + granule" in block
        assert "IF 1 = 1 THEN\n            scope_wanted := 'BOTH';" in block
        assert "IF instance_found <> only_here THEN" in block
        assert tokens_of(block)


def test_measurements_from_elsewhere_make_a_template(session: SessionRecord) -> None:
    """Nobody knows the process: SQL*Plus asks for database, process and the value to go back to."""
    elsewhere = replace(session, environments=(), runs=())
    made = [finding("TXN_LCR_SPILL_THRESHOLD", 100_100, 500_100)]
    assert "TEMPLATE" in oracle_apply_script(made, elsewhere)
    assert "'&apply_name'" in oracle_apply_script(made, elsewhere)
    assert "value => '&old_value'" in oracle_rollback_script(made, elsewhere)


def test_where_oracle_alone_is_set_nobody_is_sent_to_a_distributor(session: SessionRecord) -> None:
    """The script for SQL Server says where the Oracle values are set, and nothing about servers that are not there."""
    for found in ([finding("PARALLELISM", 8, 4)], []):
        text = apply_script(found, session)
        assert "Distributor" not in text
        assert "agent" not in text


def test_the_script_for_oracle_is_plain_ascii(session: SessionRecord) -> None:
    """SQL*Plus reads a script in the client's own character set, and takes a byte order mark for a command."""
    found = [finding("PARALLELISM", 8, 4)]
    assert oracle_apply_script(found, session).isascii()
    assert oracle_rollback_script(found, session).isascii()


def test_the_method_says_what_is_done_to_a_pipeline(session: SessionRecord) -> None:
    """The apply process is stopped and started; no agent is spoken of."""
    told = repr(method_section(session, NOTHING, Vocabulary(FAMILIES.values())))
    assert "the apply process is stopped" in told
    assert "agent" not in told.lower()


def test_quotes_in_a_name_are_doubled(session: SessionRecord) -> None:
    """What a client called an apply process stays text in its script."""
    streams = streams_of(session.environments[0])
    path = replace(streams.paths[0], apply="A'B")
    odd = tuple(replace(p, process="A'B") if p.component is StreamsComponent.APPLY else p for p in streams.parameters)
    environment = with_streams(session.environments[0], replace(streams, paths=(path,), parameters=odd))
    script = oracle_apply_script([finding("PARALLELISM", 8, 4)], replace(session, environments=(environment,)))
    assert "'A''B'" in script
