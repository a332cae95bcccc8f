"""Oracle Streams as the window and the command line show it: the SystemViews port."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Final

from app.domain.family import ExperimentFamily, Site
from app.domain.server import ServerInfo
from app.flows.site_picture import SitePicture
from app.flows.suggested import Suggestion
from app.flows.system_views import Content, SystemViews, watched_content, watched_page
from app.flows.topology_tree import Node, NodeParameters
from app.foundation.texts import _
from app.services.plan.dry_run import DryRun
from app.systems.oracle_streams.observed import StreamsObservation
from app.systems.oracle_streams.pipeline import StreamsTopology
from app.systems.oracle_streams.polling import StreamsNow
from app.systems.oracle_streams.site import StreamsSite
from app.systems.oracle_streams.subjects import CAPABILITIES, ORACLE_STREAMS
from app.systems.oracle_streams.tables import origin_text
from app.systems.oracle_streams.views.discovered import (
    databases_as_servers,
    discovered_json,
    discovered_lines,
    reached,
)
from app.systems.oracle_streams.views.observed import stages_table, streams_lines
from app.systems.oracle_streams.views.picture import streams_picture
from app.systems.oracle_streams.views.suggested import suggested
from app.systems.oracle_streams.views.topology import streams_parameters, streams_tree


class StreamsViews(SystemViews):
    """What is shown of a pipeline."""

    pages = (watched_page(_("Streams")),)
    entry = _("Source database")
    opened_at = _("For Oracle Streams: the database that changes come from.")
    observing = _("It watches the queues of Streams for a while.")

    def scenario_words(self, _content: Mapping[str, object]) -> tuple[str, ...]:
        """Return nothing: the title of a scenario says it all."""
        return ()

    def need_words(self, need: str, _subject: str, site: Site | None) -> str:
        """Return a capability; of the pipeline with the names of its paths."""
        words = CAPABILITIES[need]
        if need != ORACLE_STREAMS or not isinstance(site, StreamsSite):
            return words
        names_here = _("(found here: {names})").format(names=", ".join(path.name for path in site.topology.paths))
        return f"{words} {names_here}"

    def reached(self, discovered: StreamsTopology | None) -> str:
        """Return the databases with how many paths lead between them."""
        return reached(discovered)

    def nothing_found(self, _discovered: StreamsTopology | None) -> str:
        """Return "": where it is there, there is something."""
        return ""

    def not_asked(self, _discovered: StreamsTopology) -> tuple[str, ...]:
        """Return nothing: where a database does not answer, nothing is discovered."""
        return ()

    def can_be_observed(self, _discovered: StreamsTopology) -> bool:
        """Tell that the databases can be watched."""
        return True

    def servers(self, discovered: StreamsTopology) -> tuple[ServerInfo, ...]:
        """Return the databases at both ends."""
        return databases_as_servers(discovered)

    def tree(self, discovered: StreamsTopology) -> tuple[Node, ...]:
        """Return paths with their processes, and the databases."""
        return streams_tree(discovered)

    def node_parameters(
        self, discovered: StreamsTopology, node: Node, *, only_different: bool
    ) -> NodeParameters | None:
        """Return the parameters of a process or database."""
        return streams_parameters(discovered, node, only_different=only_different)

    def discovered_lines(self, discovered: StreamsTopology) -> list[str]:
        """Return databases, processes, paths and parameters."""
        return discovered_lines(discovered)

    def discovered_json(self, discovered: StreamsTopology | None) -> Mapping[str, object]:
        """Return the pipeline, null where there is none."""
        return discovered_json(discovered)

    def look_line(self, observation: StreamsObservation) -> str:
        """Return what was watched, and how long."""
        return f"{streams_lines(observation)[0]}."

    def look_lines(self, observation: StreamsObservation) -> list[str]:
        """Return a paragraph for each path, then findings and what the figures do not say."""
        return streams_lines(observation)

    def look_json(self, observation: StreamsObservation | None) -> Mapping[str, object]:
        """Return what was seen under a key of its own, null where there is no pipeline."""
        return {"streams": None if observation is None else asdict(observation)}

    def look_content(self, observation: StreamsObservation) -> Mapping[str, Content]:
        """Return what passed each stage, and everything that was seen."""
        lines = streams_lines(observation, with_tables=False)
        return watched_content(stages_table(observation.paths), lines)

    def picture(
        self, discovered: StreamsTopology, observation: StreamsObservation | None, readings: Sequence[StreamsNow]
    ) -> SitePicture:
        """Return source and destination with the paths between them."""
        return streams_picture(discovered, observation, readings)

    def suggestions(
        self,
        _discovered: StreamsTopology,
        observation: StreamsObservation,
        families: Mapping[str, ExperimentFamily],
        _sites: Mapping[tuple[str, str], Site],
    ) -> Sequence[Suggestion]:
        """Return what to vary at the stage the others wait for."""
        return suggested(observation, families)

    def origin_text(self, origin: str) -> str:
        """Return whether somebody set a value."""
        return origin_text(origin)

    def consequence(self, role: str, dry: DryRun) -> str:
        """Return what happens at the source, or at the destination."""
        if role == "Source":
            return _("Test rows are written here; the test table is dropped at the end.")
        return _(
            "The apply process is stopped and started, and applies the test rows; {n} changes at both "
            "databases, each undone and checked."
        ).format(n=len(dry.changes))


VIEWS: Final = StreamsViews()
