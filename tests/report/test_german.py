"""The report of the German program: German from the cover to the last page, and marked as such."""

import pytest
from pypdf import PdfReader

from tests.report.german import write_german_report

_SECTIONS = ("Ablaufplan", "Belege", "Was wann getan wurde", "Umgebung", "Methode und Grenzen", "Herkunft")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> PdfReader:
    """Return the sample report as the German program writes it."""
    path = tmp_path_factory.mktemp("german") / "bericht.pdf"
    write_german_report(path)
    return PdfReader(path)


def test_the_document_says_it_is_german(report: PdfReader) -> None:
    """Screen readers are told the language, in the catalogue of the PDF and in its metadata."""
    assert str(report.root_object["/Lang"]) == "de"
    metadata = report.xmp_metadata
    assert metadata is not None
    assert b"<rdf:li>de</rdf:li>" in metadata.stream.get_data()


def test_headings_and_effects_are_german(report: PdfReader) -> None:
    """Every section has its German heading, and an effect is told in German with a decimal comma."""
    titles = [str(entry["/Title"]) for entry in report.outline if not isinstance(entry, list)]
    assert titles[0].startswith("SubscriptionStreams 8 statt 1: 67\u00a0% weniger ")
    assert titles[1:] == list(_SECTIONS)
    text = " ".join("\n".join(page.extract_text() for page in report.pages).split())
    assert "(95-%-Intervall 66–68 %; 3 + 3 Versuche)" in text.replace("\u00a0", " ")
    assert "2,5 Befehle je Transaktion" in text
    assert "< 0,001" in text
    assert "2.5 Befehle" not in text
