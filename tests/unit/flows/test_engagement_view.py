"""A client's file, a comparison and a bundle as plain data: what a person reads of each."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.domain.errors import BadInput
from app.flows.explain.compare_choices import PUBLISHED, Comparable, comparables, proposed, why_not_comparable
from app.flows.hand_over.bundle_view import (
    ExportForm,
    export_problem,
    import_problem,
    proposed_bundle,
    proposed_folder,
    redact_text,
)
from app.flows.hand_over.engagement_view import (
    access_line,
    engagement_line,
    hits_line,
    opened_from,
    places_of,
    session_in,
    sessions_table,
    tags_of_text,
    with_suffix,
)
from app.flows.shell.start_view import is_client_file
from app.flows.shell.wizard import choose_target
from app.services.hand_over.engagement import Hit, read_engagement
from app.services.hand_over.free_texts import NameChoices
from app.services.hand_over.open_engagement import OpenEngagement, create_engagement
from app.services.hand_over.past_sessions import summarise_session
from app.store import create_session_file
from tests.store.sample import make_record

NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a client's file with one session of two runs."""
    path = tmp_path / "Fabrikam.replitune"
    with create_session_file(path) as store:
        store.add_session(make_record())
    return path


def test_a_typed_name_gets_its_end() -> None:
    """The end of the name is added where it is missing, also behind a dot."""
    assert with_suffix("/a/Fabrikam") == Path("/a/Fabrikam.replitune")
    assert with_suffix("/a/Fabrikam Inc.") == Path("/a/Fabrikam Inc..replitune")
    assert with_suffix("/a/b.REPLITUNE") == Path("/a/b.REPLITUNE")


def test_tags_are_typed_with_commas() -> None:
    """Each counts once, whatever its case; the first spelling stays, empty ones are none."""
    assert tags_of_text(" before, Urgent,, BEFORE ,") == ("before", "Urgent")
    assert tags_of_text("") == ()


def test_a_file_says_what_it_holds_and_who_has_it(path: Path) -> None:
    """Sessions and runs are counted; who only reads is told why, a run of one's own is no stranger."""
    found = read_engagement(path)
    assert engagement_line(found).endswith(" · 1 session · 2 runs")
    assert places_of(found.sessions[0])[:2] == (("", "the whole session"), ("E1", "run E1"))
    assert "saved at once" in access_line("", is_running=False)
    assert access_line("it is open elsewhere", is_running=False) == (
        "The file can only be read here: It is open elsewhere."
    )
    assert access_line("it is open elsewhere", is_running=True).startswith("A run is in progress")


def test_sessions_are_listed_in_words(path: Path) -> None:
    """Experiment by its title, state in words, tags and notes counted."""
    session = read_engagement(path).sessions[0]
    imported = replace(session, runs=(), overview=replace(session.overview, imported_from="measured.csv"))
    empty = replace(imported, overview=replace(session.overview, imported_from=""))
    found = replace(read_engagement(path), sessions=(session, imported, empty))
    table = sessions_table(found, {"log_reader": "Log Reader Agent"})
    states = [row.cells[4].text for row in table.rows]
    assert states[1:] == ["measurements", "nothing was run"]
    assert [len(row.cells) for row in table.rows] == [len(table.columns)] * 3


def test_what_was_found_is_counted() -> None:
    """One place, several places, none."""
    hit = Hit("S1", "Night", "", "note", "x")
    assert hits_line((hit,)).startswith("1 place in 1 session;")
    assert hits_line((hit, replace(hit, session_id="S2"))).startswith("2 places in 2 sessions;")
    assert hits_line(()).startswith("Nothing found.")


def test_a_session_begun_in_a_client_file_stays_with_it(path: Path) -> None:
    """It is written to that file whatever target is chosen; report and scripts have a folder of their own."""
    choices = choose_target(session_in(path, NOW).choices, "lab")
    assert choices.place is not None
    assert choices.place.session_file == path
    assert choices.place.report.parent.parent == path.parent
    opened = opened_from(summarise_session(path)).choices.place
    assert opened is not None
    assert opened.session_file == path
    assert opened.report == path.parent / make_record().session_id / "report.pdf"


