"""Files whose folders a secondary does not have are moved to where it puts new ones, and no others."""

import pytest

from app.foundation.rows import Cell
from app.systems.availability_groups.seeding_server.file_places import MovedFile, moves_text, read_moved_files
from tests.unit.targets.sqlserver.scripted import ScriptedSession


def session(folder: str, *files: tuple[str, str, int | None], log_folder: str = "") -> ScriptedSession:
    """Return a session whose secondary puts new files into a folder, logs into another, and has one file in a third."""
    separator = "/" if folder.startswith("/") else "\\"
    there = {
        "data_folder": folder,
        "log_folder": log_folder or folder,
        "physical_name": f"{folder[:1]}:{separator}Old{separator}a.mdf",
    }
    rows: list[dict[str, Cell]] = [
        {"logical_name": name, "physical_name": path, "is_log": is_log} for name, path, is_log in files
    ]
    return ScriptedSession({"database_files": [rows], "known_folders": [[dict(there)]]})


@pytest.mark.parametrize(
    ("folder", "path", "target"),
    [
        ("D:\\Data\\", "E:\\Sales\\x.mdf", "D:\\Data\\x.mdf"),
        ("D:\\Data", "E:\\Sales\\x.mdf", "D:\\Data\\x.mdf"),
        ("D:\\Data\\", "d:\\data\\x.mdf", None),
        ("D:\\Data\\", "D:\\Old\\x.mdf", None),
        ("/var/opt/mssql/data/", "/srv/sales/x.mdf", "/var/opt/mssql/data/x.mdf"),
        ("/var/opt/mssql/data", "/srv/x.mdf", "/var/opt/mssql/data/x.mdf"),
    ],
)
def test_a_file_goes_where_new_ones_go(folder: str, path: str, target: str | None) -> None:
    """On Windows and on Linux; a folder that is there is kept."""
    moved = read_moved_files(session(folder, ("x", path, 0)), "Sales", "B")
    assert [file.target for file in moved] == ([] if target is None else [target])


@pytest.mark.parametrize(("is_log", "target"), [(0, "D:\\Data\\x"), (1, "L:\\Log\\x"), (None, "D:\\Data\\x")])
def test_a_log_goes_where_new_logs_go(is_log: int | None, target: str) -> None:
    """Data files go to the other folder, and so does a file whose kind the server does not tell."""
    (moved,) = read_moved_files(session("D:\\Data", ("x", "E:\\x", is_log), log_folder="L:\\Log"), "Sales", "B")
    assert moved.target == target


def test_files_are_told_name_by_name() -> None:
    """A name a job would read otherwise is left where it is."""
    told = [MovedFile("it's", "E:", "D:\\a.mdf"), MovedFile("$(x)", "E:", "D:\\b"), MovedFile("a\nb", "E:", "D:\\c")]
    assert moves_text(told) == "it's\nD:\\a.mdf\n"
