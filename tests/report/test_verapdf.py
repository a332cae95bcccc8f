"""The PDF judged by veraPDF, as PDF/A-3a and PDF/UA-1; needs Java and what `packaging/verapdf/prepare.py` fetches."""

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import typst

from app.charts.renderer import PyqtgraphRenderer
from app.foundation.paths import program_root
from app.reporting.render.pdf import render_report
from tests.patience import PATIENCE_S
from tests.report.german import write_german_report
from tests.report.sample import empty_request, full_request, imported_request

_FLAVOURS = ("3a", "ua1")
# It runs for seconds, in which compiling its code well takes longer than running it.
_JAVA = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Djava.awt.headless=true")


@pytest.fixture(scope="module")
def validator() -> Path:
    """Return veraPDF's jar, fetched where Java and Maven are."""
    for tool in ("java", "mvn"):
        if shutil.which(tool) is None:
            pytest.skip(f"veraPDF needs {tool}, which is not installed here")
    prepare = [sys.executable, str(program_root() / "packaging" / "verapdf" / "prepare.py")]
    printed = subprocess.run(prepare, stdout=subprocess.PIPE, text=True, check=True, timeout=PATIENCE_S).stdout
    return Path(printed.strip())


def _judge(validator: Path, flavour: str, files: list[Path]) -> dict[str, bool]:
    """Return for each file whether it conforms; what is wrong goes to the test's output."""
    done = subprocess.run(
        [*_JAVA, "-cp", str(validator), "org.verapdf.apps.GreenfieldCliWrapper",
         "--flavour", flavour, "--format", "text", "--verbose", *map(str, files)],
        capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    print(done.stdout, done.stderr)
    lines = [line.split() for line in done.stdout.splitlines()]
    return {Path(words[1]).name: words[0] == "PASS" for words in lines if len(words) == 3 and words[2] == flavour}


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the reports to be judged, one of them in German, and a PDF that conforms to neither standard."""
    folder = tmp_path_factory.mktemp("reports")
    renderer = PyqtgraphRenderer()
    logo = folder / "logo.svg"
    logo.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><circle r="8"/></svg>')
    imported = imported_request()
    nasty = replace(imported.session, client='Ωmega & "Søns" #eval $x$ <b>', title="x" * 300, consultant="客户 🚀")
    requests = {
        "full": replace(full_request(), logo=logo),
        "imported": replace(imported, session=nasty, redact=True),
        "empty": empty_request(),
    }
    paths = []
    for name, request in requests.items():
        paths.append(folder / f"{name}.pdf")
        paths[-1].write_bytes(render_report(request, renderer))
    paths.append(folder / "german.pdf")
    write_german_report(paths[-1])
    plain = folder / "plain.typ"
    plain.write_text(
        "No title, no language, no standard: #box(image(bytes(\"<svg xmlns='http://www.w3.org/2000/svg'/>\")))"
    )
    typst.compile(str(plain), output=str(folder / "plain.pdf"))
    return [*paths, folder / "plain.pdf"]


@pytest.fixture(scope="module")
def verdicts(validator: Path, reports: list[Path]) -> dict[str, dict[str, bool]]:
    """Return the verdict on every file in both standards, both judged at the same time."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        judged = pool.map(lambda flavour: _judge(validator, flavour, reports), _FLAVOURS)
        return dict(zip(_FLAVOURS, judged, strict=True))


@pytest.mark.prove
@pytest.mark.parametrize("flavour", _FLAVOURS)
def test_reports_conform(verdicts: dict[str, dict[str, bool]], reports: list[Path], flavour: str) -> None:
    """Every kind of report conforms, in English and German; a plain PDF does not, so the validator really looks."""
    assert verdicts[flavour] == {path.name: path.name != "plain.pdf" for path in reports}
