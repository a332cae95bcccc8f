"""Bundles, rule packs and templates spoiled at random: taken or refused in one sentence, nothing written elsewhere."""

import shutil
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.advice import check_cases, load_packs
from app.bootstrap import build_program
from app.domain.plot import Figure
from app.foundation.paths import resource_path, rules_root
from app.reporting.render.html import render_html
from app.reporting.render.pdf import render_report
from app.services.hand_over.bundles import import_bundle
from app.services.hand_over.bundles.manifest import MANIFEST, SESSION_FILE, Manifest, manifest_bytes, part_of
from tests.files import files_below
from tests.fuzzing import SPOILS, Spoil, check_many, refusal, repacked, spoiled
from tests.kinds import KINDS
from tests.prove.shares import PARTS
from tests.report.sample import empty_request
from tests.store.sample import FIXTURES


class NoFigures:
    """Draws no plots: the reports made here have none."""

    def render_svg(self, plots: Sequence[Figure]) -> tuple[bytes, ...]:
        """Return nothing for nothing."""
        return tuple(b"" for _plot in plots)


def bundle_parts(folder: Path) -> dict[str, bytes]:
    """Return the parts of a good small bundle."""
    parts = {
        SESSION_FILE: (FIXTURES / "v2.replitune").read_bytes(),
        "sessions/01/apply.sql": b"-- nothing\n",
        "sessions/01/measurements.csv": b"family,run\n" * 50,
    }
    for name, content in parts.items():
        path = folder / "made" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    listed = tuple(part_of(name, folder / "made" / name) for name in parts)
    return {MANIFEST: manifest_bytes(Manifest("0", "2026", False, listed)), **parts}


def check_bundle(bundle: Path, folder: Path) -> None:
    """Check that a bundle is unpacked whole or refused, and that nothing is written anywhere else."""
    before = files_below(folder)
    refused = refusal(lambda: import_bundle(bundle, folder / "new"))
    after = files_below(folder)
    assert {name: digest for name, digest in after.items() if not name.startswith("new/")} == before
    assert refused == "" if (folder / "new").exists() else refused


def check_spoiled_archive(spoils: list[Spoil]) -> None:
    """Check a bundle some bytes of which were changed."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        good = repacked(folder / "b.zip", bundle_parts(folder))
        good.write_bytes(spoiled(good.read_bytes(), spoils))
        check_bundle(good, folder)


def check_odd_entries(names: list[str], attributes: int, manifest: list[Spoil]) -> None:
    """Check a bundle with entries of any name and kind, and a list of parts with changed bytes."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        parts = bundle_parts(folder)
        parts[MANIFEST] = spoiled(parts[MANIFEST], manifest)
        path = repacked(folder / "b.zip", parts)
        with zipfile.ZipFile(path, "a") as archive:
            for name in names:
                info = zipfile.ZipInfo("x")
                info.filename = name
                info.external_attr = attributes
                archive.writestr(info, b"x")
        check_bundle(path, folder)


