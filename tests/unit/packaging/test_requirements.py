"""The pinned lists are complete: what is installed without asking an index for more must be everything."""

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_FOLDER = Path(__file__).resolve().parents[3] / "packaging"
_BASE = "requirements.txt"
_LEFT_OUT = {
    ("mssql-python", "mssql-python-rs"): "bulk copy, which nothing here uses",
}


def _pinned(name: str) -> dict[str, Requirement]:
    lines = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    found = [Requirement(line.partition("#")[0]) for line in lines if line.partition("#")[0].strip()]
    return {canonicalize_name(requirement.name): requirement for requirement in found}


@pytest.mark.parametrize("name", [_BASE, "requirements-test.txt"])
def test_everything_a_pinned_package_needs_is_pinned(name: str) -> None:
    """`pip install --no-deps` of the lists leaves no package without what it imports."""
    known = _pinned(_BASE) | _pinned(name)
    missing = []
    for package, pin in _pinned(name).items():
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
