"""Names of files and folders that are made of what people or servers are called."""

import pytest

from app.foundation.file_names import file_name_of, is_device_name

LONG = 60


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("db1\\SALES,1433", "db1-SALES-1433"),
        ("[2001:db8::7]:14330", "2001-db8-7-14330"),
        ("Kunde Müller & Söhne", "Kunde-Müller-Söhne"),
        ("report...", "report"),
        ("name. .", "name"),
        ("../..", "other"),
        ("", "other"),
        ("é" * 300, "é" * LONG),
        # what ends with a dot once it is cut loses the dot, too
        ("x" * (LONG - 1) + ".y", "x" * (LONG - 1)),
    ],
)
def test_what_no_file_system_takes_is_replaced(words: str, name: str) -> None:
    """Drives, shares, instances, ports, dots at the end: Windows drops those, and the name is another one."""
    assert file_name_of(words, most=LONG, otherwise="other") == name


@pytest.mark.parametrize("words", ["CON", "nul", "Aux.zip", "com1", "LPT9.2026", "COM²", "prn.tar.gz", "conin$"])
def test_a_device_of_windows_is_no_name_of_a_file(words: str) -> None:
    """Windows opens the device, in whatever folder and with whatever ending."""
    assert is_device_name(words)
    made = file_name_of(words, most=LONG, otherwise="other")
    assert not is_device_name(made)
    assert words[:3].lower() in made.lower()


@pytest.mark.parametrize("words", ["console", "com", "com10", "nullable", "my.con", "auxiliary", "lpt"])
def test_a_name_that_only_looks_like_a_device_is_kept(words: str) -> None:
    """Only the name before the first dot counts, and only as a whole."""
    assert not is_device_name(words)
    assert file_name_of(words, most=LONG, otherwise="other") == words
