"""Which ninth of the places a run of the long proofs looks at; nine ninths together are all of them.

Of a reading that a session sends every second the ninths meet a few calls only; `--prove-all` meets them all. Of
simulated outcomes that are kept a run makes a third of its ninth again, the third following from the commit as well: a
seed is no place, and what makes them changes nearly all when it changes.

A place is a statement or a moment of a session, a case is one kind of fault at one place. The ninth follows from the
commit, so that the same commit is always held against the same cases and another one, mostly, against others.
"""

import subprocess
import zlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

T = TypeVar("T")
K = TypeVar("K")

PARTS: Final = 9
MOST_REPEATS: Final = 2
ROUNDS: Final = 3
"""Into how many rounds a part falls where outcomes are made again: the rounds of all parts together are all of them."""
_FEWER_DRAWS: Final = 3
_ROOT: Final = Path(__file__).parents[2]


@dataclass(frozen=True)
class Share:
    """What share of the cases is proved.

    Attributes:
        part: 1 to 9, None for all of them.
        why: what it follows from, as a person reads it.
        round: from 0, below `ROUNDS`; it follows from the commit where the part is named as well.
    """

    part: int | None
    why: str
    round: int = 0

    def __str__(self) -> str:
        return f"part {self.part} of {PARTS}" if self.part else "all"

    @property
    def parts(self) -> int:
        """How many such shares there are: what a run counts is held against a bound for all cases times this."""
        return PARTS if self.part else 1

    @property
    def told(self) -> str:
        """The line every run begins with."""
        if self.part is None:
            return f"long proofs: at all places ({self.why})"
        return (
            f"long proofs: at part {self.part} of {PARTS} of the places ({self.why}); "
            f"--part={self.part} repeats it at this commit, --prove-all proves all"
        )

    def of(
        self,
        cases: Sequence[T],
        stratum: Callable[[T], Any],
        turn: int = 0,
        *,
        repeats: Callable[[T], str] = lambda _case: "",
    ) -> list[T]:
        """Return this share of the cases, in their order; of fewer than nine always one.

        The cases are dealt out in turns after they are sorted by stratum: every stratum of nine cases or more is met
        in each part, and two parts differ in size by one case at most.

        Args:
            stratum: sorts the cases; those of one kind of statement must have neighbouring strata.
            turn: where dealing begins; a matrix that deals out one kind of fault at a time gives each kind its own, so
                that a statement sent only once is met by other kinds in other parts.
            repeats: names what a case repeats, such as a reading that is sent every second, "" for nothing: of each of
                them a part meets at most `MOST_REPEATS`, from the first to the last.
        """
        if self.part is None or not cases:
            return list(cases)
        ranked = sorted(range(len(cases)), key=lambda index: stratum(cases[index]))
        place = (self.part - 1 - turn) % PARTS
        dealt = sorted(ranked[place::PARTS] or [ranked[place % len(ranked)]])
        places: dict[str, list[int]] = {}
        for index in dealt:
            if repeats(cases[index]):
                places.setdefault(repeats(cases[index]), []).append(index)
        left_out = {index for alike in places.values() for index in set(alike) - set(_spread(alike))}
        return [cases[index] for index in dealt if index not in left_out]

    def of_each(
        self,
        kinds: Sequence[K],
        cases_of: Callable[[K], Sequence[T]],
        stratum: Callable[[T], Any],
        *,
        repeats: Callable[[T], str] = lambda _case: "",
    ) -> list[T]:
        """Return this share of a matrix that deals out one kind of fault at a time, all kinds of it together.

        Args:
            cases_of: returns the cases of one kind.
            stratum, repeats: as for one kind.
        """
        return [
            case for turn, kind in enumerate(kinds) for case in self.of(cases_of(kind), stratum, turn, repeats=repeats)
        ]

    def dealt(self, cases: Sequence[T], group: Callable[[T], Hashable]) -> list[T]:
        """Return this share of each group of cases, the groups taking turns; of a group of fewer than nine always one.

        Args:
            group: names what each part meets.
        """
        groups: dict[Hashable, list[T]] = {}
        for case in cases:
            groups.setdefault(group(case), []).append(case)
        return [case for turn, alike in enumerate(groups.values()) for case in self.of(alike, lambda _case: 0, turn)]

    def draws(self, count: int) -> int:
        """Return how many of so many draws are made, sessions or moments, whose number tells chance from a fault.

        No fewer than a third: a bound that fits fewer finds nothing.
        """
        return count if self.part is None else count // _FEWER_DRAWS


def made_again(share: Share, kept: int, turn: int = 0) -> Sequence[int]:
    """Return which of so many simulated outcomes that are kept are made again, by number; always one.

    Args:
        turn: series that are kept side by side have turns of their own.
    """
    part = share.of(range(kept), lambda number: number, turn)
    if share.part is None or not part:
        return part
    place = (share.round + turn) % ROUNDS
    return part[place::ROUNDS] or [part[place % len(part)]]


def _spread(alike: Sequence[int]) -> Sequence[int]:
    """Return the first, the last and what lies evenly between them, at most `MOST_REPEATS`."""
    if len(alike) <= MOST_REPEATS:
        return alike
    last = len(alike) - 1
    return [alike[round(step * last / (MOST_REPEATS - 1))] for step in range(MOST_REPEATS)]


def share_of(*, is_all: bool, part: int | None) -> Share:
    """Return the share that was asked for on the command line, or the one that follows from the commit."""
    if is_all:
        return Share(None, "--prove-all")
    source, why = _source()
    part_of_source, round_of_source = place_from(source)
    if part is not None:
        return Share(part, "--part", round_of_source)
    return Share(part_of_source, why, round_of_source)


def place_from(source: str) -> tuple[int, int]:
    """Return the part and the round of a commit's hash or a version."""
    round_of_parts, part = divmod(zlib.crc32(source.encode()), PARTS)
    return part + 1, round_of_parts % ROUNDS


def _source() -> tuple[str, str]:
    try:
        asked = ["git", "rev-parse", "HEAD"]
        commit = subprocess.run(asked, cwd=_ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        from app.foundation.version import VERSION

        return VERSION, f"version {VERSION}, no commit"
    return commit, f"commit {commit[:7]}"
