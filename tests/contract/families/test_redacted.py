"""A client's names in a session, whatever brought them there: none is left where names are replaced."""

import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.bootstrap import make_renderer
from app.domain.change import Change, EntryState, JournalEntry
from app.domain.events import RunStatus
from app.domain.load import Load
from app.domain.naming import Holds, Sentence, Word
from app.domain.plan import Plan
from app.domain.plan_field import ValueKind
from app.domain.session import Environment, RunRecord, SessionRecord
from app.domain.statement import Access, StatementRecord
from app.reporting.redact.redaction import redactor_for
from app.services.hand_over.bundles import export_bundle
from app.services.hand_over.free_texts import NameChoices
from app.services.hand_over.report_and_scripts import ReportOptions, write_session_report
from app.store import RecordedEvent, Remark, Tag, create_session_file
from app.systems.transactional_replication.site import kept_replication
from tests.contract.families.lab_runs import FAMILIES, LabRun, run_on_lab, small_plan
from tests.contract.families.marked_lab import MARK, Marking, mark_the_labs, parameters_of_all
from tests.e2e.test_bundles import left_in
from tests.report.sample import empty_session
from tests.shipped_rules import ADVISOR

if TYPE_CHECKING:
    pass

DECLARED = ADVISOR.declared_texts()
_AT = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)


def marked_plan(family_id: str, marking: Marking) -> Plan:
    """Return a small plan whose texts are the client's names, marked."""
    family = FAMILIES[family_id]
    plan = small_plan(family)
    named = {
        f.name: Holds.FOLDER if "folder" in f.name else Holds.NAME
        for f in family.load_fields
        if f.kind is ValueKind.TEXT
    }
    load = {k: marking.name(named[k], v) if k in named and isinstance(v, str) else v for k, v in plan.load.items()}
    return replace(plan, load=Load.from_mapping(load))


def session_of(run: LabRun) -> SessionRecord:
    """Return the whole of a run, with its statements, its changes, and notes about them."""
    changes = tuple(run.journal.entries.values())
    return replace(
        run.session(),
        statements=tuple(run.records),
        changes=tuple(replace(entry, problem=f"could not undo {entry.change.subject}") for entry in changes),
        notes=tuple(dict.fromkeys(entry.change.subject for entry in changes)),
    )


