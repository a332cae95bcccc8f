"""What is said of the price of synchronous commit: open, extrapolated, with its interval, beside compression."""

import itertools
import random
from collections.abc import Iterator, Mapping

import pytest

from app.domain.comparison import Verdict
from app.domain.decision import Decision
from app.domain.measurement import Measurement
from app.domain.session import Advice
from app.domain.setting import Setting, Value
from app.reporting.decision_card import decision_card
from app.reporting.wording import Vocabulary
from tests.shipped_rules import ADVISOR
from tests.unit.services.test_imported_decisions import _session as imported

WORDS = Vocabulary(ADVISOR.families.values())
INSERTS = {1: 10_000, 10_000: 100}


def _measured(
    times_by_rows: Mapping[int, tuple[float, ...]], done: int | None = None, **told: Value
) -> Iterator[Measurement]:
    """Yield the times of asynchronous commit, a second and a little, and of synchronous commit, as shares of these."""
    for rows, shares in times_by_rows.items():
        for block, share in enumerate(shares, start=1):
            for mode, time_ms in (("async", 1000 + block), ("sync", (1000 + block) * share)):
                conditions = Setting.of(inserts=INSERTS[rows], rows_per_insert=rows, **told)
                setting, at = Setting.of(availability_mode=mode), f"{mode}-{block}"
                yield Measurement("commit_mode", at, block, "shape_time", time_ms, "ms", setting, conditions)
                if done is not None:
                    yield Measurement("commit_mode", at, block, "inserts_done", done, "inserts", setting, conditions)


def _advice(*measured: Measurement) -> Advice:
    return ADVISOR.advise(imported(measured))


def _price(advice: Advice) -> Decision:
    return next(d for d in advice.decisions if d.finding.rule == "commit-round-trip")


def test_a_penalty_that_is_open_is_not_told_as_one() -> None:
    """Large inserts of which nothing is settled stand with their interval as open beside the small ones."""
    advice = _advice(*_measured({1: (3.0, 3.04, 3.02), 10_000: (1.0, 1.3, 1.1)}, server_version=2016))
    (told,) = (finding for finding in advice.findings if finding.rule == "commit-round-trip")
    assert "which is open (" in told.because


def test_compression_of_one_mode_only_is_told_beside_the_price() -> None:
    """SQL Server 2016 compresses for asynchronous replicas alone; of an unknown version nothing is said."""
    shares = {1: (1.5, 1.52, 1.51), 10_000: (1.4, 1.42, 1.41)}
    known, unknown = (_advice(*_measured(shares, **told)) for told in ({"server_version": 2016}, {}))
    sentence = "The log stream was compressed with asynchronous commit only"
    assert sentence in _price(known).finding.because
    assert not any(sentence in finding.because for finding in unknown.findings)


def test_run_times_worked_out_from_a_part_are_marked_wherever_they_stand() -> None:
    """Headline and card say it, and the times carry the mark."""
    shares = {1: (1.5, 1.52, 1.51)}
    for done, is_marked in ((4_000, True), (10_000, False)):
        advice = _advice(*_measured(shares, done=done, server_version=2016))
        card = decision_card(_price(advice), WORDS)
        assert ("worked out from a part of the inserts" in card.headline) is is_marked
        assert (card.lead.count("≈") >= 2) is is_marked


ARMS = list(itertools.product(("async", "sync"), ("off", "on")))


@pytest.mark.parametrize("seed", range(24))
def test_every_price_names_the_compression_of_its_arms(seed: int) -> None:
    """Any arms and shapes, with and without the version: what differs in compression is no price of the mode alone."""
    chance = random.Random(seed)
    arms = [arm for arm in ARMS if arm in (ARMS[0], ARMS[3]) or chance.random() < 0.5]
    shares = {(arm, rows): chance.uniform(1.1, 2.5) for arm in ARMS for rows in INSERTS}
    version = {"server_version": 2016} if chance.random() < 0.5 else {}
    measured = [
        Measurement(
            "commit_mode",
            f"{mode}-{compression}-{block}",
            block,
            "shape_time",
            (1000 + block)
            * (shares[(mode, compression), rows] if mode == "sync" else 1.0)
            * chance.uniform(0.99, 1.01),
            "ms",
            Setting.of(availability_mode=mode, log_stream_compression=compression),
            Setting.of(inserts=INSERTS[rows], rows_per_insert=rows, **version),
        )
        for mode, compression in arms
        for rows in INSERTS
        for block in (1, 2, 3)
    ]
    session = imported(measured)
    advice = ADVISOR.advise(session)
    given = {m.setting for m in measured}
    assert {side for c in advice.comparisons for side in (c.reference, c.candidate)} <= given  # no "default" of our own
    priced = [f for f in advice.findings if f.rule in {"commit-round-trip", "commit-bytes", "commit-not-dearer"}]
    assert priced
    assert all("log stream" in finding.title for finding in priced)
    worst = max(
        c.ratio
        for c in advice.comparisons
        if (c.reference["availability_mode"], c.candidate["availability_mode"]) == ("async", "sync")
        and c.verdict is Verdict.WORSE
    )
    for finding in priced:
        told = {name: value for name, value, _unit in finding.facts}
        if finding.rule == "commit-not-dearer":
            assert told["penalty_worst_percent"] == pytest.approx((worst - 1) * 100)
