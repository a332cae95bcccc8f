"""A silent server in one sentence, the same wherever it is told."""

from app.flows.words import sentence, time_text
from app.foundation.texts import _
from app.services.target.answers import Silence


def silence_text(silence: Silence) -> str:
    """Return who is silent, for how long and since when, by the clock of this computer."""
    since = f"{silence.since_utc.astimezone():%H:%M:%S}"
    words = _("No answer from {server} for {time}, since {since}")
    return words.format(server=silence.server, time=time_text(silence.silent_s), since=since)


def silence_sentence(silence: Silence) -> str:
    """Return the same as a sentence of its own."""
    return sentence(silence_text(silence))
