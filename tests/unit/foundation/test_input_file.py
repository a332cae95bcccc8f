"""Files somebody gave: regular ones only, no more than fits, nested no deeper than any of ours."""

import json
import os
import sys
import tomllib
from pathlib import Path

import pytest

from app.foundation.input_file import UnfitFile, check_input, json_of, read_bytes, read_text, toml_of

DEEP = 50_000


def test_a_regular_file_is_read_to_its_last_byte(tmp_path: Path) -> None:
    """One that holds exactly as much as it may, and text without its byte order mark."""
    path = tmp_path / "file"
    path.write_bytes(bytes(range(256)) * 8)
    assert read_bytes(path, 2_048) == bytes(range(256)) * 8
    path.write_bytes("\ufeffVerzögerung".encode())
    assert read_text(path) == "Verzögerung"
    check_input(path, 20)


def test_a_file_with_more_than_fits_is_refused(tmp_path: Path) -> None:
    """Whether its entry says so, or only reading shows it."""
    path = tmp_path / "file"
    path.write_bytes(bytes(2_000_001))
    for look in (read_bytes, check_input):
        with pytest.raises(UnfitFile) as refused:
            look(path, 2_000_000)
        assert refused.value.strerror == "it holds more than 2 MB"
        assert refused.value.filename == str(path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither devices nor pipes among its files")
@pytest.mark.parametrize("kind", ["device", "pipe", "link to a device"])
def test_what_is_no_file_is_refused_unread(tmp_path: Path, kind: str) -> None:
    """A device never ends, and a pipe nobody writes to never begins."""
    path = tmp_path / "file"
    match kind:
        case "device":
            path = Path("/dev/zero")
        case "pipe":
            os.mkfifo(path)
        case _:
            path.symlink_to("/dev/zero")
    for look in (read_bytes, check_input):
        with pytest.raises(UnfitFile, match="a device or a pipe"):
            look(path, 10)


def test_a_file_that_grows_while_it_is_read_is_refused() -> None:
    """`/proc` says that its files are empty."""
    path = Path("/proc/self/maps")
    if not path.exists():
        pytest.skip("there is no /proc")
    assert len(read_bytes(path)) > 100
    with pytest.raises(UnfitFile, match="more than"):
        read_bytes(path, 100)


def test_a_folder_is_told_as_the_system_tells_it(tmp_path: Path) -> None:
    """Readers have a sentence of their own for it."""
    with pytest.raises(IsADirectoryError):
        check_input(tmp_path, 10)
    with pytest.raises((IsADirectoryError, PermissionError)):
        read_bytes(tmp_path)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a = " + "[" * DEEP + "]" * DEEP, "nested too deeply"),
        ("a = " + "{a = " * DEEP + "1" + "}" * DEEP, "nested too deeply"),
        ("a" + ".a" * DEEP + " = 1", "nested too deeply"),
        ("[a" + ".a" * DEEP + "]", "nested too deeply"),
        ("a = " + "[" * 60 + "]" * 60, "nested too deeply"),
        ("a = " + "9" * 5_000, "too many digits"),
        ("a = 0x" + "f" * 5_000, "too many digits"),
        ("a = 1" + "0" * 302, "too many digits"),
    ],
    ids=["lists", "tables", "keys", "headings", "sixty", "digits", "hexadecimal", "more than a float holds"],
)
def test_toml_that_is_too_much(text: str, why: str) -> None:
    """It is refused as TOML that cannot be read."""
    with pytest.raises(tomllib.TOMLDecodeError, match=why):
        toml_of(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[" * DEEP + "]" * DEEP, "nested too deeply"),
        ('{"a":' * DEEP + "1" + "}" * DEEP, "nested too deeply"),
        ("9" * 5_000, "too many digits"),
        ("[1", "Expecting"),
    ],
    ids=["lists", "objects", "digits", "no JSON"],
)
def test_json_that_is_too_much(text: str, why: str) -> None:
    """It is refused as JSON that cannot be read."""
    with pytest.raises(json.JSONDecodeError, match=why):
        json_of(text)


def test_usual_documents_are_read() -> None:
    """Whatever the program writes and people give."""
    assert toml_of("a = [1, 2]\n[b.c]\nd = -9223372036854775808\n") == {"a": [1, 2], "b": {"c": {"d": -(2**63)}}}
    assert json_of(b'{"a": [1.5, null]}') == {"a": [1.5, None]}
