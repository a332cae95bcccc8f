"""The choice of a third itself: what the three prove together is everything, and each of them meets every kind."""

import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.prove import thirds
from tests.prove.thirds import MOST_REPEATS, THIRDS, Share, made_again, share_of, third_from

EACH = [Share(third, "test") for third in range(1, THIRDS + 1)]
KINDS = ["lost", "timeout", "denied", "killed"]
# Statements of a session as they come: some once, one twice, three in a rhythm thirds must not fall in step with.
CALLS = ["first", "twice", "second", "twice", *["intent", "change", "applied"] * 20, "third", "last"]
PLACES = list(enumerate(CALLS))


def chosen(share: Share, places: Sequence[tuple[int, str]] = PLACES) -> list[tuple[int, str, str]]:
    """Return a share of a matrix that deals out one kind of fault at a time."""
    return [
        (number, name, kind)
        for turn, kind in enumerate(KINDS)
        for number, name in share.of(places, lambda place: place[1], turn)
    ]


def test_three_thirds_are_all_cases_and_none_twice() -> None:
    """Whatever a single run leaves out, another one proves; nothing is proved by two of them."""
    together = [case for share in EACH for case in chosen(share)]
    assert Counter(together) == Counter(chosen(Share(None, "test")))
    assert len(together) == len(PLACES) * len(KINDS)


@pytest.mark.parametrize("share", EACH, ids=str)
def test_a_third_meets_every_kind_of_fault_and_every_statement(share: Share) -> None:
    """Also a statement sent only once, and each kind at every statement sent three times."""
    cases = chosen(share)
    assert {kind for _number, _name, kind in cases} == set(KINDS)
    assert {name for _number, name, _kind in cases} == set(CALLS)
    often = {"intent", "change", "applied"}
    assert {(name, kind) for _number, name, kind in cases} >= {(name, kind) for name in often for kind in KINDS}
    sizes = Counter(kind for _number, _name, kind in cases)
    assert {size - len(PLACES) // THIRDS for size in sizes.values()} <= {0, 1}


@pytest.mark.parametrize("count", range(8))
def test_few_cases_are_dealt_out_as_well(count: int) -> None:
    """No case is lost where there are fewer than thirds, and their order stays."""
    cases = PLACES[:count]
    parts = [share.of(cases, lambda place: place[1]) for share in EACH]
    assert sorted(case for part in parts for case in part) == cases
    assert all(part == sorted(part) for part in parts)


@pytest.mark.parametrize("kept", [7, 8, 37, 201])
def test_of_what_is_kept_each_third_makes_a_ninth_again(kept: int) -> None:
    """The thirds share nothing, none is empty, and all is made again where all is proved."""
    parts = [made_again(share, kept) for share in EACH]
    assert sorted(number for part in parts for number in part) == list(range(0, kept, THIRDS))
    assert all(parts)
    assert list(made_again(Share(None, "test"), kept, turn=1)) == list(range(kept))


@pytest.mark.parametrize("share", EACH, ids=str)
def test_of_what_repeats_a_third_meets_a_few_from_first_to_last(share: Share) -> None:
    """A statement sent sixty times is met a few times, others as before; all of them where all is proved."""
    places = [*PLACES, *((len(PLACES) + number, "sample") for number in range(60))]

    def dealt(of: Share) -> list[tuple[int, str]]:
        return of.of(places, lambda place: place[1], repeats=lambda place: place[1] if place[1] == "sample" else "")

    samples = [number for number, name in dealt(share) if name == "sample"]
    assert len(samples) == MOST_REPEATS
    assert samples[0] < len(PLACES) + 4
    assert samples[-1] > len(PLACES) + 55
    others = [place for place in share.of(places, lambda place: place[1]) if place[1] != "sample"]
    assert [place for place in dealt(share) if place[1] != "sample"] == others
    assert dealt(Share(None, "test")) == places


def test_the_third_follows_from_the_commit() -> None:
    """The same commit gives the same third each time; commits are spread over all of them."""
    root = Path(__file__).parents[2]
    share = share_of(is_all=False, third=None)
    asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True)
    if asked.returncode == 0:
        assert share.third == third_from(asked.stdout.strip())
        assert asked.stdout[:7] in share.told
    spread = Counter(third_from(f"{number:040x}") for number in range(3_000))
    assert set(spread) == {1, 2, 3}
    assert min(spread.values()) > 900


def test_without_git_the_third_follows_from_the_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source archive has no commit."""
    monkeypatch.setattr(thirds, "_ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    share = share_of(is_all=False, third=None)
    assert share.third in (1, 2, 3)
    assert "version" in share.told
    monkeypatch.setenv("PATH", str(tmp_path))
    assert share_of(is_all=False, third=None) == share


def test_what_is_asked_for_is_proved_and_said() -> None:
    """A third named on the command line, or all of them; both are printed."""
    assert share_of(is_all=False, third=2) == Share(2, "--third")
    assert "third 2 of 3" in share_of(is_all=False, third=2).told
    assert "--third=2" in share_of(is_all=False, third=2).told
    assert share_of(is_all=True, third=2).third is None
    assert "at all places" in share_of(is_all=True, third=None).told
