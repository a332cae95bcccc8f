"""Whatever is given to a command: it ends in a sentence, and nothing is written outside the folder it works in."""

from pathlib import Path

import pytest

from app.store import create_session_file
from tests.e2e.program import SMALL_PLAN, Ended, call, write
from tests.prove.silly_arguments import ALL, PLACES, VALUES, Silly
from tests.prove.thirds import Share
from tests.report.sample import full_session


def _files(folder: Path, apart: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if apart not in path.parents and path != apart}


def _is_one_sentence(text: str) -> bool:
    return text.startswith("replitune: ") and text.count("\n") == 1


def _wrong(ended: Ended) -> bool:
    is_told = ended.code in (0, 2, 3) or (ended.code == 4 and "restore" in ended.err)
    return not is_told or "Traceback" in ended.err or (ended.code != 0 and not _is_one_sentence(ended.err))


@pytest.mark.prove
@pytest.mark.parametrize("place", range(len(PLACES)), ids=[" ".join(place) for place in PLACES])
def test_a_silly_argument_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: int, share: Share
) -> None:
    """No traceback, no mistake of the program, nothing written elsewhere."""
    working = tmp_path / "one" / "two" / "working"
    working.mkdir(parents=True)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(working / "home"))
    monkeypatch.chdir(working)
    good, plan = working / "good.replitune", write(working / "plan.toml", SMALL_PLAN)
    with create_session_file(good) as store:
        store.add_session(full_session())
    before = _files(tmp_path, working)
    cases = share.of([silly for silly in ALL if silly.place == PLACES[place]], _value_of, place)
    wrong = []
    for silly in cases:
        ended = call(*silly.arguments(good, plan))
        if _wrong(ended):
            wrong.append(f"{silly}: {ended.code} {ended.err[-300:]!r}")
        if written := _files(tmp_path, working) - before:
            wrong.append(f"{silly}: written outside: {written}")
    print(f"{' '.join(PLACES[place])}, {share}: {len(cases)} of {len(VALUES)} values, {len(wrong)} wrong")
    assert wrong == []


def _value_of(silly: Silly) -> str:
    return silly.value
