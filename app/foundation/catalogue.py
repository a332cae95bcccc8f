"""Reading a gettext catalogue (`.po`) as it is, so that a checkout needs no compile step."""

from pathlib import Path


def read_catalogue(path: Path) -> dict[str, str]:
    """Return the translations of a catalogue by their text, those that are missing or obsolete left out.

    Raises:
        OSError: the file cannot be read.
    """
    from babel.messages.pofile import read_po  # not needed for English

    with path.open("rb") as file:
        catalogue = read_po(file)
    return {str(message.id): str(message.string) for message in catalogue if message.id and message.string}
