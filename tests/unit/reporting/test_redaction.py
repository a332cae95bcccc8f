"""Replacing the client's names."""

from dataclasses import replace

import pytest

from app.domain.hand_over import own_name
from app.domain.session import SessionRecord
from app.reporting.redact.redaction import Redactor, redact, redactor_for
from tests.e2e.client_file import CLIENT_NAMES, client_session
from tests.report.kept import replication_of, streams_of, with_replication, with_streams
from tests.report.sample import NAMES, full_advice, full_session, imported_request
from tests.report.scripts import DECLARED, apply_script


@pytest.fixture
def session() -> SessionRecord:
    """Return the full session with names of the client in every kind of text."""
    return full_session()


@pytest.mark.parametrize("name", NAMES)
def test_no_name_is_left_in_any_record(session: SessionRecord, name: str) -> None:
    """After redaction no record of session or advice holds a name of the client, whatever its case."""
    shown, advice = redact(session, full_advice(), DECLARED)
    assert name.casefold() in repr(session).casefold()
    assert name.casefold() not in repr((shown, advice)).casefold()


def test_same_name_gets_the_same_word(session: SessionRecord) -> None:
    """A server is called the same wherever it is named, so that the report still reads."""
    shown, _advice = redact(session, full_advice(), DECLARED)
    read = replication_of(shown.environments[0])
    topology = read.topology
    assert topology.servers[0].name == topology.agents[0].publisher
    assert topology.agents[1].name == read.agents[1].agent
    assert topology.servers[0].name.startswith("Server ")
    assert topology.agents[0].name.startswith("Agent ")
    assert topology.distribution_db == "distribution"


def test_scripts_name_nobody(session: SessionRecord) -> None:
    """Scripts made from a redacted session hold none of the names either."""
    shown, advice = redact(session, full_advice(), DECLARED)
    script = apply_script(advice.findings, shown).casefold()
    assert not [name for name in NAMES if name.casefold() in script]


@pytest.mark.parametrize(
    "text",
    [
        "at CONTOPUB03.",
        "[CONTOPUB03]",
        '{"server": "CONTOPUB03"}',
        "contopub03\\INST1",
        "x_CONTOPUB03_y",
        "(CONTOPUB03)",
    ],
)
def test_names_are_found_in_every_surrounding(text: str) -> None:
    """Quotes, brackets, dots and underscores around a name do not hide it."""
    assert "contopub03" not in Redactor([("CONTOPUB03", "Server 1")]).text(text).casefold()


def test_parts_of_words_are_left_alone() -> None:
    """A database called "Sales" does not garble "Salesforce", nor one called "me" the word "Me"."""
    redactor = Redactor([("Sales", "Database 1"), ("me", "Database 2")])
    assert redactor.text("Salesforce and Sales") == "Salesforce and Database 1"
    assert redactor.text("Me and me") == "Me and Database 2"


def test_longer_names_go_first() -> None:
    """An agent named after its server is one name, not a server with a tail."""
    redactor = Redactor([("SRV", "Server 1"), ("SRV-Sales-1", "Agent 1")])
    assert redactor.text("SRV-Sales-1 on SRV") == "Agent 1 on Server 1"


def test_names_with_quotes_are_found_as_sql_and_json_write_them() -> None:
    """O'Brien is found as O''Brien, and HOST\\INST as JSON writes it."""
    redactor = Redactor([("O'Brien", "Database 1"), ("HOST\\INST", "Server 1")])
    assert redactor.text("N'O''Brien'") == "N'Database 1'"
    assert redactor.text('{"server": "HOST\\\\INST"}') == '{"server": "Server 1"}'


def test_the_file_of_imported_measurements_is_replaced() -> None:
    """A file name can hold the client's name."""
    request = imported_request()
    named = replace(request.session, imported_from="/home/ann/Contoso Retail/runs.csv")
    shown, _advice = redact(named, request.advice, DECLARED)
    assert shown.imported_from == "File 1"


