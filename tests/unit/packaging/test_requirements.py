"""The pinned lists are complete: what is installed without asking an index for more must be everything."""

import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_FOLDER = Path(__file__).resolve().parents[3] / "packaging"
_BASE = "requirements.txt"
_LISTS = sorted(path.name for path in _FOLDER.glob("requirements*.txt"))
_LEFT_OUT = {
    ("mssql-python", "mssql-python-rs"): "bulk copy, which nothing here uses",
}
_NOT_IMPORTED = {
    "mssql-cli": "only the T-SQL parser among its files is loaded",
    "dotnetcore2": "only the .NET runtime among its files is started",
}


def _with_hashes(name: str) -> dict[Requirement, list[str]]:
    """Return each requirement of a list with the hashes that stand behind it."""
    text = (_FOLDER / name).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    parts = [re.split(r"\s+--hash=", line.strip()) for line in lines]
    return {Requirement(pin): hashes for pin, *hashes in parts}


def _pinned(name: str) -> dict[str, Requirement]:
    return {canonicalize_name(requirement.name): requirement for requirement in _with_hashes(name)}


@pytest.mark.parametrize("name", [_BASE, "requirements-test.txt"])
def test_everything_a_pinned_package_needs_is_pinned(name: str) -> None:
    """`pip install --no-deps` of the lists leaves no package without what it imports."""
    known = _pinned(_BASE) | _pinned(name)
    missing = []
    for package, pin in _pinned(name).items():
        if package in _NOT_IMPORTED:
            continue
        try:
            needs = distribution(pin.name).requires or ()
        except PackageNotFoundError:
            assert pin.marker is not None, f"{pin} is not installed"
            continue
        for need in map(Requirement, needs):
            wanted = need.marker is None or need.marker.evaluate({"extra": ""})
            if wanted and canonicalize_name(need.name) not in known and (package, need.name) not in _LEFT_OUT:
                missing.append(f"{package} needs {need}")
    assert missing == []


@pytest.mark.parametrize("name", [_BASE, "requirements-test.txt"])
def test_the_pinned_versions_are_the_installed_ones(name: str) -> None:
    """The tests speak for the versions the lists name."""
    for pin in _pinned(name).values():
        if pin.marker is None or pin.marker.evaluate():
            assert pin.specifier.contains(distribution(pin.name).version, prereleases=True), str(pin)


@pytest.mark.parametrize("name", _LISTS)
def test_each_pin_is_exact_and_has_its_hashes(name: str) -> None:
    """Nothing is installed that is not the very file the list was made with; where it comes from is no matter of it."""
    for pin, hashes in _with_hashes(name).items():
        assert re.fullmatch(r"==[^*]+", str(pin.specifier)), pin
        assert hashes, f"{pin} has no hash"
        assert len(set(hashes)) == len(hashes), pin
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest) for digest in hashes), pin
    assert "://" not in (_FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "place", ["Makefile", ".github/workflows/bundle.yml", "packaging/cx_oracle.sh"], ids=lambda place: Path(place).name
)
def test_nothing_is_installed_without_its_hash(place: str) -> None:
    """Every call of pip in what builds the program asks for hashes, and for no package by its name."""
    text = (_FOLDER.parent / place).read_text(encoding="utf-8")
    calls = [line for line in text.splitlines() if re.search(r"pip install", line)]
    assert calls
    assert all("--require-hashes" in call for call in calls), calls
