"""A turnstile over named statements: reading it, changing it, letting people through."""

from collections.abc import Sequence
from typing import Any, Final

from app.domain.change import Change, StillRunning
from app.domain.errors import VerificationFailed
from app.domain.server import EffectiveParameter, ServerInfo
from app.domain.setting import Value
from app.domain.target import Connection, Offer
from app.drivers.sqlserver.scripts import statement_script
from app.drivers.sqlserver.session import Place, Session

from .site import CAPABILITIES, KNOBS, QUEUE, Turnstile

SETTING: Final = "turnstile_setting"
_KNOBS: Final = {knob.name: knob for knob in KNOBS}
_COUNTS_FROM_START: Final = frozenset({QUEUE.name})


def setting_scripts(title: str, server: str, name: str, value: str) -> str:
    """Return the T-SQL that gives a setting a value, with the restart it needs to count."""
    script = statement_script(title, server, "master", "set_turnstile", {"setting": name, "value": value})
    return script + (statement_script(title, server, "master", "restart_turnstile", {}) if restarts(name) else "")


def restarts(name: str) -> bool:
    """Tell whether a setting counts from the next start only."""
    return name in _COUNTS_FROM_START


class SqlTurnstile:
    """The TurnstilePort over a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._home = Place(session.distributor, "master")

    def discover(self) -> Turnstile | None:
        """Read the settings in effect."""
        rows = self._session.run("turnstile_settings", self._home)
        if not rows:
            return None
        info = self._session.run("server_info", self._home)[0]
        version, edition, cpus = info.text("version"), info.text("edition"), info.whole("cpu_count")
        server = ServerInfo(self._home.server, "Door", version, edition, cpus)
        return Turnstile(server, tuple(_effective(row.text("name"), row.text("in_effect")) for row in rows))

    def plan_setting(self, name: str, value: Value) -> tuple[Change, ...]:
        """Return the change of one setting, with its scripts."""
        row = next(row for row in self._session.run("turnstile_settings", self._home) if row.text("name") == name)
        original, new, server = row.text("value"), str(value), self._home.server
        if original == new == row.text("in_effect"):
            return ()
        subject = f"{name} of the turnstile at {server}"
        return (
            Change(
                kind=SETTING,
                subject=subject,
                original=original,
                new=new,
                details=(("server", server), ("name", name), ("original_value", original), ("new_value", new)),
                apply_sql=setting_scripts(f"Change {subject}", server, name, new),
                undo_sql=setting_scripts(f"Put back {subject}", server, name, original),
                needs_consent="the turnstile stands still while it restarts" if restarts(name) else "",
            ),
        )

    def let_pass(self, people: int) -> float:
        """Let people through."""
        return self._session.run("pass_turnstile", self._home, people=people)[0].number("elapsed_ms") / 1000


def _effective(name: str, value: str) -> EffectiveParameter:
    knob = _KNOBS[name]
    origin = "default" if value == str(knob.default) else "set"
    return EffectiveParameter(name, value, origin, str(knob.default), knob.low, knob.high, knob.unit)


class TurnstileChanges:
    """The ServerChanges port for the one kind of change there is."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def quiesce(self, _changes: Sequence[Change]) -> tuple[StillRunning, ...]:
        """Stop nothing: a change restarts what it has to by itself."""
        return ()

    def plan_quiesce(self, _changes: Sequence[Change]) -> tuple[Change, ...]:
        """Plan nothing, as `quiesce`."""
        return ()

    def apply(self, change: Change) -> None:
        """Set the new value and read it back."""
        self._set(change, "new_value")

    def undo(self, change: Change) -> None:
        """Put the original back and read it back, unless it is there."""
        if not self.is_undone(change):
            self._set(change, "original_value")

    def is_applied(self, change: Change) -> bool:
        """Tell whether the new value is set and in effect."""
        return self._holds(change, "new_value")

    def is_undone(self, change: Change) -> bool:
        """Tell whether the original is set and in effect."""
        return self._holds(change, "original_value")

    def _set(self, change: Change, wanted: str) -> None:
        place, name = _place(change), str(change.detail("name"))
        self._session.run("set_turnstile", place, setting=name, value=str(change.detail(wanted)))
        if restarts(name):
            self._session.run("restart_turnstile", place)
        if not self._holds(change, wanted):
            raise VerificationFailed(f"{change.subject} does not read {change.detail(wanted)} after it was set")

    def _holds(self, change: Change, wanted: str) -> bool:
        rows = self._session.run("turnstile_settings", _place(change))
        row = next(row for row in rows if row.text("name") == change.detail("name"))
        return row.text("value") == row.text("in_effect") == change.detail(wanted)


def _place(change: Change) -> Place:
    return Place(str(change.detail("server")), "master")


def offer_turnstile(connection: Connection) -> Offer:
    """Return what a server offers that may have a turnstile; sends nothing."""
    session = connection.session
    return Offer(frozenset(CAPABILITIES), SqlTurnstile(session), TurnstileChanges(session), frozenset({SETTING}))


def offer_by_hand(connection: Connection, gate: Any) -> Offer:
    """Return the same where the client's DBA makes every change."""
    offered = offer_turnstile(connection)
    return Offer(offered.capabilities, offered.ports, gate.changes(offered.changes), offered.kinds)
