"""The choice of a part itself: what all prove together is everything, and each of them meets every kind."""

import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.prove import shares
from tests.prove.shares import MOST_REPEATS, PARTS, ROUNDS, Share, made_again, place_from, share_of
from tests.rows import every_row

EACH = [Share(part, "test") for part in range(1, PARTS + 1)]
KINDS = ["lost", "timeout", "denied", "killed"]
# Statements of a session as they come: some once, one twice, three in a rhythm the parts must not fall in step with.
CALLS = ["first", "twice", "second", "twice", *["intent", "change", "applied"] * 20, "fourth", "last"]
PLACES = list(enumerate(CALLS))
ROWS = [("few" if number % 8 == 0 else "many", number) for number in range(24)]


def chosen(share: Share, places: Sequence[tuple[int, str]] = PLACES) -> list[tuple[int, str, str]]:
    """Return a share of a matrix that deals out one kind of fault at a time."""
    return share.of_each(KINDS, lambda kind: [(number, name, kind) for number, name in places], lambda case: case[1])


def test_all_parts_are_all_cases_and_none_twice() -> None:
    """Whatever a single run leaves out, another one proves; nothing is proved by two of them."""
    together = [case for share in EACH for case in chosen(share)]
    assert Counter(together) == Counter(chosen(Share(None, "test")))
    assert len(together) == len(PLACES) * len(KINDS)


@every_row("share", EACH, ids=str)
def test_a_part_meets_every_kind_of_fault_at_every_statement_that_is_sent_often(share: Share) -> None:
    """Whatever part a commit falls to, no kind of fault is left out."""
    cases = chosen(share)
    assert {kind for _number, _name, kind in cases} == set(KINDS)
    often = {"intent", "change", "applied"}
    assert {(name, kind) for _number, name, kind in cases} >= {(name, kind) for name in often for kind in KINDS}
    sizes = Counter(kind for _number, _name, kind in cases)
    assert {size - len(PLACES) // PARTS for size in sizes.values()} <= {0, 1}


@every_row("share", EACH, ids=str)
def test_of_rows_that_are_dealt_each_part_meets_every_group(share: Share) -> None:
    """Whatever a test is repeated with: what each part shall meet it does, with a ninth of the rest."""
    assert {group for group, _row in _rows_dealt_to(share)} == {"few", "many"}
    assert len(_rows_dealt_to(share)) in range(3, 5)


def test_all_parts_deal_out_all_rows() -> None:
    """And all of them are run where all is proved."""
    assert {row for share in EACH for row in _rows_dealt_to(share)} == set(ROWS)
    assert sorted(_rows_dealt_to(Share(None, "test"))) == sorted(ROWS)


def _rows_dealt_to(share: Share) -> list[tuple[str, int]]:
    return share.dealt(ROWS, lambda row: row[0])


@every_row("turn", range(PARTS + 1))
@every_row("count", range(PARTS))
def test_of_few_cases_each_part_takes_one(count: int, turn: int) -> None:
    """No part of a matrix proves nothing, and no case is lost."""
    cases = PLACES[:count]
    parts = [share.of(cases, lambda place: place[1], turn) for share in EACH]
    assert {case for part in parts for case in part} == set(cases)
    assert {len(part) for part in parts} == {min(count, 1)}


@every_row("turn", [0, 4])
@every_row("kept", [8, 20, 37, 201])
def test_of_what_is_kept_each_round_of_each_part_makes_some_again(kept: int, turn: int) -> None:
    """None makes none; together they make all, what is many never twice, and all where all is proved."""
    rounds = [Share(each.part, "test", number) for each in EACH for number in range(ROUNDS)]
    again = [made_again(share, kept, turn) for share in rounds]
    assert all(again)
    together = [number for numbers in again for number in numbers]
    assert set(together) == set(range(kept))
    assert kept < len(rounds) or len(together) == kept
    assert max(map(len, again)) <= kept // len(rounds) + 1
    assert list(made_again(Share(None, "test"), kept, turn)) == list(range(kept))


@every_row("share", EACH, ids=str)
def test_of_what_is_drawn_a_part_makes_a_third(share: Share) -> None:
    """Their number is what their bounds are fit for."""
    assert share.draws(900) == 300
    assert Share(None, "test").draws(900) == 900


@every_row("share", EACH, ids=str)
def test_of_what_repeats_a_part_meets_a_few_from_first_to_last(share: Share) -> None:
    """A statement sent sixty times is met a few times, others as before; all of them where all is proved."""
    places = [*PLACES, *((len(PLACES) + number, "sample") for number in range(60))]

    def dealt(of: Share) -> list[tuple[int, str]]:
        return of.of(places, lambda place: place[1], repeats=lambda place: place[1] if place[1] == "sample" else "")

    samples = [number for number, name in dealt(share) if name == "sample"]
    assert len(samples) == MOST_REPEATS
    assert samples[0] < len(PLACES) + PARTS
    assert samples[-1] >= len(PLACES) + 60 - PARTS
    others = [place for place in share.of(places, lambda place: place[1]) if place[1] != "sample"]
    assert [place for place in dealt(share) if place[1] != "sample"] == others
    assert dealt(Share(None, "test")) == places


def test_the_part_follows_from_the_commit() -> None:
    """The same commit gives the same part each time; commits are spread over all of them."""
    root = Path(__file__).parents[2]
    share, named = share_of(is_all=False, part=None), share_of(is_all=False, part=2)
    asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True)
    if asked.returncode == 0:
        assert (share.part, share.round) == place_from(asked.stdout.strip())
        assert asked.stdout[:7] in share.told
    assert (named.part, named.round) == (2, share.round)
    spread = Counter(place_from(f"{number:040x}") for number in range(27_000))
    assert set(spread) == {(part, number) for part in range(1, PARTS + 1) for number in range(ROUNDS)}
    assert min(spread.values()) > 900


def test_without_git_the_part_follows_from_the_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source archive has no commit."""
    monkeypatch.setattr(shares, "_ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    share = share_of(is_all=False, part=None)
    assert share.part in range(1, PARTS + 1)
    assert "version" in share.told
    monkeypatch.setenv("PATH", str(tmp_path))
    assert share_of(is_all=False, part=None) == share


def test_what_is_asked_for_is_proved_and_said() -> None:
    """A part named on the command line, or all of them; both are printed."""
    assert share_of(is_all=False, part=2).part == 2
    assert "part 2 of 9" in share_of(is_all=False, part=2).told
    assert "--part=2" in share_of(is_all=False, part=2).told
    assert share_of(is_all=True, part=2).part is None
    assert "at all places" in share_of(is_all=True, part=None).told