def test_addresses_do_not_turn_numbers_into_names(session: SessionRecord) -> None:
    """A server known by its IP address does not make every 192 a server."""
    target = "sqlserver://ann@192.168.7.20:1433"
    moved = replace(session, runs=tuple(replace(run, target=target) for run in session.runs), notes=("192 rows, ann",))
    shown, _advice = redact(moved, full_advice(), DECLARED)
    assert shown.notes == ("192 rows, Login 2",)


def test_names_of_groups_and_streams_and_of_parameters_are_replaced() -> None:
    """Replicas, listeners, volumes, processes, queues, and what statements, changes and plans name."""
    with_names = client_session()
    shown = redactor_for([with_names], declared=DECLARED).record(with_names)
    known = [name for name in CLIENT_NAMES if name.casefold() in repr(with_names).casefold()]
    assert len(known) > 20
    assert [name for name in known if name.casefold() in repr(shown).casefold()] == []


def test_several_sessions_share_one_mapping() -> None:
    """A server of two sessions has one word, two servers never share one."""
    first, second = full_session(), client_session()
    redactor = redactor_for([first, second], declared=DECLARED)
    words = {redactor.text(name) for name in ("CONTOPUB03", "CONTOSUB11", "FABNODE01", "fabnode02", "FABNODE03")}
    assert len(words) == 5
    assert redactor.text("contopub03") == redactor.text("CONTOPUB03")
    assert redactor_for([second], ["Night Owl"], DECLARED).text("project NIGHT OWL") == "project Name 1"


def test_names_no_language_has_are_found_inside_words() -> None:
    """A server's name glued to another word still tells whose it is; a word of the language is left whole."""
    redactor = Redactor([("SRVPROD07", "Server 1"), ("Orders", "Table 1")])
    assert redactor.text("xSRVPROD07y and srvprod07x") == "xServer 1y and Server 1x"
    assert redactor.text("Ordersheet") == "Ordersheet"
    assert redactor.survivor("…srvprod07…") == "srvprod07"
    assert redactor.survivor("Orders") == ""


def test_names_beyond_ascii_are_found_in_any_case() -> None:
    """Letters that change their number when folded (ß, İ) do not hide a name."""
    redactor = Redactor([("Größe", "Database 1"), ("İstanbul", "Database 2")])
    assert redactor.text('in GRÖßE, größe and {"db": "Gr\\u00f6\\u00dfe"}') == (
        'in Database 1, Database 1 and {"db": "Database 1"}'
    )
    assert redactor.text("İstanbul") == "Database 2"


def test_an_agents_name_is_found_where_its_profile_cuts_it() -> None:
    """The profile made for an agent carries the beginning of its name."""
    name = "PUB-" + "x" * 200
    assert Redactor([(name, "Agent 1")]).text(own_name(name)) == "Replitune advice Agent 1"


def test_a_parameter_may_hold_a_name() -> None:
    """A user whose changes are left out is a name; numbers, sizes and the vendor's words are what they are."""
    with_names = client_session()
    streams = streams_of(with_names.environments[1])
    values = ("MARABOU", "INFINITE", "Y", "-1", "0.5", "200M", "2601:2627:20598")
    held = tuple(
        replace(streams.parameters[0], effective=replace(streams.parameters[0].effective, name=f"P{n}", value=value))
        for n, value in enumerate(values)
    )
    environment = with_streams(with_names.environments[1], replace(streams, parameters=held))
    session = replace(with_names, environments=(environment,), statements=(), changes=(), runs=())
    shown = redactor_for([session], declared=DECLARED).record(session)
    parameters = streams_of(shown.environments[0]).parameters
    assert [parameter.effective.value for parameter in parameters] == ["Name 1", *values[1:]]