def write_everything(session: SessionRecord, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Write a redacted bundle and each form of a redacted report of a session, and yield every file of them."""
    path = folder / "client.replitune"
    subjects = [entry.change.subject for entry in session.changes]
    agents = [read for site in session.environments if (read := kept_replication(site)) is not None]
    with create_session_file(path) as store:
        store.add_session(
            session,
            events=[RecordedEvent("E1", "change_applied", subject, _AT, 1.0) for subject in subjects],
            remarks=[Remark(number, "", subject, _AT) for number, subject in enumerate(subjects, 1)],
            tags=[Tag("E1", parameters.agent) for read in agents for parameters in read.agents[:1]],
        )
    renderer = make_renderer()
    bundle = export_bundle(path, folder / "bundle.zip", ADVISOR, renderer, redact=True, names=NameChoices(keep=None))
    with zipfile.ZipFile(bundle.path) as archive:
        yield from ((name, archive.read(name)) for name in archive.namelist())
    wishes = ReportOptions(redact=True, names=NameChoices(keep=None))
    for end in ("html", "md", "csv"):
        written = write_session_report(path, folder / f"r.{end}", ADVISOR, renderer, wishes)
        yield from ((file.path.name, file.path.read_bytes()) for file in written)


@pytest.mark.parametrize("family_id", FAMILIES)
def test_no_marked_name_of_a_lab_run_is_left(family_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every column, parameter and detail that nobody declares to be a word is marked, and no mark is left."""
    marking = mark_the_labs(monkeypatch)
    run = run_on_lab(FAMILIES[family_id], marked_plan(family_id, marking))
    session = session_of(run)
    assert run.end.status.value == "succeeded", run.end.reason
    assert len(marking.planted) >= 8
    assert repr(session).count(MARK) > 50
    files = dict(write_everything(session, tmp_path))
    assert len(files) > 8
    assert [found for name, content in files.items() for found in left_in(name, content, [MARK])] == []


def token(kind: str, number: int) -> str:
    """Return a text no language has, without a digit: it is found as a whole only."""
    return kind + "".join(chr(ord("a") + int(digit)) for digit in f"{number:04d}")


def planted_session() -> tuple[SessionRecord, list[str]]:
    """Return a session with a text of its own in each parameter and detail, and the texts that are words."""
    words: list[str] = []
    names: list[str] = []
    statements: list[StatementRecord] = []
    changes: list[JournalEntry] = []

    def text_of(holds: Holds) -> str:
        text = token(MARK if holds.is_name else "Stays", len(words) + len(names))
        (names if holds.is_name else words).append(text)
        return text

    for name, parameter, holds in parameters_of_all():
        values = {parameter: text_of(holds), "nobody_knows": [text_of(Holds.NAME), {"deep": text_of(Holds.NAME)}]}
        statements.append(StatementRecord(name, Access.READ, "", "SELECT 1", json.dumps(values), _AT, 1.0, 1))
    for kind in (*DECLARED.details, "unknown_kind"):
        held = DECLARED.details.get(kind, {})
        details = tuple((key, text_of(holds)) for key, holds in {**held, "nobody_knows": Holds.NAME}.items())
        shown = {key: text_of(held.get(key, Holds.SENTENCE)) for key in ("original", "new")}
        change = Change(kind, "it", shown["original"], shown["new"], details, "", " ".join(names))
        changes.append(JournalEntry(len(changes) + 1, "S1", "lab", change, EntryState.RESTORED, _AT, names[-1]))
    broken = StatementRecord("agents", Access.READ, text_of(Holds.SERVER), "", text_of(Holds.NAME), _AT, 1.0, 0)
    statements.append(replace(broken, error=f"Login failed: {', '.join(names)}."))
    session = replace(empty_session(), statements=tuple(statements), changes=tuple(changes), notes=tuple(names))
    return session, words


@pytest.mark.prove
def test_every_parameter_and_detail_is_a_name_unless_it_is_declared_a_word(tmp_path: Path) -> None:
    """A text of its own in each, in an error and in notes as well: names go from every file, words stay."""
    session, words = planted_session()
    assert repr(session).count(MARK) > 1000
    shown = repr(redactor_for([session], declared=DECLARED).record(session))
    assert MARK not in shown
    assert [word for word in words if word not in shown] == []
    files = dict(write_everything(session, tmp_path))
    assert [found for name, content in files.items() for found in left_in(name, content, [MARK])] == []


def test_without_declarations_everything_is_a_name() -> None:
    """Statements and kinds nobody knows, as in an older file: their words go as well, but for what a change shows."""
    session, words = planted_session()
    shown = repr(redactor_for([session]).record(replace(session, notes=())))
    sentences = [text for entry in session.changes for text in (entry.change.original, entry.change.new)]
    texts = re.findall(rf"(?:{MARK}|Stays)[a-j]{{4}}", repr(session))
    assert set(re.findall(rf"(?:{MARK}|Stays)[a-j]{{4}}", shown)) == set(sentences)
    assert len(set(texts)) > 10 * len(sentences)
    assert set(words) < set(texts)


@dataclass(frozen=True)
class UndeclaredSite:
    """What a system of tomorrow might keep of a site."""

    member: str
    members: tuple[tuple[str, int], ...]
    state: Word
    said: Sentence
    mode: str | None = None


def test_a_field_of_a_record_is_a_name_unless_its_type_says_otherwise() -> None:
    """A system that declares nothing is safe."""
    site = UndeclaredSite("Halvorsen", (("Brandt", 1), ("Nightowl", 2)), "RUNNING", "Brandt is ill", "Marabou")
    declared = replace(DECLARED, kept=(lambda _environment: site,))
    session = replace(empty_session(), environments=(Environment("lab"),))
    shown = redactor_for([session], declared=declared).record(site)
    assert shown == UndeclaredSite("Name 1", (("Name 2", 1), ("Name 3", 2)), "RUNNING", "Name 2 is ill", "Name 4")


def test_a_name_that_is_part_of_a_measures_does_not_garble_it() -> None:
    """A server called "share" is replaced in sentences, and the load field `compressible_share` is still read."""
    family = FAMILIES["seeding"]
    run = RunRecord("E1", family.default_plan(), "lab", RunStatus.SUCCEEDED, "share stopped", _AT, _AT, ())
    session = replace(empty_session(), runs=(run,), statements=(statement_at("share"),))
    shown = redactor_for([session], declared=DECLARED).record(session)
    assert shown.runs[0].reason == "Server 1 stopped"
    assert shown.runs[0].plan == run.plan


def statement_at(server: str) -> StatementRecord:
    """Return a statement sent to a server."""
    return StatementRecord("round_trip", Access.READ, server, "SELECT 1", "{}", _AT, 1.0, 1)