def check_template(name: str, spoils: list[Spoil], *, as_html: bool) -> None:
    """Check a report with a template some bytes of which were changed: made, or refused in one sentence."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        shipped = resource_path("report", name).read_bytes()
        (folder / ("brand.css" if as_html else name)).write_bytes(spoiled(shipped, spoils))
        request = replace(empty_request(), template=folder)
        before = files_below(folder)
        refusal(lambda: (render_html if as_html else render_report)(request, NoFigures()))
        assert files_below(folder) == before


def check_rule_packs(pack: int, spoils: list[Spoil]) -> None:
    """Check a shipped file of rules some bytes of which were changed: taken and tried, or refused with its name."""
    shipped = sorted(rules_root().glob("*/*.yaml"))
    path = shipped[pack % len(shipped)]
    with TemporaryDirectory() as made:
        copy = Path(made) / path.parent.name / path.name
        copy.parent.mkdir()
        copy.write_bytes(spoiled(path.read_bytes(), spoils))
        user = rules_root() / "log_reader" / "results.yaml"
        if path.parent.name == "common":
            (Path(made) / user.parent.name).mkdir()
            shutil.copy(user, Path(made) / user.parent.name)
        before = files_below(Path(made))
        families = tuple(build_program().parts.family_ids)
        refused = refusal(lambda: check_cases(load_packs((Path(made),), families, KINDS, shared=(rules_root(),))))
        assert not refused or path.name in refused or user.name in refused
        assert files_below(Path(made)) == before


NAMES = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30),
        st.sampled_from(
            ("../x.csv", "/x.csv", "a/../../x.csv", "C:x.csv", "..\\x.csv", "CON.csv", "x.csv/", "x.csv.", "~")
        ),
    ),
    min_size=1,
    max_size=3,
    unique=True,
)
SLOW_IS_FINE = [HealthCheck.too_slow]
FAST = settings(max_examples=30, deadline=None, suppress_health_check=SLOW_IS_FINE)
FEW = settings(max_examples=8, deadline=None, suppress_health_check=SLOW_IS_FINE)
TEMPLATES = st.sampled_from(("brand.typ", "blocks.typ", "main.typ"))
pytestmark = pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")  # written so on purpose


@FAST
@given(SPOILS)
def test_spoiled_archives(spoils: list[Spoil]) -> None:
    """Whatever bytes of a bundle are changed."""
    check_spoiled_archive(spoils)


@FAST
@given(NAMES, st.integers(0, 2**32 - 1), st.one_of(st.just([]), SPOILS))
def test_odd_entries(names: list[str], attributes: int, manifest: list[Spoil]) -> None:
    """Whatever entries are added, and whatever its list of parts says."""
    check_odd_entries(names, attributes, manifest)


@FEW
@given(TEMPLATES, SPOILS)
def test_spoiled_templates(name: str, spoils: list[Spoil]) -> None:
    """Whatever bytes of a template's file are changed."""
    check_template(name, spoils, as_html=False)


@FAST
@given(SPOILS)
def test_spoiled_style_sheets(spoils: list[Spoil]) -> None:
    """Whatever bytes of a style sheet are changed."""
    check_template("report.css", spoils, as_html=True)


@FAST
@given(st.integers(0, 100), SPOILS)
def test_spoiled_rule_packs(pack: int, spoils: list[Spoil]) -> None:
    """Whatever bytes of a rule pack are changed."""
    check_rule_packs(pack, spoils)


@pytest.mark.prove
@pytest.mark.dealt
@pytest.mark.parametrize("turn", range(PARTS))
def test_spoiled_rule_packs_at_length(turn: int) -> None:
    """Whatever bytes of a rule pack are changed, many times."""
    check_many(check_rule_packs, turn, st.integers(0, 100), SPOILS)


@pytest.mark.prove
@pytest.mark.dealt
@pytest.mark.parametrize("turn", range(PARTS))
def test_spoiled_archives_at_length(turn: int) -> None:
    """Whatever bytes of a bundle are changed, many times."""
    check_many(check_spoiled_archive, turn, SPOILS)


@pytest.mark.prove
@pytest.mark.dealt
@pytest.mark.parametrize("turn", range(PARTS))
def test_odd_entries_at_length(turn: int) -> None:
    """Whatever entries are added, many times."""
    check_many(check_odd_entries, turn, NAMES, st.integers(0, 2**32 - 1), st.one_of(st.just([]), SPOILS))


@pytest.mark.prove
@pytest.mark.dealt
@pytest.mark.parametrize("turn", range(PARTS))
def test_spoiled_templates_at_length(turn: int) -> None:
    """Whatever bytes of a template's file are changed, many times."""
    check_many(lambda name, spoils: check_template(name, spoils, as_html=False), turn, TEMPLATES, SPOILS, examples=200)