def test_own_words_are_not_taken_for_names() -> None:
    """A database called as a measure, a factor or the program itself keeps its name, or nothing could be read again."""
    session = full_session()
    environment = session.environments[0]
    topology = replication_of(environment).topology
    odd = tuple(
        replace(p, publisher_db=name)
        for p in topology.publications
        for name in ("run_time", "ReadBatchSize", "log_reader", "2026", "ReplituneLoad")
    )
    changed = with_replication(environment, topology=replace(topology, publications=odd))
    shown = redactor_for([session], declared=DECLARED).record(session)
    again = redactor_for([replace(session, environments=(changed,))], declared=DECLARED).record(session)
    assert again.runs[0].trials[0].measurements == shown.runs[0].trials[0].measurements
    assert again.created_utc == session.created_utc


def test_ten_thousand_tables_are_replaced() -> None:
    """Every one of them, in a text with thousands of places; a bench looks at how long it takes."""
    redactor = Redactor((f"dbo.Ledger_{number:05}", f"Table {number}") for number in range(10_000))
    text = " ".join(f"[dbo.Ledger_{number:05}], other words" for number in range(0, 10_000, 7)) * 5
    shown = redactor.text(text)
    assert "Ledger" not in shown
    assert "[Table 7]" in shown


def test_a_process_called_as_its_kind_breaks_nothing() -> None:
    """What is kept of a system can be opened afterwards, whatever the client's processes are called."""
    with_names = client_session()
    topology = streams_of(with_names.environments[1])
    process = replace(topology.processes[0], name="CAPTURE")
    environment = with_streams(with_names.environments[1], replace(topology, processes=(process,)))
    session = replace(with_names, environments=(environment,))
    shown = redactor_for([session], declared=DECLARED).record(session)
    [again] = streams_of(shown.environments[0]).processes
    assert again.component is process.component
    assert again.name != process.name


def test_what_a_system_that_is_not_installed_kept_is_names() -> None:
    """Beside what an installed system opens, texts nobody declares are replaced as well."""
    with_names = client_session()
    environment = with_names.environments[1]
    assert streams_of(environment).processes
    foreign = replace(environment, kept=(*environment.kept, ("turnstiles", '[{"hall": "Hall-of-ACME"}]')))
    session = replace(with_names, environments=(foreign,))
    assert "Hall-of-ACME" not in repr(redactor_for([session], declared=DECLARED).record(session))


def test_a_name_that_differs_from_a_word_of_ours_by_its_case_is_replaced() -> None:
    """A process called STREAMS_APPLY is the client's, the experiment streams_apply and Oracle's views are not."""
    redactor = Redactor(
        (("STREAMS_APPLY", "Process 1"), ("STREAMS_CAPTURE", "Process 2")), ("streams_apply",), DECLARED.view_prefixes
    )
    shown = redactor.text(
        "streams_apply: STREAMS_CAPTURE → STREAMS_APPLY, as V$STREAMS_CAPTURE and V$STREAMS_APPLY show"
    )
    assert shown == "streams_apply: Process 2 → Process 1, as V$STREAMS_CAPTURE and V$STREAMS_APPLY show"


@pytest.mark.parametrize("name", ["SALES", "LOG"])
def test_only_a_view_of_the_vendor_keeps_what_a_client_calls_something(name: str) -> None:
    """However it is spelt; an account or a service whose name ends like a view's prefix is the client's."""
    redactor = Redactor(((name, "Database 1"),), view_prefixes=DECLARED.view_prefixes)
    views = f"V${name}, GV${name}, v${name}_HISTORY"
    assert redactor.text(views) == views
    assert redactor.text(f"SRV${name} and DEV_V${name}") == "SRV$Database 1 and DEV_V$Database 1"
    assert Redactor(((name, "Database 1"),)).text(f"V${name}") == "V$Database 1"


def test_a_process_is_replaced_whatever_an_experiment_is_called() -> None:
    """No name of a session survives for being a word of the program in other case."""
    session = full_session()
    environment = session.environments[0]
    topology = replication_of(environment).topology
    called = tuple(replace(p, publisher_db="RUN_TIME") for p in topology.publications)
    changed = with_replication(environment, topology=replace(topology, publications=called))
    redactor = redactor_for([replace(session, environments=(changed,))], declared=DECLARED)
    assert redactor.text("RUN_TIME") != "RUN_TIME"
    assert redactor.text("run_time") == "run_time"
