"""A script is one byte string: in the folder, in the PDF, in the HTML, and under the SHA-256 that is printed."""

import base64
import hashlib
import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pypdf
import pytest

from app.charts.renderer import PyqtgraphRenderer
from app.domain.finding import Finding
from app.domain.session import SessionRecord
from app.reporting.render.html import render_html
from app.reporting.render.pdf import render_report
from app.reporting.request import ReportRequest
from app.services.explain.advising import Advisor
from app.services.explain.explaining import ExplainedSession
from app.services.hand_over.report_and_scripts import write_scripts
from app.services.workplace import Workplace
from tests.contract.families.lab_runs import run_on_lab, small_plan
from tests.labs import FAMILIES
from tests.report.sample import full_advice, full_request, full_session
from tests.report.scripts import decisions_of
from tests.unit.reporting.test_streams import finding as of_streams
from tests.unit.runner.commit_runs import commit_plan, run_in_memory

NAME = "Zürich 東京"
MARK = b"\xef\xbb\xbf"


def _agents() -> tuple[SessionRecord, list[Finding]]:
    return full_session(), list(full_advice().findings)


def _groups() -> tuple[SessionRecord, list[Finding]]:
    ran = run_in_memory(commit_plan(blocks=3), noise_cv=0.01)
    return ran.session(), list(ran.advise().findings)


def _streams() -> tuple[SessionRecord, list[Finding]]:
    family = FAMILIES["streams_apply"]
    session = run_on_lab(family, small_plan(family, blocks=2, confirm_blocks=2)).session()
    return session, [of_streams("TXN_LCR_SPILL_THRESHOLD", 100_000, 500_000)]


@pytest.mark.parametrize(("made", "name"), [(_agents, NAME), (_groups, ""), (_streams, NAME)])
def test_folder_pdf_and_html_hold_the_same_bytes(
    tmp_path: Path, made: Callable[[], tuple[SessionRecord, list[Finding]]], name: str
) -> None:
    """Of every system, with names beyond ASCII and without; only what sqlcmd runs has a mark, and only where needed."""
    session, findings = made()
    named = [replace(one, rule=f"{one.rule}{name}") for one in findings]
    advice = replace(full_advice(), findings=tuple(named), decisions=decisions_of(named, session), plots=(), tables=())
    explained = ExplainedSession(session, advice, "0" * 64)
    written = write_scripts(explained, Workplace(tmp_path), Advisor(FAMILIES, ()))
    request: ReportRequest = replace(
        full_request(), session=session, advice=advice, families=tuple(FAMILIES.values()), session_hash="0" * 64
    )
    assert len(written) >= 2
    pdf = pypdf.PdfReader(io.BytesIO(render_report(request, PyqtgraphRenderer())))
    html = render_html(request, PyqtgraphRenderer()).decode()
    attached = pdf.attachments
    printed = re.sub(r"\s", "", "".join(page.extract_text() for page in pdf.pages))
    for file in written:
        content = file.path.read_bytes()
        assert attached[file.path.name] == [content]
        assert hashlib.sha256(content).hexdigest() in printed
        assert hashlib.sha256(content).hexdigest() in html
        assert base64.b64encode(content).decode() in html
        is_marked = "oracle" not in file.path.name and not content.isascii()
        assert content.startswith(MARK) is is_marked
        assert not name or "undo" in file.path.name or name.encode() in content
