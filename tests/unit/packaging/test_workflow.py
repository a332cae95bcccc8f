"""The workflow that builds what is handed out: it may do no more than it must, and shows its certificate to nobody."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[3]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MENDED_IN = {
    "setuptools": Version("78.1.1"),  # CVE-2025-47273
    "wheel": Version("0.46.2"),  # CVE-2026-24049
}
"""The first version without a known way to harm whoever builds with it."""


def workflow(path: Path) -> dict[str, Any]:
    """Return what a workflow says."""
    content: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return content


def without_steps(content: Any) -> Any:
    """Return a workflow without its steps."""
    if isinstance(content, dict):
        return {key: without_steps(value) for key, value in content.items() if key != "steps"}
    return [without_steps(item) for item in content] if isinstance(content, list) else content


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_read_and_no_more(path: Path) -> None:
    """Its token cannot write, in no job, and no step keeps it."""
    content = workflow(path)
    assert content["permissions"] == {"contents": "read"}
    for job in content["jobs"].values():
        assert "permissions" not in job
        checkouts = [step for step in job["steps"] if str(step.get("uses", "")).startswith("actions/checkout")]
        assert checkouts
        assert all(step["with"]["persist-credentials"] is False for step in checkouts)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_secret_is_there_in_steps_that_sign_alone(path: Path) -> None:
    """What builds, tests and packs, packages of others among it, never has the certificate in its environment."""
    content = workflow(path)
    assert "secrets." not in str(without_steps(content))
    for job in content["jobs"].values():
        for step in job["steps"]:
            if "secrets." in str(step):
                assert "sign.ps1" in step["run"], step["name"]
                assert "uses" not in step
                assert "pip" not in step["run"]


@pytest.mark.parametrize("path", sorted((ROOT / "packaging").glob("requirements*.txt")), ids=lambda path: path.name)
def test_nothing_is_built_with_tools_of_known_faults(path: Path) -> None:
    """Pins of what builds are no older than the versions in which known faults were mended."""
    pins = [line.split(" ")[0] for line in path.read_text(encoding="utf-8").splitlines() if "==" in line]
    for pin in map(Requirement, pins):
        if pin.name in MENDED_IN:
            (specifier,) = pin.specifier
            assert Version(specifier.version) >= MENDED_IN[pin.name], str(pin)
