"""Bundles out and in: nothing of the client in a redacted one, and nothing left of one that must not be trusted."""

import base64
import contextlib
import hashlib
import io
import itertools
import json
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from pypdf import PdfReader

from app.foundation.paths import resource_path
from app.store import open_for_reading
from app.systems.availability_groups.site import kept_groups
from app.systems.transactional_replication.site import kept_replication
from tests.e2e.client_file import CLIENT_NAMES, ORACLE_TARGET, SECOND_TARGET, write_client_file
from tests.e2e.program import SMALL_PLAN, assert_one_sentence, call, write
from tests.files import files_below

HIDDEN = "Halvorsen-Brandt"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a client's file with names everywhere."""
    return write_client_file(tmp_path_factory.mktemp("client") / "freight.replitune")


@pytest.fixture(scope="module")
def redacted(client: Path) -> Path:
    """Return a redacted bundle of it, made by the command."""
    out = client.with_name("handed-on.zip")
    ended = call("bundle", "export", client, "--out", out, "--redact", "--hide", HIDDEN, "--keep-rest")
    assert ended.code == 0, ended
    return out


def texts_of(name: str, content: bytes) -> Iterator[tuple[str, str]]:
    """Yield every text in a file: in UTF-8, in UTF-16 wherever it begins, without JSON's escapes; of a PDF its parts.

    Parts of a PDF are its pages, what it says about itself, its packed objects and the files attached to it.
    """
    text = content.decode("utf-8", "replace")
    yield name, text
    yield f"{name}, escapes read", re.sub(r"\\+u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)
    for number, encoded in enumerate(re.findall(rb";base64,([A-Za-z0-9+/=]+)", content)):
        yield f"{name}, picture {number}", base64.b64decode(encoded).decode("utf-8", "replace")
    for place, coding in itertools.product((0, 1), ("utf-16-le", "utf-16-be")):
        yield f"{name} as {coding} from {place}", content[place:].decode(coding, "replace")
    if name.endswith(".pdf"):
        reader = PdfReader(io.BytesIO(content))
        pages = "\n".join(page.extract_text() for page in reader.pages)
        yield f"{name}, pages", pages + pages.replace("\n", "").replace("\u200b", "")
        yield (
            f"{name}, about",
            str(reader.metadata) + str(reader.xmp_metadata and reader.xmp_metadata.stream.get_data()),
        )
        for number, packed in enumerate(re.findall(rb"stream\r?\n(.*?)endstream", content, re.DOTALL)):
            with contextlib.suppress(zlib.error):
                yield f"{name}, object {number}", zlib.decompress(packed).decode("latin-1")
        for inner, versions in reader.attachments.items():
            for version in versions:
                yield from texts_of(f"{name}, {inner}", version)


def left_in(part: str, content: bytes, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the names a file still holds, with the place of each; its own name is searched, too."""
    wanted = {name: name.casefold() for name in names}
    folded = [(place, text.casefold()) for place, text in [("its name", part), *texts_of(part, content)]]
    return [(place, name) for place, text in folded for name in names if wanted[name] in text]


def test_what_searches_for_names_finds_them_however_they_are_written() -> None:
    """The proof itself is tried: UTF-8, UTF-16 either way and at odd places, JSON escapes, other letters."""
    for content in (
        "x größenordnung".encode(),
        b"x" + "Größenordnung".encode("utf-16-le"),
        "Größenordnung".encode("utf-16-be"),
        json.dumps(json.dumps("Größenordnung")).encode(),
        b"data:image/svg+xml;base64," + base64.b64encode("Größenordnung".encode()),
    ):
        assert left_in("part.json", content, ["Größenordnung"]), content
    assert left_in("Fabrikam.csv", b"", ["fabrikam"])


@pytest.mark.parametrize("end", ["pdf", "html", "md", "csv"])
@pytest.mark.parametrize("session", ["S20261121-080000-a1b2c3", "S20261122-080000-bbbbbb", "S20261123-080000-aaaaaa"])
def test_no_name_of_the_client_is_left_in_a_redacted_report(
    client: Path, tmp_path: Path, end: str, session: str
) -> None:
    """Every session in every format, with the files that belong to it."""
    out = tmp_path / f"report.{end}"
    assert call("report", client, "--session", session, "--out", out, "--redact", "--keep-rest").code == 0
    files = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert f"report.{end}" in files
    assert [found for name, content in files.items() for found in left_in(name, content, CLIENT_NAMES)] == []


def test_no_name_of_the_client_is_left_in_a_redacted_bundle(client: Path, redacted: Path) -> None:
    """Searched byte by byte: names in the archive, the session file with its free pages, scripts, tables and PDFs."""
    original = client.read_bytes().decode("utf-8", "replace").casefold()
    names = [*CLIENT_NAMES, HIDDEN]
    assert not [name for name in names if name.casefold() not in original and name not in ("contodist07",)]
    with zipfile.ZipFile(redacted) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    # one of them has two decisions, so two pairs of scripts, and two that read beside each
    assert len(parts) == 2 + 3 * 6 + 2 + 4
    wanted = [name.casefold() for name in names]
    left = [found for part, content in parts.items() for found in left_in(part, content, names)]
    assert left == []
    assert not [name for name in wanted if name in redacted.read_bytes().decode("latin-1").casefold()]


def test_one_name_has_one_word_throughout(redacted: Path, tmp_path: Path) -> None:
    """A server is called the same in the session file, its events and notes, the scripts and the tables."""
    assert call("bundle", "import", redacted, "--out", tmp_path / "in").code == 0
    with open_for_reading(tmp_path / "in" / "engagement.replitune") as reader:
        session = reader.read_session("S20261122-080000-bbbbbb")
        groups = kept_groups(session.environments[0])
        assert groups is not None
        primary, secondary = (replica.server for replica in groups.groups[0].replicas)
        assert primary == groups.connected_to == session.statements[0].server
        assert session.runs[0].reason.startswith(primary)
        assert session.runs[0].trials[0].samples[0].stream == f"{primary}: processors"
        assert session.runs[0].plan.load["database"] == groups.groups[0].databases[0].database
        assert session.runs[0].plan.load["secondary"] == secondary
        assert json.loads(str(session.changes[0].change.detail("servers"))) == [primary, secondary]
        assert session.changes[0].target == session.runs[0].target == session.environments[0].target
        assert reader.read_events("S20261122-080000-bbbbbb")[0].text == f"trace flag 9592 at {primary}"
        assert reader.read_remarks("S20261122-080000-bbbbbb")[0].text == f"Call Mr Name 1 about {secondary}"
        assert [tag.name for tag in reader.read_tags("S20261122-080000-bbbbbb")] == [primary]
        first = reader.read_session("S20261121-080000-a1b2c3")
    read = kept_replication(first.environments[0])
    assert read is not None
    topology = read.topology
    assert topology.servers[0].name not in (primary, secondary)
    written = list((tmp_path / "in" / "sessions" / "01-S20261121-080000-a1b2c3").glob("apply-*.sql"))
    assert len(written) == 2
    assert not [path.name for path in written if "contodist07" in path.name]
    scripts = [path.read_text("utf-8-sig") for path in written]
    assert all(any(agent.name in script for script in scripts) for agent in topology.agents[:2])


def test_targets_are_no_addresses_any_more(redacted: Path) -> None:
    """Neither address survives, nor what stands in its options."""
    with zipfile.ZipFile(redacted) as archive:
        everything = b"".join(archive.read(name) for name in archive.namelist() if not name.endswith(".pdf"))
    for target in (SECOND_TARGET, ORACLE_TARGET):
        assert target.encode() not in everything


def test_a_bundle_holds_what_the_engagement_held(client: Path, tmp_path: Path) -> None:
    """Out and in again, with names: every session with its events, notes and tags, and its fingerprint."""
    bundle = tmp_path / "b.zip"
    before = files_below(client.parent)
    assert call("bundle", "export", client, "--out", bundle).code == 0
    ended = call("bundle", "import", bundle, "--out", tmp_path / "elsewhere")
    assert ended.code == 0
    assert "3 sessions" in ended.out
    assert files_below(client.parent) == before
    with open_for_reading(client) as old, open_for_reading(tmp_path / "elsewhere" / "engagement.replitune") as new:
        for overview in old.list_sessions():
            session_id = overview.header.session_id
            assert new.read_session(session_id) == old.read_session(session_id)
            assert new.session_hash(session_id) == old.session_hash(session_id)
            assert new.read_events(session_id) == old.read_events(session_id)
            assert new.read_remarks(session_id) == old.read_remarks(session_id)
            assert new.read_tags(session_id) == old.read_tags(session_id)
    with zipfile.ZipFile(bundle) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        assert {part["name"] for part in manifest["parts"]} == set(archive.namelist()) - {"manifest.json"}
        for part in manifest["parts"]:
            content = archive.read(part["name"])
            assert (len(content), hashlib.sha256(content).hexdigest()) == (part["size_bytes"], part["sha256"])


def test_a_run_on_the_lab_travels_to_another_laptop(tmp_path: Path) -> None:
    """What was measured here is reported, searched and gone on with there."""
    plan = write(tmp_path / "plan.toml", SMALL_PLAN)
    assert call("run", plan, "--target", "lab", "--out", tmp_path / "out", "--journal", tmp_path / "j").code == 0
    session = tmp_path / "out" / "session.replitune"
    assert call("bundle", "export", session, "--out", tmp_path / "b.zip", "--redact").code == 0
    assert call("bundle", "import", tmp_path / "b.zip", "--out", tmp_path / "in").code == 0
    moved = tmp_path / "in" / "engagement.replitune"
    assert call("report", moved, "--out", tmp_path / "again.md").code == 0
    hits = call("engagement", "search", moved, "SubscriptionStreams", "--json").json()["hits"]
    assert {"setting", "finding"} <= {hit["kind"] for hit in hits}
    content = moved.read_bytes()
    assert not [name for name in (b"PUB1", b"DIST1", b"Sales1Orders") if name in content]


# What follows is made to harm.


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the parts of a good small bundle, by name."""
    folder = tmp_path_factory.mktemp("small")
    csv = "family,run,metric,value,unit,ReadBatchSize\nlog_reader,1,run_time,10,s,500\nlog_reader,2,run_time,9,s,5000\n"
    assert call("advise", write(folder / "m.csv", csv), "--noise-cv", "0.03", "--out", folder / "out").code == 0
    assert call("bundle", "export", folder / "out" / "session.replitune", "--out", folder / "b.zip").code == 0
    with zipfile.ZipFile(folder / "b.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def listed(parts: dict[str, bytes], **changes: object) -> bytes:
    """Return a list of parts that fits, with some of its entries changed."""
    entries = [
        {"name": name, "size_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in parts.items()
        if name != "manifest.json"
    ]
    document = {
        "format": "replitune-bundle",
        "version": 1,
        "app_version": "1",
        "created_utc": "2026",
        "redacted": False,
    }
    return json.dumps({**document, "parts": entries, **changes}).encode()


def packed(path: Path, parts: dict[str, bytes], *more: tuple[zipfile.ZipInfo, bytes]) -> Path:
    """Write an archive of some parts."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
        for info, content in more:
            archive.writestr(info, content)
    return path


def with_part(name: str, content: bytes = b"x") -> Callable[[Path, dict[str, bytes]], Path]:
    """Return what packs a good bundle with one more part, in the list of parts as well."""

    def make(path: Path, parts: dict[str, bytes]) -> Path:
        more = {**parts, name: content}
        return packed(path, {**more, "manifest.json": listed(more)})

    return make


def changed(name: str, content: bytes) -> Callable[[Path, dict[str, bytes]], Path]:
    """Return what packs a bundle one part of which is not what the list says."""
    return lambda path, parts: packed(path, {**parts, name: content})


def with_entry(mode: int, name: str = "link.csv") -> Callable[[Path, dict[str, bytes]], Path]:
    """Return what packs a bundle with an entry of a kind of its own."""

    def make(path: Path, parts: dict[str, bytes]) -> Path:
        info = zipfile.ZipInfo(name)
        info.external_attr = mode << 16
        return packed(path, {**parts, "manifest.json": listed({**parts, name: b"/etc/passwd"})}, (info, b"/etc/passwd"))

    return make


def twice(path: Path, parts: dict[str, bytes]) -> Path:
    """Pack a bundle that holds two files of one name, but for the case of a letter."""
    return packed(path, parts, (zipfile.ZipInfo("ENGAGEMENT.replitune"), b"SQLite format 3\0"))


def bomb(path: Path, parts: dict[str, bytes]) -> Path:
    """Pack a bundle with a hundred megabytes of nothing."""
    return with_part("zeros.csv", b"0" * 100_000_000)(path, parts)


def liar(path: Path, parts: dict[str, bytes]) -> Path:
    """Pack a bundle that says in archive and list that a part is small, and unpacks to more."""
    content = b"0" * 3_000_000
    short = {**parts, "zeros.csv": content[:1000]}
    packed(path, {**parts, "manifest.json": listed(short), "zeros.csv": content})
    raw = path.read_bytes()
    return write(path, raw.replace((3_000_000).to_bytes(4, "little"), (1000).to_bytes(4, "little")))


def many(path: Path, parts: dict[str, bytes]) -> Path:
    """Pack a bundle of thousands of files."""
    return packed(path, {**parts, **{f"f{n}.csv": b"" for n in range(5_001)}})


def edited_list(**changes: object) -> Callable[[Path, dict[str, bytes]], Path]:
    """Return what packs a bundle whose list of parts says something else."""
    return lambda path, parts: packed(path, {**parts, "manifest.json": listed(parts, **changes)})


def overlapping(path: Path, parts: dict[str, bytes]) -> Path:
    """Pack a bundle in whose directory many files are one and the same."""
    packed(path, parts)
    raw = path.read_bytes()
    start = raw.index(b"PK\x01\x02")
    end = raw.index(b"PK\x05\x06")
    directory = raw[start:end]
    entry_end = directory.index(b"PK\x01\x02", 4) if directory.count(b"PK\x01\x02") > 1 else len(directory)
    first = directory[:entry_end]
    copies = b"".join(first.replace(b"manifest.json", f"manifes{n:02}json".encode()[:13]) for n in range(40))
    tail = bytearray(raw[end:])
    count = directory.count(b"PK\x01\x02") + 40
    tail[8:10] = tail[10:12] = count.to_bytes(2, "little")
    tail[12:16] = (len(directory) + len(copies)).to_bytes(4, "little")
    return write(path, raw[:start] + directory + copies + bytes(tail))


ATTACKS: dict[str, tuple[Callable[[Path, dict[str, bytes]], Path], str]] = {
    "up and out": (with_part("../outside.csv"), "has a name that leads elsewhere"),
    "deep up and out": (with_part("sessions/../../outside.csv"), "has a name that leads elsewhere"),
    "absolute": (with_part("/tmp/outside.csv"), "has a name that leads elsewhere"),
    "drive": (with_part("C:/outside.csv"), "has a name that leads elsewhere"),
    "backslash": (with_part("..\\outside.csv"), "has a name that leads elsewhere"),
    "device": (with_part("sessions/NUL.csv"), "has a name that leads elsewhere"),
    "hidden": (with_part(".bashrc"), "has a name that leads elsewhere"),
    "folder": (with_part("sessions/empty/", b""), "has a name that leads elsewhere"),
    "file and folder": (with_part("engagement.replitune/x.csv"), "is said to be a file and a folder"),
    "symlink": (with_entry(stat.S_IFLNK | 0o777), "is a link or a device"),
    "device file": (with_entry(stat.S_IFCHR | 0o666), "is a link or a device"),
    "twice": (twice, "is in it twice"),
    "bomb": (bomb, "times its size"),
    "liar": (liar, "damaged|larger than it says"),
    "many": (many, "holds more than 5,000 files"),
    "overlapping": (overlapping, "overlap|damaged|no bundle|not in the list"),
    "program": (with_part("setup.exe", b"MZ"), "is of a kind no bundle has"),
    "not what it says": (with_part("report.pdf", b"MZ" * 50), "is not what its name says"),
    "binary table": (with_part("table.csv", b"a\0b"), "is not what its name says"),
    "other hash": (changed("engagement.replitune", b"SQLite format 3\0" + b"x" * 500), "another size than it says"),
    "not listed": (lambda path, parts: packed(path, {**parts, "more.csv": b"x"}), "is not in the list of parts"),
    "missing": (
        lambda path, parts: packed(path, {n: c for n, c in parts.items() if not n.endswith("report.pdf")}),
        "is in the list of parts but not in the archive",
    ),
    "no list": (lambda path, parts: packed(path, {"engagement.replitune": parts["engagement.replitune"]}), "no bundle"),
    "list of nonsense": (lambda path, parts: packed(path, {**parts, "manifest.json": b"["}), "list of parts"),
    "list in a list": (lambda path, parts: packed(path, {**parts, "manifest.json": b"[" * 100_000}), "list of parts"),
    "newer": (edited_list(version=2), "written by a newer version of Replitune"),
    "unknown key": (edited_list(run_this="x"), "list of parts"),
    "no archive": (lambda path, _parts: write(path, "no archive"), "no bundle of Replitune"),
    "cut off": (
        lambda path, parts: write(path, packed(path, parts).read_bytes()[:-40]),
        "no bundle of Replitune",
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_bundle_that_must_not_be_trusted_leaves_nothing(small: dict[str, bytes], attack: str, tmp_path: Path) -> None:
    """One sentence with the reason; nothing outside the folder, nothing inside it, nothing half-way."""
    make, sentence = ATTACKS[attack]
    place = tmp_path / "place"
    place.mkdir()
    bundle = make(tmp_path / "b.zip", small)
    before = files_below(tmp_path)
    ended = call("bundle", "import", bundle, "--out", place / "new")
    assert_one_sentence(ended)
    assert any(part in ended.err for part in sentence.split("|")), ended.err
    assert str(bundle) in ended.err
    assert files_below(tmp_path) == before
    assert list(place.iterdir()) == []


def test_the_same_size_with_another_content_is_refused(small: dict[str, bytes], tmp_path: Path) -> None:
    """A script of the same length that does something else has another SHA-256."""
    name = next(name for name in small if "/apply" in name)
    bundle = packed(tmp_path / "b.zip", {**small, name: b"-" * len(small[name])})
    ended = call("bundle", "import", bundle, "--out", tmp_path / "new")
    assert_one_sentence(ended)
    assert "its SHA-256 differs" in ended.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.zip"]


def test_a_session_file_that_cannot_be_read_is_refused(small: dict[str, bytes], tmp_path: Path) -> None:
    """A damaged session file is told before anything is moved in place."""
    broken = bytearray(small["engagement.replitune"])
    broken[4096:12288] = b"\xa5" * 8192
    parts = {**small, "engagement.replitune": bytes(broken)}
    bundle = packed(tmp_path / "b.zip", {**parts, "manifest.json": listed(parts)})
    ended = call("bundle", "import", bundle, "--out", tmp_path / "new")
    assert_one_sentence(ended)
    assert "damaged" in ended.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.zip"]


def test_folders_and_files_that_are_there_stay(small: dict[str, bytes], tmp_path: Path) -> None:
    """A folder with something in it is not touched; the session file is never overwritten by its own bundle."""
    bundle = packed(tmp_path / "b.zip", small)
    full = tmp_path / "full"
    full.mkdir()
    write(full / "mine.txt", "mine")
    ended = call("bundle", "import", bundle, "--out", full)
    assert_one_sentence(ended)
    assert "is not an empty folder" in ended.err
    assert os.listdir(full) == ["mine.txt"]
    assert call("bundle", "import", bundle, "--out", tmp_path / "new").code == 0
    session = tmp_path / "new" / "engagement.replitune"
    ended = call("bundle", "export", session, "--out", session)
    assert_one_sentence(ended)
    assert "would be overwritten" in ended.err
    ended = call("bundle", "export", session, "--out", tmp_path / "none" / "b.zip")
    assert_one_sentence(ended)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a session of the lab nobody has written anything in."""
    folder = tmp_path_factory.mktemp("measured")
    plan = write(folder / "plan.toml", SMALL_PLAN)
    assert call("run", plan, "--target", "lab", "--out", folder, "--journal", folder / "j").code == 0
    return folder / "session.replitune"


PLACES_OF_WORDS = {
    "title": ("write", "--title", "{text}"),
    "foreword": ("write", "--foreword", "{text}"),
    "version": ("write", "--version", "{text}"),
    "confidentiality": ("write", "--confidentiality", "{text}"),
    "words for a decision": ("write", "--decision", "1", "{text}"),
    "note on the session": ("note", "{text}"),
    "note on a run": ("note", "{text}", "--run", "E1"),
    "tag": ("tag", "{text}"),
}
DOORS = {
    "report": ("report", "{session}", "--out", "{folder}/out.html", "--notes", "--redact"),
    "bundle": ("bundle", "export", "{session}", "--out", "{folder}/out.zip", "--redact"),
}
OWN = "mr huber of acme gmbh waits"


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("place", PLACES_OF_WORDS)
def test_what_somebody_wrote_is_decided_as_a_whole(measured: Path, tmp_path: Path, place: str, door: str) -> None:
    """Whatever letters a name is written in and wherever, nothing leaves before a person has seen the whole text."""
    session = tmp_path / "session.replitune"
    session.write_bytes(measured.read_bytes())
    action, *words = PLACES_OF_WORDS[place]
    wrote = call("engagement", action, session, *(word.format(text=OWN) for word in words))
    assert wrote.code == 0, wrote
    order = [part.format(session=session, folder=tmp_path) for part in DOORS[door]]
    if (place, door) == ("tag", "report"):
        assert call(*order).code == 0  # prints no tags
        return
    refused = call(*order)
    assert_one_sentence(refused)
    assert f'"{OWN}"' in refused.err
    assert not list(tmp_path.glob("out.*"))
    half = call(*order, "--hide", "huber", "--hide", "acme gmbh")
    assert_one_sentence(half)
    assert '"mr Name 1 of Name 2 waits"' in half.err
    if door == "bundle" and place not in ("foreword", "tag", "note on a run"):
        return  # three bundles written show what all would
    ended = call(*order, "--hide", "huber", "--hide", "acme gmbh", "--keep", "mr Name 1 of…")
    assert ended.code == 0, ended
    (out,) = tmp_path.glob("out.*")
    parts = {"page": out.read_bytes()}
    if out.suffix == ".zip":
        with zipfile.ZipFile(out) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
    assert [found for name, content in parts.items() for found in left_in(name, content, ["huber", "acme"])] == []


@pytest.mark.parametrize("decided", [("--keep", OWN.upper()), ("--keep-rest",), ("--hide", OWN)])
def test_a_text_is_kept_or_replaced_as_a_whole(measured: Path, tmp_path: Path, decided: tuple[str, ...]) -> None:
    """As it is written, in any letters; with all others; or replaced wherever it stands."""
    session = tmp_path / "session.replitune"
    session.write_bytes(measured.read_bytes())
    assert call("engagement", "write", session, "--foreword", OWN).code == 0
    out = tmp_path / "out.html"
    assert call("report", session, "--out", out, "--redact", *decided).code == 0
    assert (OWN in out.read_text(encoding="utf-8")) == ("--hide" not in decided)


def test_a_file_nobody_wrote_in_asks_nothing(measured: Path, tmp_path: Path) -> None:
    """The program's own title holds no word of a person's."""
    for door in DOORS.values():
        ended = call(*(part.format(session=measured, folder=tmp_path) for part in door))
        assert ended.code == 0, ended


def test_a_scenario_somebody_made_tells_no_folder_and_no_user(tmp_path: Path) -> None:
    """Of a lab's file neither its path nor its name, its folders and whose they are stand in what is redacted."""
    scenario = tmp_path / "home" / "huber" / "acme gmbh" / "site-koeln.toml"
    scenario.parent.mkdir(parents=True)
    scenario.write_bytes(resource_path("lab", "lan.toml").read_bytes())
    plan = write(tmp_path / "plan.toml", SMALL_PLAN)
    out = tmp_path / "out"
    assert call("run", plan, "--target", f"lab:{scenario}", "--out", out, "--journal", tmp_path / "j").code == 0
    for door in DOORS.values():
        ended = call(*(part.format(session=out / "session.replitune", folder=tmp_path) for part in door))
        assert ended.code == 0, ended
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["out.html"] = (tmp_path / "out.html").read_bytes()
    names = [str(tmp_path), str(scenario.parent), "huber", "acme", "koeln"]
    assert [found for name, content in parts.items() for found in left_in(name, content, names)] == []
