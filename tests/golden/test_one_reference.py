"""What is kept as looked at names one reference for each comparison, and its numbers make the ratios beside them."""

import re
from pathlib import Path

import pytest

from app.reporting.wording import Vocabulary
from tests.golden.sessions import SESSIONS
from tests.one_reference import assert_holds_at_the_site
from tests.printed_pairs import printed_pairs
from tests.unit.services.test_references import assert_one_reference

ROOT = Path(__file__).parent
TEXTS = sorted(path for path in ROOT.rglob("*") if path.suffix in {".txt", ".json", ".sql", ".csv"})


@pytest.mark.parametrize("name", SESSIONS)
def test_each_session_behind_them_names_one_reference(name: str) -> None:
    """Its cards, headlines, run sheet, exports and script headers, for the site it was measured on."""
    session, advice, families = SESSIONS[name]()
    assert_one_reference(session, advice, families)
    assert_holds_at_the_site(session, advice, Vocabulary(families), {})


def test_printed_pairs_make_the_printed_ratio() -> None:
    """In every expected file, to what its numbers are rounded to."""
    found = {path.relative_to(ROOT).as_posix(): printed_pairs(path.read_text(encoding="utf-8")) for path in TEXTS}
    assert {"hand_over/report.txt", "streams/streams-2009-advice.txt"} <= {
        name for name, pairs in found.items() if pairs
    }
    wrong = {name: [one.text for one in pairs if not one.adds_up] for name, pairs in found.items()}
    assert not any(wrong.values()), wrong


def test_each_session_behind_an_expected_file_is_looked_at() -> None:
    """Whatever is kept there of trials, advice or a hand-over has its session in the list."""
    kept = {re.sub(r"-trials$", "", path.relative_to(ROOT).with_suffix("").as_posix()) for path in ROOT.rglob("*.txt")}
    of_sessions = {name for name in kept if not re.search(r"-(?:discover|observe|changes)$", name)}
    assert {name.split("/")[0] if name.startswith("hand_over") else name for name in of_sessions} <= set(SESSIONS)


@pytest.mark.parametrize(
    ("text", "adds_up"),
    [
        (
            "Run time: 33.8 s instead of 88 s. 58 % less run time (55–61 %)",
            False,
        ),  # two pairs of five, all five counted
        ("Run time: 33.8 s instead of 88 s. 62 % less run time (55–61 %)", True),
        ("Run time: 22,978 s instead of 28,000 s. 18 % more run time", False),
        ("Run time: 5 min 30 s instead of 16 min 34 s. 67 % less run time", True),
        ("Throughput: 2,410 commands/s instead of 1,000 commands/s. 2.4 times the throughput", True),
        ("Throughput: 2,410 commands/s instead of 1,000 commands/s. 2.6 times the throughput", False),
        ("Time to seed: 12 s instead of 16 min 12 s. 81 times as fast", True),
        ("Latency: 3 ms instead of 36 ms. 1/12 of the latency", True),
    ],
)
def test_a_pair_that_does_not_make_its_ratio_is_found(text: str, adds_up: bool) -> None:
    """As it was printed once, and as it should have been."""
    assert [one.adds_up for one in printed_pairs(text)] == [adds_up]
