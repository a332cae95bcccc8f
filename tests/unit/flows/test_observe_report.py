"""The report of a site that was only looked at: findings first, each with what it says, then tables."""

import re
from datetime import UTC, datetime
from functools import cache

from app.charts.renderer import PyqtgraphRenderer
from app.domain.site_picture import Standing
from app.flows.target.observe_report import site_report
from app.reporting.blocks import FigureBlock, Heading, Paragraph, Section
from app.reporting.render.html import render_html
from app.reporting.request import ReportRequest
from app.services.look.discovering import read_discovery
from app.services.look.look_cost import LookCost
from app.services.look.looking import Looking, look_at
from app.services.look.watching import Watch
from tests.labs import SYSTEMS, open_lab
from tests.shipped_rules import ADVISOR


@cache
def reported() -> ReportRequest:
    """Return the report of a site with a stopped agent and Subscribers that cannot be read."""
    discovery = read_discovery(open_lab("on-site", noise=False), SYSTEMS)
    looked = look_at(open_lab("on-site", noise=False), Looking(ADVISOR, LookCost()))
    watch = Watch("on-site", discovery, lambda _name, _seed, _sink: open_lab("on-site", noise=False))
    reading = watch.read()
    watch.close()
    return site_report(discovery, looked, datetime(2026, 12, 1, tzinfo=UTC), reading=reading)


def found() -> Section:
    """Return the section on what was found."""
    return reported().observed[0]


def test_what_is_wrong_stands_ahead_of_what_limits_each_agent() -> None:
    """Who reads the first third of the page knows of each trouble."""
    headings = [block.text for block in found().blocks if isinstance(block, Heading)]
    assert headings[:2] == ["What the rules say", "What limits each agent"]


def test_a_finding_is_one_paragraph_with_its_advice() -> None:
    """Its title is not one item of a list among its own sentences."""
    told = {block.label: block.text for block in found().blocks if isinstance(block, Paragraph) and block.label}
    [stopped] = [text for label, text in told.items() if "PUB1-SALES3-sales3orders-SUB5-5 does not run" in label]
    assert stopped.startswith("Find out why the agent does not run")
    assert "commands wait in the distribution database" in stopped
    assert not any(block.text == "Findings:" for block in found().blocks if isinstance(block, Paragraph))


def test_the_topology_is_a_figure_with_the_agents_as_they_stand() -> None:
    """The worst first, as in the window; who cannot see it is told each box."""
    request = reported()
    [section] = [section for section in request.observed if section.title == "The site as it is now"]
    standing, figure = section.blocks[:2]
    assert isinstance(standing, Paragraph)
    assert standing.text.startswith("1 of 10 stopped · 1 of 10 fails · 8 of 10 keep up")
    assert isinstance(figure, FigureBlock)
    picture = request.observed_figures[figure.index].picture
    assert {hop.standing for hop in picture.hops} == {Standing.STOPPED, Standing.FAILING, Standing.KEEPS_UP}
    assert all(node.name in figure.alt for node in picture.nodes)
    assert all(hop.name in figure.alt for hop in picture.hops)


def test_a_page_of_the_report_draws_the_topology() -> None:
    """Inside the page, as text that can be searched, and light on a dark page as every figure is."""
    page = render_html(reported(), PyqtgraphRenderer()).decode()
    [drawn] = re.findall(r"<figure><svg.*?</svg>", page.partition("The site as it is now</h2>")[2], re.DOTALL)
    assert all(f">{name}</" in drawn for name in ("SALES-AG", "PUB1", "DIST1", "SUB5", "Sales5Copy"))
