"""A database's release, and the views and columns that its dictionary lists for this login."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.domain.errors import PermissionDenied, Unsupported
from app.drivers.oracle.session import End, Session
from app.foundation.rows import Row
from app.foundation.texts import _
from app.systems.oracle_streams.pipeline import Technology
from app.systems.oracle_streams.server.versions import Release, has_streams, release_of, support_warnings

_SUFFIX: Final = {Technology.STREAMS: "", Technology.GOLDENGATE: "_goldengate", Technology.XSTREAM: "_xstream"}
_SAMPLES: Final = {Technology.GOLDENGATE: "sample_goldengate", Technology.XSTREAM: "sample_xstream"}


def variant(statement: str, technology: Technology) -> str:
    """Return the name of a statement's variant for the views of a technology."""
    return statement + _SUFFIX[technology]


@dataclass(frozen=True)
class DatabaseViews:
    """One database as the variants of statements see it.

    Attributes:
        info: the row of `database_info`.
        columns: names of columns by view, of the views this program may need.
    """

    info: Row
    columns: Mapping[str, frozenset[str]]

    @property
    def release(self) -> Release:
        """Its release, number by number."""
        return release_of(self.info.text("version"))

    @property
    def name(self) -> str:
        """Its global name."""
        return self.info.text("global_name")

    def has(self, view: str, column: str = "") -> bool:
        """Tell whether there is a view, or a column of it."""
        columns = self.columns.get(view)
        return columns is not None and (not column or column in columns)

    def can_sample(self, technology: Technology) -> bool:
        """Tell whether there is a sample that fits this database."""
        return technology is not Technology.STREAMS or has_streams(self.release)

    def sample_of(self, technology: Technology) -> str:
        """Return the name of the sample that fits this database; raises Unsupported where none does."""
        if not self.can_sample(technology):
            raise Unsupported(*support_warnings({self.name: self.info.text("version")}))
        if technology is not Technology.STREAMS:
            return _SAMPLES[technology]
        return "sample_streams" if self.has("V$STREAMS_POOL_STATISTICS") else "sample_streams_before_11_2"


def read_views(session: Session, end: End) -> DatabaseViews:
    """Read a database's release and views.

    Raises:
        PermissionDenied: this login sees none of the views; the sentence says what to grant.
    """
    columns: dict[str, set[str]] = {}
    for row in session.run("dictionary_columns", end):
        columns.setdefault(row.text("view_name"), set()).add(row.text("column_name"))
    if "DBA_CAPTURE" not in columns:
        raise PermissionDenied(
            _("this login sees no view of Streams at {server}; grant it: SELECT_CATALOG_ROLE").format(
                server=session.server_of(end)
            )
        )
    info = session.run("database_info", end)[0]
    return DatabaseViews(info, {view: frozenset(names) for view, names in columns.items()})


def is_one_database(session: Session) -> bool:
    """Tell whether both ends of the pipeline are the same database."""
    return session.server_of(End.SOURCE) == session.server_of(End.DESTINATION)