def test_a_client_file_without_a_session_is_a_client_file(tmp_path: Path) -> None:
    """It is made empty, opens with its list, and is never made over another file."""
    path = tmp_path / "New.replitune"
    create_engagement(path)
    summary = summarise_session(path)
    assert (summary.title, summary.sessions_in_file, summary.used_trials) == ("New", 0, 0)
    assert is_client_file(summary)
    before = path.read_bytes()
    with pytest.raises(BadInput, match="is there already"):
        create_engagement(path)
    assert path.read_bytes() == before


def test_a_closed_file_takes_no_note(path: Path) -> None:
    """Once it is given back nothing is written, and opening it late does not take it again."""
    held = OpenEngagement(path)
    held.open()
    assert held.can_write
    held.close()
    with pytest.raises(BadInput, match="is closed"):
        held.add_note("x", make_record().session_id)
    held.open()
    assert not held.can_write
    assert sorted(p.name for p in path.parent.iterdir()) == [path.name]


def test_two_sides_are_proposed_older_first(path: Path) -> None:
    """The two newest sessions; the one at hand with another; one alone beside published numbers."""
    found = [Comparable(reference, "") for reference in ("S3", "S2", "S2/E1", "S2/E2", "S1")]
    assert proposed(found, ()) == ("S2", "S3")
    assert proposed(found, ("S3",)) == ("S2", "S3")
    assert proposed(found, ("S1", "S3/E1")) == ("S1", "S3")
    assert proposed(found, ("S2/E1", "S2/E2")) == ("S2/E1", "S2/E2")
    assert proposed(found, ("S2/E1",)) == ("S2/E1", "S3")
    assert proposed(found[:1], ("S3",)) == ("S3", PUBLISHED)
    assert proposed((), ()) == ("", PUBLISHED)
    assert [choice.reference for choice in comparables(read_engagement(path))] == [
        make_record().session_id,
        f"{make_record().session_id}/E1",
        f"{make_record().session_id}/E2",
    ]
    assert why_not_comparable("", PUBLISHED)
    assert why_not_comparable("S1", "S1")
    assert not why_not_comparable("S1", "S2")


def test_where_bundles_go_is_proposed_and_checked(tmp_path: Path) -> None:
    """A redacted one does not carry the client's name; a folder that is there is not proposed again."""
    file = tmp_path / "Fabrikam.replitune"
    assert proposed_bundle(file, redact=False) == str(tmp_path / "Fabrikam.zip")
    assert "Fabrikam" not in Path(proposed_bundle(file, redact=True)).name
    assert export_problem(ExportForm(str(tmp_path / "b.zip"))) == ""
    form = ExportForm("", redact=True, hide=" Ann \n\nBo\nAnn", undecided=("see Ann", "slow"), kept=frozenset({"slow"}))
    assert form.names == NameChoices(("Ann", "Bo", "see Ann"), ("slow",))
    assert replace(form, redact=False).names == NameChoices()
    assert "list further names below" in redact_text(redact=True)
    assert proposed_folder("", tmp_path) == ""
    assert proposed_folder("/x/a b.zip", tmp_path) == str(tmp_path / "a-b")
    (tmp_path / "a-b").mkdir()
    assert proposed_folder("/x/a b.zip", tmp_path) == str(tmp_path / "a-b-2")
    assert proposed_folder("/x/con.zip", tmp_path) == str(tmp_path / "_con")
    bundle = tmp_path / "b.zip"
    assert import_problem("", "/x") == "Choose a bundle (.zip)."
    assert import_problem(str(bundle), "/x").startswith("There is no file")
    bundle.write_bytes(b"x")
    assert import_problem(str(bundle), "") == "Choose a folder that is empty or new."
    assert import_problem(str(bundle), "rel").startswith("Give the whole path")
    assert import_problem(str(bundle), str(tmp_path / "new")) == ""
