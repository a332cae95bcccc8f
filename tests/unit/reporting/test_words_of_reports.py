"""Every report is read whole: what no person would write, and what says one thing in two ways."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from app.domain.decision import DecisionKind
from app.domain.plan import Phase
from app.domain.session import Advice, SessionRecord
from app.domain.work_source import SOURCE, WorkSource
from app.foundation.paths import resource_path
from app.reporting.decision_words import effect_text, headline, lead_text, task_text
from app.reporting.document.whole import build_document
from app.reporting.request import ReportRequest
from app.reporting.wording import Vocabulary
from app.services.explain.deciding import decided
from app.services.explain.imported_session import read_session
from tests.contract.families import lab_runs
from tests.golden.document_text import document_text
from tests.report.sample import FAMILIES, full_request, full_session, imported_request
from tests.shipped_rules import ADVISOR
from tests.unit.analysis.observing import NOW

STUDIES: Final = sorted(resource_path("published").glob("*.csv"))

# As nobody writes it, each with what it is.
_ODD: Final = {
    "a sentence that ends before its last word": re.compile(r", (?:for|on|at)\s*(?:\||$)", re.MULTILINE),
    "a size of samples that a line may end in": re.compile(r"\d \+ \d+ trials"),
    "a count behind its noun": re.compile(r"\b(?:agents|replicas|places): \d"),
    "a plural of one": re.compile(r"\b1 (?:trials of|agents|replicas|places|streams)\b"),
    "a percentage without its thousands": re.compile(r"(?<![\d,.])\d{4,}\s%"),
    "two numbers side by side": re.compile(r"\bAt \d+(?:,\d{3})* \d"),
    "a place without a name": re.compile(r"(?<=\| )It is so(?= \|)"),
    "an option of the command line": re.compile(r"give --"),
}


def _study(path: Path, noise_cv: float | None) -> ReportRequest:
    session: SessionRecord = read_session(path, lab_runs.FAMILIES, noise_cv)
    advice: Advice = ADVISOR.advise(session)
    return ReportRequest(session, advice, NOW, "", tuple(ADVISOR.families.values()))


@cache
def _requests() -> dict[str, ReportRequest]:
    told = {"sample": full_request(), "imported": imported_request()}
    for noise_cv in (None, 0.03, 0.5):
        told |= {f"{path.stem}, noise {noise_cv}": _study(path, noise_cv) for path in STUDIES}
    return told


def _odd(text: str) -> Iterator[str]:
    for what, mark in _ODD.items():
        yield from (f"{what}: {found[0]!r} in {line}" for line in text.splitlines() if (found := mark.search(line)))


@pytest.mark.parametrize(
    "name", ["sample", "imported", *(f"{p.stem}, noise {n}" for n in (None, 0.03, 0.5) for p in STUDIES)]
)
def test_a_report_reads_as_a_person_would_write_it(name: str) -> None:
    """No word is missing, no number stands against the grain, and each effect is told once in one way."""
    request = _requests()[name]
    assert list(_odd(document_text(request))) == []
    words = Vocabulary(request.families)
    for decision in request.advice.decisions:
        if decision.kind is not DecisionKind.CHANGE or decision.gain is None:
            continue
        effect, title = effect_text(decision.gain.comparison, words), headline(decision, words)
        assert "%" not in task_text(decision)
        assert title.count(effect) == 1
        assert effect.lower() in lead_text(decision, words).lower()
        assert ("not confirmed yet" in title) is (decision.gain.comparison.phase is not Phase.CONFIRM)


@pytest.mark.parametrize("source", WorkSource)
def test_a_gain_on_the_clients_own_work_says_that_it_is_on_their_mix(source: WorkSource) -> None:
    """On own work the mix is what was measured, on a test table it is not; neither where a file says nothing of it."""
    session = full_session()
    runs = tuple(
        replace(run, plan=replace(run.plan, load=run.plan.load.but(**{SOURCE: str(source)}))) for run in session.runs
    )
    request, words = full_request(), Vocabulary(FAMILIES)
    made = decided(replace(session, runs=runs), request.advice, FAMILIES).decisions
    told = [lead_text(one, words) for one in made if one.gain is not None]
    assert told
    assert [("on your own work" in text) for text in told] == [source.is_own_work] * len(told)


@pytest.mark.parametrize("name", ["sample", *(f"{p.stem}, noise 0.03" for p in STUDIES)])
def test_a_run_sheet_says_under_which_conditions_once(name: str) -> None:
    """Below the table, and in the rows that make the change, not in those that ask, look and compare."""
    request = _requests()[name]
    changes = [one for one in request.advice.decisions if one.kind is DecisionKind.CHANGE]
    found = [part for part in build_document(request, ()).sections if part.title == "Run sheet" and part.blocks]
    text = "\n".join(map(repr, found[0].blocks)) if found else ""
    assert [where for where in {one.where for one in changes if one.where} if text.count(where) != 1] == []
    bare = [task_text(one, tells_conditions=False) for one in changes]
    alone = [task_text(one) for one, short in zip(changes, bare, strict=True) if bare.count(short) == 1]
    assert [task for task in alone if task not in bare and f"{task}: look at" in text] == []
