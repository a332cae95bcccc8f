"""Small rules of writing: what begins a sentence."""

import pytest

from app.flows.words import sentence


@pytest.mark.parametrize(
    "text",
    [
        "lab:on-site has no group",
        "sqlserver://sa@dist1 did not answer",
        "dist1.example.com broke",
        "dist1\\live broke",
        "sp_configure failed",
    ],
)
def test_an_address_at_the_start_of_a_sentence_is_left_as_it_is_written(text: str) -> None:
    """Another spelling of a name is another name."""
    assert sentence(text) == f"{text}."


@pytest.mark.parametrize("text", ["the server is down", "read-only: nothing is changed", "and/or"])
def test_a_word_at_the_start_has_a_capital(text: str) -> None:
    """Signs between words make no name of them."""
    assert sentence(text) == f"{text[0].upper()}{text[1:]}."
