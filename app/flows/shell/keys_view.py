"""Keyboard shortcuts, as a table."""

import re

from app.domain.view import Column, Row, TableContent, text_cell
from app.foundation.texts import _


def keys_table() -> TableContent:
    """Return the keys of the window, by place; menus and buttons show theirs underlined."""
    lines = (
        (_("Everywhere"), "F1, Shift+F1", _("help on the page shown, these keys")),
        (_("Everywhere"), "Tab, Shift+Tab", _("from one field to the next")),
        (_("Everywhere"), _("Alt+underlined letter"), _("the field, button or tab with that letter")),
        (_("Everywhere"), "Alt+Left, Alt+Right", _("the step before, the next step")),
        (_("Everywhere"), "Ctrl+1 … Ctrl+8", _("a step of the wizard")),
        (_("Everywhere"), "Alt+Home", _("the start page")),
        (_("Everywhere"), "Ctrl+K", _("a page, part of the site, parameter, run, note or help by its name")),
        (_("Everywhere"), "Ctrl+R", _("all runs of the session file")),
        (
            _("Everywhere"),
            "Ctrl+Shift+E, Ctrl+Shift+K",
            _("the client file with its other sessions, compare two of them"),
        ),
        (_("Everywhere"), "Ctrl+L", _("every statement sent to the servers")),
        (_("Everywhere"), "Ctrl+N, Ctrl+O, Ctrl+I", _("new session, open a session, import measurements")),
        (_("Everywhere"), "Ctrl+G", _("resume a run that ended early")),
        (_("Everywhere"), "Ctrl+,", _("settings")),
        (_("Everywhere"), "Esc", _("close a dialog, discard a form")),
        (_("Plan"), "Ctrl+Z", _("take back a preset, a design or an entry")),
        (_("Plan"), "Ctrl+Y", _("make again what was taken back")),
        (_("Tables"), _("Up, Down, with Shift or Ctrl"), _("choose rows")),
        (_("Tables"), "Return", _("open the row")),
        (_("Tables"), "Ctrl+C", _("copy the rows chosen, with headings")),
        (_("Tables"), "Ctrl+F", _("show only rows that contain some words")),
        (_("Tables"), _("Menu key"), _("sort, filter, copy")),
        (_("Plots"), "+, −", _("zoom in, zoom out")),
        (_("Plots"), _("Left, Right, Up, Down"), _("move what is shown")),
        (_("Plots"), "0, Home", _("show everything again")),
        (_("Plots"), "., ,", _("the next value, the one before")),
        (_("Plots"), "Ctrl+C", _("copy the picture")),
        (_("Plots"), _("Menu key"), _("copy and save picture and values, logarithmic axis")),
        (_("Texts"), "Ctrl+F, Return", _("search, on to the next place found")),
    )
    columns = (Column("where", _("Where")), Column("keys", _("Keys")), Column("what", _("What they do")))
    rows = tuple(
        Row(str(number), (text_cell(place), text_cell(_named(keys)), text_cell(what)))
        for number, (place, keys, what) in enumerate(lines)
    )
    return TableContent(columns, rows)


def _named(keys: str) -> str:
    """Return keys as they are called on keyboards of the language: "Ctrl+R" is "Strg+R" in German."""
    names = {
        "Ctrl": _("Ctrl"),
        "Shift": _("Shift"),
        "Left": _("Left"),
        "Right": _("Right"),
        "Home": _("Home"),
        "Return": _("Return"),
    }
    return re.sub(r"[A-Z][a-z]+", lambda match: names.get(match[0], match[0]), keys)
