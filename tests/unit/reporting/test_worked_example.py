"""How an interval is made: a reader with measurements.csv and a calculator comes to what is printed."""

import csv
import io
import math
import re
from collections.abc import Mapping
from statistics import fmean, stdev

import pytest

from app.domain.comparison import Verdict, verdict_counts
from app.domain.plan import Phase
from app.domain.session import Advice, SessionRecord
from app.reporting.blocks import Block, Bullets, Heading, Table
from app.reporting.document.method import method_section
from app.reporting.document.worked_example import worked_blocks
from app.reporting.export.csv_export import measurements_csv, measurements_of
from app.reporting.wording import Vocabulary
from tests.shipped_rules import ADVISOR
from tests.unit.analysis.observing import plan_of
from tests.unit.services.test_advising import measured

EXPLORED = {1: (536.9, 575.7, 547.7), 8: (300.7, 300.1, 321.1), 16: (433.1, 438.9, 438.2)}
CLEAR = {1: (537.1, 527.0, 539.6), 8: (303.3, 320.8, 314.9)}
STEADY = {1: (537.1, 537.4, 537.0), 8: (76.9, 77.0, 76.8)}
OPEN = {1: (537.1, 527.0, 539.6), 8: (533.3, 560.8, 524.9)}


def explained(confirmed: Mapping[int, tuple[float, ...]]) -> tuple[SessionRecord, Advice]:
    """Return a session that explored and confirmed, with its advice."""
    session = measured(plan_of("distribution_agent", SubscriptionStreams=(1, 8, 16)), EXPLORED, confirmed)
    return session, ADVISOR.advise(session)


def blocks_of(session: SessionRecord, advice: Advice) -> list[Block]:
    """Return the worked example of a session."""
    return worked_blocks(session, advice, Vocabulary(ADVISOR.families.values()))


def t_of_two_degrees(probability: float) -> float:
    """Return Student's t for two degrees of freedom, which has a formula a calculator can do."""
    return (2 * probability - 1) / math.sqrt(2 * probability * (1 - probability))


def numbers(text: str) -> list[float]:
    """Return the numbers of a sentence."""
    return [float(one.replace("−", "-")) for one in re.findall(r"−?\d+(?:\.\d+)?", text)]


def test_a_reader_comes_to_the_printed_interval_and_p_by_hand() -> None:
    """From the rows of the CSV that the table names: logs, mean, standard deviation, t, interval and p."""
    session, advice = explained(CLEAR)
    [claim] = [c for c in advice.comparisons if c.phase is Phase.CONFIRM]
    heading, _said, table, steps = blocks_of(session, advice)
    assert isinstance(heading, Heading)
    assert isinstance(table, Table)
    assert isinstance(steps, Bullets)
    rows = csv.DictReader(io.StringIO(measurements_csv(measurements_of(session)).decode("utf-8-sig")))
    values = {row["run"]: float(row["value"]) for row in rows if row["metric"] == claim.metric}
    logs = [math.log(values[str(row[3])] / values[str(row[1])]) for row in table.rows]
    assert [float(str(row[5]).replace("−", "-")) for row in table.rows] == pytest.approx(logs, abs=5e-5)
    half = t_of_two_degrees(1 - 0.016 / 2) * stdev(logs) / math.sqrt(3)
    low, high = math.exp(fmean(logs) - half), math.exp(fmean(logs) + half)
    assert (claim.low, claim.high) == pytest.approx((low, high), rel=1e-6)
    assert claim.verdict is Verdict.IMPROVEMENT
    told_mean, told_ratio = numbers(steps.items[0])
    assert (told_mean, told_ratio) == pytest.approx((fmean(logs), claim.ratio), abs=5e-5)
    assert numbers(steps.items[1])[-1] == pytest.approx(stdev(logs), abs=5e-5)
    assert numbers(steps.items[2]) == pytest.approx([2, 1.6, t_of_two_degrees(0.992)], abs=5e-5)
    assert numbers(steps.items[3])[-2:] == pytest.approx([low, high], abs=5e-4)
    # the two-sided p of t with two degrees of freedom has a formula, too
    t = abs(fmean(logs)) / (stdev(logs) / math.sqrt(3))
    p_value = 1 - t / math.sqrt(2 + t * t)
    assert claim.p_adjusted == pytest.approx(p_value * 0.05 / 0.016, rel=1e-6)


@pytest.mark.parametrize("confirmed", [CLEAR, STEADY])
def test_who_goes_on_with_the_printed_steps_comes_to_the_printed_interval(
    confirmed: Mapping[int, tuple[float, ...]],
) -> None:
    """To half of the last place: half width and interval follow from m, s and t as they are printed."""
    *_others, steps = blocks_of(*explained(confirmed))
    assert isinstance(steps, Bullets)
    mean, sd, quantile = numbers(steps.items[0])[0], numbers(steps.items[1])[-1], numbers(steps.items[2])[-1]
    pairs, half, low, high = numbers(steps.items[3])
    worked = quantile * sd / math.sqrt(pairs)
    assert worked == pytest.approx(half, abs=2e-6)
    assert [low, high] == pytest.approx([math.exp(mean + side * worked) for side in (-1, 1)], abs=5.1e-4)


def test_an_open_one_names_what_exploring_lends() -> None:
    """Its interval holds no change, and takes its standard deviation from exploring trials as well."""
    session, advice = explained(OPEN)
    [claim] = [c for c in advice.comparisons if c.phase is Phase.CONFIRM]
    steps = blocks_of(session, advice)[-1]
    assert isinstance(steps, Bullets)
    assert claim.low < 1 < claim.high
    assert "exploring trials lend" in steps.items[1]
    assert numbers(steps.items[3])[-2:] == pytest.approx([claim.low, claim.high], abs=5e-4)


def test_exploring_alone_has_no_worked_example() -> None:
    """Nothing is claimed, so nothing is worked out."""
    session = measured(plan_of("distribution_agent", SubscriptionStreams=(1, 8, 16)), EXPLORED)
    assert blocks_of(session, ADVISOR.advise(session)) == []


def test_the_counts_of_a_report_are_those_of_its_rows() -> None:
    """Open ones, those asked, and exploring rows that only chose the setting are together the rows of the CSV."""
    session, advice = explained(OPEN)
    section = method_section(session, advice, Vocabulary(ADVISOR.families.values()))
    said = [item for block in section.blocks if isinstance(block, Bullets) for item in block.items]
    [told] = [item for item in said if item.startswith("Comparisons still open")]
    unsettled, asked, leads = numbers(told)
    counts = verdict_counts(advice.comparisons, is_imported=False)
    assert unsettled == counts[Verdict.CANNOT_TELL] > 0
    assert leads == sum(c.phase is Phase.EXPLORE for c in advice.comparisons) > 0
    assert asked + leads == len(advice.comparisons)
