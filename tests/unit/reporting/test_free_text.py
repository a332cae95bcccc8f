"""Free texts are looked through for what may name somebody: every form is told, ordinary words are not."""

import pytest

from app.reporting.redact.free_text import doubtful_words
from app.services.hand_over.bundles.undecided import _ordinary_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ask Halvorsen about the night load", ("Halvorsen",)),
        ("Halvorsen was asked", ("Halvorsen",)),
        ("Frau Müller-Lüdenscheidt vom Betrieb anrufen", ("Müller-Lüdenscheidt",)),
        ("mail to anna.schmidt@contoso.com", ("anna.schmidt@contoso.com",)),
        ("the job runs as CONTOSO\\svc-repl.", ("CONTOSO\\svc-repl",)),
        ("backup on \\\\nas7\\backup", ("\\\\nas7\\backup",)),
        ("from 10.0.0.7 and fe80::1:2ff", ("10.0.0.7", "fe80::1:2ff")),
        ("db1.contoso.com is slow", ("db1.contoso.com",)),
        ("SQLPRD01 and prd-sql-2", ("SQLPRD01", "prd-sql-2")),
        ("login svc_replication", ("svc_replication",)),
        ("call +49 221 123456", ("+49 221 123456",)),
        ("the project is Bluebird", ("Bluebird",)),
        ("The Log Reader waits for the Distributor: 1.5 s, 10 % of the run, at 22:30:15", ()),
        ("Der Publisher schreibt nachts mehr, der Agent ist langsam", ()),
    ],
)
def test_what_may_name_somebody_is_told(text: str, words: tuple[str, ...]) -> None:
    """Names, addresses, logins, computers and telephones; words of the program's own texts name nobody."""
    assert doubtful_words([text, text], _ordinary_words()) == words
