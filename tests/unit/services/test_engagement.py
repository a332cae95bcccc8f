"""A client's file: several sessions, found again by what is said of them."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.bootstrap import build_program
from app.domain.errors import BadInput, StoreError
from app.services.explain.advising import Advisor
from app.services.explain.imported_session import keep_session, read_session
from app.services.hand_over import engagement
from app.services.hand_over.engagement import Hit
from app.store import create_session_file, open_for_reading, open_for_writing
from tests.store.sample import FILES, make_record

LOG_READER = FILES / "v1-measured.replitune"


@pytest.fixture(scope="module")
def advisor() -> Advisor:
    """Return the program's own analysis and rules."""
    return build_program().advisor


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a client's file with two sessions, made of two others."""
    other = tmp_path / "other.replitune"
    with create_session_file(other) as store:
        store.add_session(replace(make_record(), title="Größere Blöcke über Nacht"))
        store.add_tags(["Vorher"], run_id="E1")
    path = tmp_path / "client.replitune"
    assert len(engagement.gather(path, [LOG_READER, other])) == 2
    return path


def places(hits: tuple[Hit, ...]) -> list[tuple[str, str]]:
    """Return run and kind of each hit."""
    return [(hit.run_id, hit.kind) for hit in hits]


def test_sessions_of_several_files_are_gathered_in_one(path: Path, tmp_path: Path) -> None:
    """Each comes whole, with events and tags; one that is there already is not taken twice, and the others stay."""
    other = tmp_path / "other.replitune"
    before = other.read_bytes()
    assert engagement.gather(path, [other, LOG_READER]) == ()
    assert other.read_bytes() == before
    found = engagement.read_engagement(path)
    assert found.writer is None
    assert [len(session.runs) for session in found.sessions] == [1, 2]
    assert found.sessions[1].tags_of("E1") == ("Vorher",)
    with open_for_reading(path) as new, open_for_reading(LOG_READER) as old:
        session_id = found.sessions[0].session_id
        assert new.read_session(session_id) == old.read_session()
        assert new.read_events(session_id) == old.read_events()
        assert new.session_hash(session_id) == old.session_hash()
    with pytest.raises(BadInput, match="would be overwritten"):
        engagement.gather(path, [path])


def test_measurements_from_elsewhere_join_the_same_file(path: Path, advisor: Advisor) -> None:
    """A file given to `advise` becomes one more session of the client."""
    csv = path.with_name("numbers.csv")
    csv.write_text(
        "family,run,metric,value,unit,ReadBatchSize\nlog_reader,1,run_time,9,s,500\nlog_reader,2,run_time,8,s,5000\n"
    )
    kept = keep_session(read_session(csv, advisor.families, None), path.parent / "made")
    assert len(engagement.gather(path, [kept])) == 1
    assert engagement.read_engagement(path).sessions[0].overview.imported_from == "numbers.csv"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["GROSSERE"], [("", "title")]),
        (["größere", "nacht"], [("", "title")]),
        (["grosere"], []),
        (["groß"], [("", "title")]),
        (["GROSS", "uber"], [("", "title")]),
        (["vorher"], [("E1", "tag")]),
        (["contoso", "müller"], [("", "client"), ("", "consultant")]),
        (["ReadBatchSize", "5000", "Contoso"], [("E2", "setting"), ("", "client")]),
        (["nothing", "Contoso"], []),
    ],
)
def test_texts_are_found(path: Path, words: list[str], expected: list[tuple[str, str]]) -> None:
    """All words must occur in a session, in any case and with or without accents; the best text comes first."""
    assert places(engagement.search(path, words)) == expected


def test_findings_are_found_by_their_titles(path: Path, advisor: Advisor) -> None:
    """What is decided of a session now is searched too, with the run it rests on."""
    found = engagement.search(path, ["leave", "SubscriptionStreams"], advisor)
    assert found[0].kind == "finding"
    assert found[0].run_id == "E1"
    assert found[0].text.startswith("Leave SubscriptionStreams at ")
    assert not [hit for hit in engagement.search(path, ["subscriptionstreams"]) if hit.kind == "finding"]


def test_a_search_needs_a_word(path: Path) -> None:
    """An empty search would find everything, which helps nobody."""
    with pytest.raises(BadInput, match="at least one word"):
        engagement.search(path, ["", "  "])


@pytest.mark.parametrize("tag", ["", "  ", "a,b", "x" * 61, "two\nlines", "\x07"])
def test_tags_are_short_words(path: Path, tag: str) -> None:
    """A tag that could not be told from two, or not be shown, is refused."""
    with pytest.raises(BadInput, match="tag"):
        engagement.add_tags(path, ["fine", tag])
    assert engagement.read_engagement(path).sessions[0].tags == ()


@pytest.mark.parametrize("text", ["", " \n ", "x" * 20_001])
def test_notes_have_a_length(path: Path, text: str) -> None:
    """An empty note says nothing, and a book is no note."""
    with pytest.raises(BadInput, match="a note must have"):
        engagement.add_note(path, text)


def test_a_file_open_elsewhere_is_read_and_not_written(path: Path) -> None:
    """The second person sees who has it, reads and searches, and writes nothing."""
    with open_for_writing(path):
        found = engagement.read_engagement(path)
        assert found.writer is not None
        assert found.writer.since_utc is not None
        assert engagement.search(path, ["contoso"])
        with pytest.raises(StoreError, match="has it, since"):
            engagement.add_note(path, "x")
    assert engagement.read_engagement(path).writer is None
