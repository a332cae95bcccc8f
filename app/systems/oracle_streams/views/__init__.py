"""Oracle Streams as the window and the command line show it: the SystemViews port."""

from collections.abc import Mapping, Sequence
from typing import Final

from app.domain.family import ExperimentFamily, Site
from app.domain.setting import value_text
from app.domain.work_source import work_source_of
from app.flows.suggested import Suggestion
from app.flows.system_views import Content, SystemViews, watched_content, watched_page
from app.foundation.texts import _
from app.services.plan.dry_run import DryRun
from app.systems.oracle_streams.observed import StreamsObservation
from app.systems.oracle_streams.pipeline import StreamsTopology
from app.systems.oracle_streams.site import StreamsSite
from app.systems.oracle_streams.subjects import ORACLE_STREAMS
from app.systems.oracle_streams.system import SYSTEM
from app.systems.oracle_streams.tables import origin_text
from app.systems.oracle_streams.views.discovered import (
    discovered_lines,
    reached,
)
from app.systems.oracle_streams.views.observed import stages_table, streams_lines
from app.systems.oracle_streams.views.picture import hop_key, streams_picture
from app.systems.oracle_streams.views.suggested import suggested
from app.systems.oracle_streams.views.topology import streams_parameters, streams_tree


class StreamsViews(SystemViews):
    """The views of a pipeline."""

    system = SYSTEM
    json_key = "streams"
    pages = (watched_page(_("Streams")),)
    entry = _("Source database")
    opened_at = _("For Oracle Streams: the database that changes come from.")
    observing = _("It watches the queues of Streams for a while.")

    reached = staticmethod(reached)
    tree = staticmethod(streams_tree)
    node_parameters = staticmethod(streams_parameters)
    discovered_lines = staticmethod(discovered_lines)
    look_lines = staticmethod(streams_lines)
    picture = staticmethod(streams_picture)
    origin_text = staticmethod(origin_text)

    def names_found(self, need: str, site: Site | None) -> Sequence[str]:
        """Return the names of the paths."""
        if need != ORACLE_STREAMS or not isinstance(site, StreamsSite):
            return ()
        return tuple(path.name for path in site.topology.paths)

    def look_content(self, observation: StreamsObservation) -> Mapping[str, Content]:
        """Return the throughput of each stage, and all observations."""
        lines = streams_lines(observation, with_tables=False)
        return watched_content(stages_table(observation.paths), lines)

    def subject_of(self, discovered: StreamsTopology, key: str) -> Mapping[str, str]:
        """Return the path a box stands for."""
        return next(({"path": path.apply} for path in discovered.paths if hop_key(path) == key), {})

    def suggestions(
        self,
        _discovered: StreamsTopology,
        observation: StreamsObservation,
        families: Mapping[str, ExperimentFamily],
        _sites: Mapping[tuple[str, str], Site],
    ) -> Sequence[Suggestion]:
        """Return suggestions for the slowest stage."""
        return suggested(observation, families)

    def consequence(self, role: str, dry: DryRun) -> str:
        """Return the consequence at the source, or at the destination."""
        if work_source_of(dry.plan.load).is_own_work:
            return _on_own_work(role, dry)
        if role == "Source":
            return _("Test rows are written here; the test table is dropped at the end.")
        return _(
            "The apply process is stopped and started, and applies the test rows; {n} changes at both "
            "databases, each undone and checked."
        ).format(n=len(dry.changes))


def _on_own_work(role: str, dry: DryRun) -> str:
    """Return the consequence of windows on the client's own work."""
    if role == "Source":
        return _("Nothing is written; values of the capture process are changed only where the plan varies them.")
    return _(
        "{n} changes; the apply process is restarted for each of up to {windows} windows, and applies the client's own "
        "changes in between; each change is undone and checked."
    ).format(n=value_text(len(dry.changes)), windows=value_text(dry.most_trials))


VIEWS: Final = StreamsViews()
