"""Whatever is given to a command: it ends in a sentence, and nothing is written outside the folder it works in."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from app.cli.main import _COMMANDS
from app.foundation.paths import resource_path
from app.store import create_session_file
from tests.e2e.program import SMALL_PLAN, Ended, write
from tests.prove.confined import MOST_MEMORY_MB, call_apart
from tests.prove.hostile_files import ARGUMENTS, FILES
from tests.prove.hostile_files import PLACES as PLACES_OF_FILES
from tests.prove.shares import Share
from tests.prove.silly_arguments import ALL, PLACES, VALUES, Silly
from tests.report.sample import full_session


def _files(folder: Path, apart: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if apart not in path.parents and path != apart}


def _is_one_sentence(text: str) -> bool:
    return text.startswith("replitune: ") and text.count("\n") == 1


def _wrong(ended: Ended) -> bool:
    is_told = ended.code in (0, 2, 3) or (ended.code == 4 and ("restore" in ended.err or "rollback.sql" in ended.err))
    return not is_told or "Traceback" in ended.err or (ended.code != 0 and not _is_one_sentence(ended.err))


@pytest.mark.prove
@pytest.mark.parametrize("place", range(len(PLACES)), ids=[" ".join(place) for place in PLACES])
def test_a_silly_argument_is_told_in_a_sentence(tmp_path: Path, place: int, share: Share) -> None:
    """No traceback, no mistake of the program, an end, little memory, nothing written elsewhere."""
    working = tmp_path / "one" / "two" / "working"
    working.mkdir(parents=True)
    good, plan = working / "good.replitune", write(working / "plan.toml", SMALL_PLAN)
    with create_session_file(good) as store:
        store.add_session(full_session())
    cases = share.of([silly for silly in ALL if silly.place == PLACES[place]], _value_of, place)
    wrong = _run([silly.arguments(good, plan) for silly in cases], working, tmp_path)
    print(f"{' '.join(PLACES[place])}, {share}: {len(cases)} of {len(VALUES)} values, {len(wrong)} wrong")
    assert wrong == []


def _value_of(silly: Silly) -> str:
    return silly.value


@pytest.mark.prove
@pytest.mark.skipif(os.name == "nt", reason="Windows has neither devices nor pipes among its files")
@pytest.mark.parametrize("place", PLACES_OF_FILES)
def test_a_file_nobody_should_be_given_is_told_in_a_sentence(tmp_path: Path, place: str, share: Share) -> None:
    """Whatever lies where a command reads a file: an end, a sentence or a result, little memory, nothing elsewhere."""
    good = tmp_path / "good.replitune"
    with create_session_file(good) as store:
        store.add_session(full_session())
    calls, apart = [], tmp_path / "working"
    turn = sorted(PLACES_OF_FILES).index(place)
    files = share.of(sorted(FILES), str, turn)
    for number, name in enumerate(files):
        folder = apart / str(number)
        path = folder / PLACES_OF_FILES[place].name
        path.parent.mkdir(parents=True)
        (folder / "out").mkdir()
        FILES[name](path)
        given = {"file": path, "up": path.parent, "good": good, "out": folder / "out"}
        calls.append([part.format(**given) for part in PLACES_OF_FILES[place].arguments])
    wrong = _run(calls, apart, tmp_path)
    print(f"{place}, {share}: {len(files)} of {len(FILES)} files, {len(wrong)} wrong")
    assert wrong == []


@pytest.mark.prove
def test_arguments_that_are_silly_without_a_file(tmp_path: Path, share: Share) -> None:
    """Numbers without an end, paths to devices, names of 5,000 letters."""
    good, plan, rows = tmp_path / "good.replitune", write(tmp_path / "plan.toml", SMALL_PLAN), tmp_path / "rows.csv"
    write(rows, (resource_path("published") / "subscription-streams-wan-2007.csv").read_bytes())
    with create_session_file(good) as store:
        store.add_session(full_session())
    apart = tmp_path / "working"
    (apart / "out").mkdir(parents=True)
    given = {"long": "x" * 5_000, "plan": plan, "good": good, "rows": rows, "out": apart / "out"}
    cases = share.of(ARGUMENTS, " ".join)
    wrong = _run([[part.format(**given) for part in case] for case in cases], apart, tmp_path)
    print(f"arguments, {share}: {len(cases)} of {len(ARGUMENTS)}, {len(wrong)} wrong")
    assert wrong == []


def _run(calls: Sequence[Sequence[str]], working: Path, around: Path) -> list[str]:
    """Call the program with each of these arguments; return what was wrong."""
    before = _files(around, working)
    confined = call_apart(calls, working)
    wrong = [
        f"{' '.join(arguments)[:200]}: {ended.code} {ended.err[-300:]!r}"
        for arguments, ended in zip(calls, confined.ended, strict=True)
        if _wrong(ended)
    ]
    if confined.memory_mb > MOST_MEMORY_MB:
        wrong.append(f"{confined.memory_mb:,.0f} MB were held by one of {calls}")
    if written := _files(around, working) - before:
        wrong.append(f"written outside: {written}")
    return wrong


@dataclass(frozen=True)
class Large:
    """Measurements that are many and honest.

    Attributes:
        conditions: different settings, each measured once in each block.
    """

    conditions: int
    blocks: int
    options: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.conditions:,} conditions in {self.blocks:,} blocks"

    def text(self) -> str:
        """Return them as a CSV file; values scatter by a few percent."""
        lines = ["family,run,block,metric,value,unit,SubscriptionStreams,CommitBatchSize"]
        for number in range(self.conditions * self.blocks):
            block, condition = divmod(number, self.conditions)
            setting = f"{1 + condition % 64},{100 + condition // 64}"
            value = 100 + number * 7_919 % 13 / 2
            lines.append(f"distribution_agent,E{number + 1},{block + 1},run_time,{value},s,{setting}")
        return "\n".join(lines)


LARGE: Final = (Large(10, 20_000, ("--json",)), Large(3_000, 2, ("--json",)), Large(300, 2, ("--out", "advice")))
"""Each part takes one of them. With its report the second takes three times as long, so a smaller one writes it."""


@pytest.mark.prove
def test_a_large_file_works_within_bounds(tmp_path: Path, share: Share) -> None:
    """What is large and honest is worked through: a result, progress on the way, little memory."""
    cases = share.of(LARGE, str)
    for case in cases:
        apart = tmp_path / f"{case.conditions}"
        apart.mkdir()
        write(apart / "rows.csv", case.text())
        confined = call_apart([["advise", "rows.csv", *case.options]], apart)
        (ended,) = confined.ended
        assert ended.code == 0, ended.err[-500:]
        lines = ended.err.count("Reading and comparing rows.csv:")  # a terminal shows a bar from the beginning
        assert (lines > 5) is (case.conditions >= 1_000), "no progress was told, or of little work"
        assert confined.memory_mb <= MOST_MEMORY_MB
        print(f"{case}, {share}: {confined.memory_mb:.0f} MB")


def test_there_are_at_least_400_bad_inputs() -> None:
    """Over all commands: every subcommand takes part."""
    assert len(ALL) + len(PLACES_OF_FILES) * len(FILES) + len(ARGUMENTS) >= 400
    commands = {place[0] for place in PLACES} | {place.arguments[0] for place in PLACES_OF_FILES.values()}
    commands |= {arguments[0] for arguments in ARGUMENTS}
    assert commands >= set(_COMMANDS), set(_COMMANDS) - commands
