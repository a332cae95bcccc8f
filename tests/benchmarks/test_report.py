"""How long a large report takes."""

import time
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from app.charts.renderer import PyqtgraphRenderer
from app.reporting.render.pdf import write_report
from app.reporting.request import ReportRequest
from tests.benchmarks.figures import print_ratio
from tests.report.sample import full_request

pytestmark = pytest.mark.bench

FINDINGS = 30
ROUNDS = 3
# Times its figures alone, which are most of it: one more round of them, and as much again for setting 30 findings.
BUDGET = 3.0


def _large_request() -> ReportRequest:
    """Return the full session with thirty decisions, each with a finding and a figure of its own."""
    request = full_request()
    advice = request.advice
    plots, findings, decisions = [], [], []
    for number in range(FINDINGS):
        plot = advice.plots[number % len(advice.plots)]
        named = replace(plot, plot_id=f"{plot.plot_id}-{number}")
        plots.append(named)
        finding = advice.findings[number % len(advice.findings)]
        findings.append(
            replace(
                finding, rule=f"{finding.rule}_{number}", task=f"{number + 1}: {finding.task}", figure=named.plot_id
            )
        )
        decision = advice.decisions[number % len(advice.decisions)]
        decisions.append(replace(decision, number=number + 1, finding=findings[-1]))
    advice = replace(advice, findings=tuple(findings), decisions=tuple(decisions), plots=tuple(plots))
    return replace(request, advice=advice)


def test_a_report_of_thirty_findings_takes_little_more_than_its_figures(tmp_path: Path) -> None:
    """A report of 30 findings with 30 figures takes a few times what its figures alone do."""
    renderer = PyqtgraphRenderer()
    request = _large_request()
    out = tmp_path / "report.pdf"
    walls_s, figures_s = [], []
    for _round in range(ROUNDS):
        began_s = time.perf_counter()
        renderer.render_svg(request.advice.plots)
        figures_s.append(time.perf_counter() - began_s)
        began_s = time.perf_counter()
        write_report(request, renderer, out)
        walls_s.append(time.perf_counter() - began_s)
    pages = len(PdfReader(out).pages)
    name = f"report of {FINDINGS} findings, {FINDINGS} figures, {pages} pages, {out.stat().st_size / 1e6:.1f} MB"
    ratio = print_ratio(name, walls_s, figures_s, f"≤ {BUDGET:.0f}")
    assert pages > FINDINGS / 3
    assert ratio <= BUDGET
