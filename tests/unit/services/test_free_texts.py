"""Free texts that leave with names replaced: nothing a person wrote passes unseen."""

import pytest

from app.bootstrap import build_program
from app.reporting.redact.redaction import Redactor
from app.services.hand_over.free_texts import NameChoices, UndecidedTexts, check_free_texts

FAMILIES = tuple(build_program().families.values())
KNOWN = Redactor([("PRD01", "Server 1"), ("acme.csv", "File 1")])


@pytest.mark.parametrize(
    "text",
    [
        "huber",
        "HUBER",
        "mr best waits",
        "lab:acme",
        "lab:lan-acme",
        "lab@huber",
        "laboratory",
        "PRD01 of mr huber",
        f"{FAMILIES[0].title} on acme",
        "Server 12 waits",
        "Measurements from acme.csv, huber",
        "会計",
    ],
)
def test_what_a_person_wrote_is_asked_about(text: str) -> None:
    """In any letters, in words of the language, behind names of labs and beside names that are replaced."""
    with pytest.raises(UndecidedTexts) as caught:
        check_free_texts([text], KNOWN, NameChoices(), FAMILIES)
    assert caught.value.texts == (text,)
    check_free_texts([text], KNOWN, NameChoices(keep=None), FAMILIES)
    check_free_texts([text], KNOWN, NameChoices(keep=(text,)), FAMILIES)


@pytest.mark.parametrize(
    "text",
    [
        f"{FAMILIES[0].title} on lab",
        f"{FAMILIES[0].title} on lab:on-site",
        f"{FAMILIES[0].title} auf PRD01",
        "Measurements from acme.csv",
        "Guided session on the lab",
        "PRD01, PRD01!",
    ],
)
def test_what_the_program_wrote_is_not(text: str) -> None:
    """Its own titles, in either language, and texts of which nothing is left but what stands for names."""
    check_free_texts([text], KNOWN, NameChoices(), FAMILIES)


@pytest.mark.parametrize("keep", ["a lo…", "another long note of …", ""])
def test_a_beginning_that_fits_no_text_or_many_keeps_none(keep: str) -> None:
    """What is kept by its beginning must say enough of it."""
    with pytest.raises(UndecidedTexts):
        check_free_texts(["a long note of huber"], KNOWN, NameChoices(keep=(keep,)), FAMILIES)
