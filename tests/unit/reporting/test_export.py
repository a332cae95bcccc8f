"""CSV and JSON of a session."""

import csv
import io
import json
from dataclasses import replace
from math import inf

from app.domain.measurement import Measurement
from app.domain.session import SessionRecord
from app.domain.setting import Setting
from app.reporting.decision_words import headline
from app.reporting.export.csv_export import findings_csv, measurements_csv, measurements_of, statements_csv, table_csv
from app.reporting.export.json_export import session_json
from app.reporting.tables import changes
from app.reporting.tables.changes import journal_table
from app.reporting.tables.trials import IN_FILES, trials_of, trials_table
from app.reporting.wording import Vocabulary
from tests.report.sample import full_advice, full_session, imported_request


def _rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"))))


def _trials_csv(session: SessionRecord) -> bytes:
    return table_csv(trials_table(list(trials_of(session)), IN_FILES))


def test_measurements_are_tidy() -> None:
    """Fixed columns first, then one column for each factor and condition, by name."""
    content = measurements_csv(measurements_of(full_session()))
    header = content.split(b"\n", 1)[0].decode()
    assert (
        header == "family,run,block,phase,metric,value,unit,ReadBatchSize,SubscriptionStreams,commands_per_transaction"
    )
    first = _rows(content)[0]
    assert (first["family"], first["run"], first["metric"], first["unit"]) == ("log_reader", "E1-T001", "run_time", "s")
    assert (first["ReadBatchSize"], first["SubscriptionStreams"]) == ("500", "")
    assert {row["phase"] for row in _rows(content)} == {"explore", "confirm"}


def test_measurements_keep_their_value_exactly() -> None:
    """A value read back is the value written, to the last bit."""
    measurement = Measurement("log_reader", "r", 1, "run_time", 1 / 3, "s", Setting.of(ReadBatchSize=500))
    assert float(_rows(measurements_csv([measurement]))[0]["value"]) == 1 / 3


def test_only_used_trials_are_exported() -> None:
    """A trial that failed its checks is in the list of trials, and not among the measurements."""
    session = full_session()
    runs = {row["run"] for row in _rows(measurements_csv(measurements_of(session)))}
    assert "E2-T004" not in runs
    trials = {row["trial"]: row for row in _rows(_trials_csv(session))}
    assert trials["E2-T004"]["status"] == "not_used"
    assert "fell back" in trials["E2-T004"]["failed_checks"]


def test_imported_measurements_are_exported_as_they_came() -> None:
    """Measurements from a file come out again in the same form."""
    rows = _rows(measurements_csv(measurements_of(imported_request().session)))
    assert [row["ReadBatchSize"] for row in rows] == ["500", "1000", "5000", "10000"]


def test_statement_log_survives_commas_and_lines() -> None:
    """Texts with line ends, quotes and commas are one row each."""
    session = full_session()
    rows = _rows(statements_csv(session.statements))
    assert len(rows) == len(session.statements)
    texts = {row["text_number"]: row["text"] for row in reversed(rows) if row["text"]}
    assert [texts[row["text_number"]] for row in rows] == [statement.text for statement in session.statements]


def test_a_text_sent_often_is_written_once() -> None:
    """The log of a night of sampling stays small enough to be opened: each text once, then its number."""
    statement = full_session().statements[0]
    other = replace(statement, text="SELECT 2")
    rows = _rows(statements_csv((statement, other, statement)))
    assert [(row["text_number"], row["text"]) for row in rows] == [("1", statement.text), ("2", "SELECT 2"), ("1", "")]


def test_changes_carry_their_undo() -> None:
    """Each change is exported with its undo script and state."""
    rows = _rows(table_csv(journal_table(full_session().changes, changes.IN_FILES)))
    assert {row["state"] for row in rows} == {"restored"}
    assert all("sp_update_agent_profile" in row["undo_sql"] for row in rows)


def test_same_session_gives_the_same_bytes() -> None:
    """An export can be compared with the one made yesterday."""
    assert measurements_csv(measurements_of(full_session())) == measurements_csv(measurements_of(full_session()))
    assert session_json(full_session(), full_advice(), Vocabulary(())) == session_json(
        full_session(), full_advice(), Vocabulary(())
    )


def test_a_decision_to_leave_a_value_has_its_numbers_in_the_list_of_findings() -> None:
    """Where comparisons disagree no rule names one; the decision does, and the list holds what it rests on."""
    advice = full_advice()
    gain = next(decision.gain for decision in advice.decisions if decision.gain)
    finding = next(one for one in advice.findings if one.to_value is None and one.parameter)
    decision = replace(advice.decisions[-1], finding=finding, gain=gain)
    rows = _rows(findings_csv(replace(advice, decisions=(decision,)), Vocabulary(())))
    (row,) = (row for row in rows if row["Finding"] == headline(decision, Vocabulary(())))
    comparison = gain.comparison
    assert [float(row[name]) for name in ("Effect", "Low", "High")] == [
        comparison.ratio, comparison.low, comparison.high,
    ]  # fmt: skip
    assert (int(row["n from"]), int(row["n to"])) == (
        len(comparison.reference_trials), len(comparison.candidate_trials),
    )  # fmt: skip


def test_json_has_no_infinite_number() -> None:
    """What cannot be computed is null, as other programs cannot read Infinity."""
    advice = full_advice()
    unknown = replace(advice.comparisons[0], low=0.0, high=inf, smallest_effect=inf)
    document = json.loads(session_json(full_session(), replace(advice, comparisons=(unknown,)), Vocabulary(())))
    comparison = document["comparisons"][0]
    assert comparison["ci95"] == [0.0, None]
    assert comparison["smallest_effect"] is None
    assert comparison["verdict"] == "improvement"
    assert (comparison["from"], comparison["to"]) == (500, 5000)
    assert document["forecasts"][2]["hours"] is None
