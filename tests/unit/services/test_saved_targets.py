"""Targets kept under a name: one file, one name each, no password."""

from pathlib import Path

import pytest

from app.domain.errors import BadInput, StoreError
from app.services.target.saved_targets import SavedTarget, SavedTargets


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the file will be, in a folder that does not exist yet."""
    return tmp_path / "data" / "targets.json"


def test_targets_are_kept_listed_and_removed(path: Path) -> None:
    """What one program keeps another one finds, by name in any case, in the address' one spelling."""
    SavedTargets(path).add("  Site B ", "sqlserver://anna@DB2:1433?trust=yes&encrypt=yes")
    SavedTargets(path).add("a lab", "lab:wan")
    saved = SavedTargets(path)
    assert saved.list() == (
        SavedTarget("a lab", "lab:wan"),
        SavedTarget("Site B", "sqlserver://anna@db2:1433?encrypt=yes&trust=yes"),
    )
    assert saved.resolve("site b") == "sqlserver://anna@db2:1433?encrypt=yes&trust=yes"
    assert saved.remove("SITE B").name == "Site B"
    assert [entry.name for entry in saved.list()] == ["a lab"]


def test_a_target_stands_for_itself(path: Path) -> None:
    """What is a target already is not looked up."""
    saved = SavedTargets(path)
    for target in ("lab", "lab:wan", "sqlserver://anna@db1"):
        assert saved.resolve(target) == target
    with pytest.raises(BadInput, match="the name of a saved target"):
        saved.resolve("nobody knows")
    with pytest.raises(BadInput, match="names no host"):
        saved.resolve("sqlserver://")


@pytest.mark.parametrize(
    ("name", "target", "says"),
    [
        ("taken", "lab", "saved already"),
        ("TAKEN", "lab", "saved already"),
        ("lab", "lab", "read as a target"),
        ("lab:x", "lab", "read as a target"),
        ("lab@home", "lab", "read as a target"),
        ("x://y:secret@z", "lab", "read as a target"),
        ("  ", "lab", "1 to 60 printable"),
        ("a\nb", "lab", "1 to 60 printable"),
        ("x" * 61, "lab", "1 to 60 printable"),
        ("site", "nonsense", "unknown target"),
        ("site", "sqlserver://anna:secret@db1", "holds no password"),
    ],
)
def test_what_cannot_be_kept_leaves_the_file_as_it_was(path: Path, name: str, target: str, says: str) -> None:
    """Names are unique and no targets themselves, targets are well written and hold no password."""
    saved = SavedTargets(path)
    saved.add("taken", "lab")
    before = path.read_bytes()
    with pytest.raises(BadInput, match=says) as caught:
        saved.add(name, target)
    assert "secret" not in str(caught.value)
    assert path.read_bytes() == before


def test_removing_what_is_not_there_lists_what_is(path: Path) -> None:
    """A misspelt name is told with the right ones."""
    saved = SavedTargets(path)
    with pytest.raises(BadInput, match="saved are: none"):
        saved.remove("x")
    saved.add("here", "lab")
    with pytest.raises(BadInput, match="saved are: here"):
        saved.remove("x")


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"targets": [{"name": 1}]}', b'{"targets": 3}', b"\xff\xfe\x00"])
def test_a_damaged_file_is_told_and_not_overwritten(path: Path, content: bytes) -> None:
    """A list that cannot be read is the person's to mend; nothing is added to it."""
    path.parent.mkdir()
    path.write_bytes(content)
    for action in (SavedTargets(path).list, lambda: SavedTargets(path).add("x", "lab")):
        with pytest.raises(StoreError, match=r"targets\.json, cannot be used"):
            action()
    assert path.read_bytes() == content
