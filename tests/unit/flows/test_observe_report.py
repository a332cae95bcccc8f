"""The report of a site that was only looked at: findings first, each with what it says, then tables."""

from datetime import UTC, datetime
from functools import cache

from app.flows.target.observe_report import site_report
from app.reporting.blocks import Heading, Paragraph, Section
from app.services.look.discovering import read_discovery
from app.services.look.look_cost import LookCost
from app.services.look.looking import Looking, look_at
from tests.labs import SYSTEMS, open_lab
from tests.shipped_rules import ADVISOR


@cache
def found() -> Section:
    """Return what was found at a site with a stopped agent and Subscribers that cannot be read."""
    discovery = read_discovery(open_lab("on-site", noise=False), SYSTEMS)
    looked = look_at(open_lab("on-site", noise=False), Looking(ADVISOR, LookCost()))
    return site_report(discovery, looked, datetime(2026, 12, 1, tzinfo=UTC)).observed[0]


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
