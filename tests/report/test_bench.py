"""How long a long report takes."""

from dataclasses import replace
from time import perf_counter

import pytest

from app.charts.renderer import PyqtgraphRenderer
from app.reporting import ReportRequest, render_report
from tests.report.sample import full_advice, full_request

_BUDGET_S = 2.0  # for a report of 30 findings, each with its own figure


def _thirty_findings() -> ReportRequest:
    advice = full_advice()
    plots = tuple(replace(advice.plots[n % 5], plot_id=f"sample/{n}") for n in range(30))
    findings = tuple(replace(advice.findings[n % 6], title=f"Finding {n}", figure=f"sample/{n}") for n in range(30))
    return replace(full_request(), advice=replace(advice, findings=findings, plots=plots))


@pytest.mark.bench
def test_report_of_thirty_findings_is_quick() -> None:
    """A report of 30 findings and 30 figures is written within 2 seconds."""
    renderer = PyqtgraphRenderer()
    request = _thirty_findings()
    times = []
    for _repeat in range(3):
        began = perf_counter()
        render_report(request, renderer)
        times.append(perf_counter() - began)
    print(f"report of 30 findings: {min(times):.2f} s (budget {_BUDGET_S} s)")
    assert min(times) <= _BUDGET_S
