"""What a run confirmed is kept by the client's DBA: every change a script of theirs, and undone by scripts again."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest

from app.bootstrap import build_program, load_systems
from app.domain.change import Change, Keep
from app.domain.events import HandRequested, RunEvent
from app.domain.ports import StatementSink
from app.domain.statement import Access, StatementRecord
from app.domain.target import Target
from app.runner.asking import HandDesk, HandRequest
from app.services.run.keeping import KeepJob, KeepJobEnded, undo_kept
from app.services.run.restoring import RestoreWay
from tests.e2e.oracle_dba import OracleDba
from tests.prove.kept_on_purpose import SUBJECTS, run_to_confirm
from tests.prove.killing import lab_server
from tests.prove.own_clients import Tool
from tests.prove.test_printed_scripts import served

pytestmark = pytest.mark.prove

_PART: Final = re.compile(r"(?m)^(?=-- .*\n-- Run at: )")
_RUN_AT: Final = re.compile(r"(?m)^-- Run at: (\S+)$")


@contextmanager
def site_of(family_id: str, folder: Path) -> Iterator[tuple[str, Callable[[str], None]]]:
    """Serve the site of a family; yield its target, and its DBA, who runs a script as it stands."""
    scenario = SUBJECTS[family_id].site(folder)
    if family_id == "streams_apply":
        with lab_server(scenario) as key, closing(OracleDba()) as dba:
            yield key, dba.run_script
        return
    with served(str(scenario)) as (key, ports), Tool("freetds", ports) as tool:

        def run(script: str) -> None:
            for part in filter(str.strip, _PART.split(script)):
                [server] = set(_RUN_AT.findall(part))
                assert (tool.run(part, server), tool.errors) == (0, []), part

        yield key, run


@pytest.mark.parametrize("family_id", sorted(set(SUBJECTS) - {"cdc_capture"}))
def test_the_dba_keeps_it_and_undoes_it(family_id: str, tmp_path: Path) -> None:
    """The program changes nothing itself; no restore touches what is kept, and its name undoes it, by the DBA again."""
    subject, asked = SUBJECTS[family_id], list[str]()
    changing: list[str] = []
    opener = build_program().parts.open_target

    def open_target(key: str, seed: int, sink: StatementSink) -> Target:
        def note(record: StatementRecord) -> None:
            if record.access is Access.CHANGE:
                changing.append(record.name)
            sink(record)

        return opener(key, seed, note)

    with site_of(family_id, tmp_path) as (key, run_script):
        confirmed = run_to_confirm(tmp_path, key, subject)
        found = subject.read(key)

        def answer(event: RunEvent) -> None:
            if isinstance(event, HandRequested):
                asked.append(event.title)
                run_script(event.script)

        ends: list[KeepJobEnded] = []
        place, journal = confirmed.place, confirmed.journal
        job = KeepJob(confirmed.found, Keep.FOR_GOOD, place, journal, open_target, answer, ends.append, guided=True)
        job.start()
        job.join()
        [end] = ends
        assert end.ended is not None, end.problem
        assert (end.ended.is_kept, end.ended.not_restored) == (True, ()), (end.ended.reason, asked)
        assert asked
        kept = subject.read(key)
        assert subject.is_kept(kept)
        assert subject.running(kept) == subject.running(found)
        assert all(entry.change.is_by_hand for entry in confirmed.state.kept)
        assert confirmed.restore().cautions
        assert subject.read(key) == kept

        desk, undone = HandDesk(0.0), list[str]()

        def undo(request: HandRequest) -> None:
            undone.append(request.title)
            run_script(request.script)

        desk.attach(undo, lambda _request: None)
        way = RestoreWay(load_systems, desk)
        session_id = confirmed.found.session_id
        outcome = undo_kept(journal, session_id, open_target, _unheard, _left, way)
        assert outcome.problems == ()
        assert undone
        assert subject.read(key) == found
    assert (confirmed.state.entries, confirmed.state.kept) == ((), ())
    assert changing == []


def test_what_no_dba_can_keep_pace_with_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    """In the words in which its guided run is refused."""
    subject, asked, ends = SUBJECTS["cdc_capture"], list[RunEvent](), list[KeepJobEnded]()
    with lab_server(subject.site(tmp_path)) as key:
        confirmed, found = run_to_confirm(tmp_path, key, subject), subject.read(key)
        opener = build_program().parts.open_target
        place, journal = confirmed.place, confirmed.journal
        job = KeepJob(confirmed.found, Keep.FOR_GOOD, place, journal, opener, asked.append, ends.append, guided=True)
        job.start()
        job.join()
        assert subject.read(key) == found
    assert [(end.ended, end.error) for end in ends] == [(None, None)]
    assert "cdc_capture cannot run guided here: scans follow each other within seconds" in ends[0].problem
    assert asked == []
    assert (confirmed.state.entries, confirmed.state.kept) == ((), ())


def _unheard(_change: Change) -> None:
    """Nobody watches."""


def _left(change: Change, why: str) -> None:
    raise AssertionError(f"{change.subject}: {why}")
