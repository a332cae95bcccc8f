"""The views of a system for window and command line: every text, tree, table and plot that is about it alone."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from app.domain.cost import ExperimentCost
from app.domain.family import ExperimentFamily, Site
from app.domain.measurement import Sample
from app.domain.plan import Plan
from app.domain.plot import PlotSpec
from app.domain.server import ServerInfo, differs
from app.domain.site_picture import SitePicture
from app.domain.system import System
from app.domain.view import TableContent
from app.flows.suggested import Suggestion
from app.flows.topology_tree import Node, NodeParameters
from app.foundation.texts import _
from app.reporting.tables.parameters import in_effect_table
from app.reporting.tables.servers import servers_table

if TYPE_CHECKING:
    from app.services.plan.dry_run import DryRun  # analysis, which the first page has no need of


class PartKind(StrEnum):
    """How a part of a look is shown."""

    LINE = "line"
    TABLE = "table"
    TEXT = "text"
    FIGURES = "figures"
    PLOT = "plot"


@dataclass(frozen=True)
class ObservedPart:
    """One part of a page that shows a look.

    Attributes:
        name: of its widget; layouts of tables are kept under it.
        kind: figures are a text whose columns stand below each other.
        title: what a table or text is, as a screen reader says it.
        nothing: what is said where there is nothing to show, "" for an empty part.
        is_history: it is what is copied and exported as the history.
    """

    name: str
    kind: PartKind
    title: str = ""
    nothing: str = ""
    is_history: bool = False


@dataclass(frozen=True)
class ObservedPage:
    """One page that shows a look.

    Attributes:
        page_id: of several systems with pages of one id one page is shown, called after all of them.
        title: of its tab; with the letter that leads to it, unless the page is shared.
        is_last: it stands behind what experiments would take.
    """

    page_id: str
    title: str
    parts: tuple[ObservedPart, ...]
    is_last: bool = False


Content: TypeAlias = TableContent | PlotSpec | str | None
"""What a part shows: a table, a plot, None for a plot without points, or a text."""


def watched_page(title: str) -> ObservedPage:
    """Return the page for systems without a history, which are watched for a while: those with a backlog, and the rest.

    Args:
        title: what was watched.
    """
    parts = (
        ObservedPart("watched_table", PartKind.TABLE, _("Bottlenecks")),
        ObservedPart("watched_text", PartKind.FIGURES, _("Seen while watching")),
    )
    return ObservedPage("watched", title, parts, is_last=True)


def watched_content(table: TableContent, lines: Sequence[str]) -> Mapping[str, Content]:
    """Return the contents of such a page's parts."""
    return {"watched_table": table, "watched_text": "\n".join(lines)}


def found_page(title: str) -> ObservedPage:
    """Return the page for systems without history or watch: their topology.

    Args:
        title: of its tab.
    """
    return ObservedPage("found", title, (ObservedPart("found_text", PartKind.FIGURES, _("What was found")),))


class Observed(Protocol):
    """The parts of every look that are common to all systems."""

    @property
    def costs(self) -> tuple[ExperimentCost, ...]:
        """Return the cost of each experiment on this site."""
        ...

    @property
    def statements(self) -> int:
        """How many the look sent."""
        ...

    @property
    def statement_ms(self) -> float:
        """How long they took together, milliseconds."""
        ...


@dataclass(frozen=True)
class LiveTotal:
    """A total that grows while a trial is measured; its rate is a curve of its own.

    Attributes:
        title: of the rate.
        unit: of the rate, per second.
        offset_s: since measuring began.
        value: so far.
    """

    title: str
    unit: str
    offset_s: float
    value: float


class SystemViews(Protocol):
    """The views of one system; topologies and looks are always its own, as its System port returned them.

    What a system does not say has a default: its servers, and the parameters in effect there.

    Attributes:
        system: the system it shows.
        pages: of a look, in the order of their tabs.
        entry: what that server or database is called, in a word or two.
        opened_at: which server or database a target of it is, one sentence for the form.
        observing: what a look does there, one sentence.
    """

    system: System
    pages: tuple[ObservedPage, ...]
    entry: str
    opened_at: str
    observing: str

    @property
    def json_key(self) -> str:
        """Return the key for topology and observations in JSON."""
        return self.system.system_id

    # Before anything is read

    def scenario_words(self, content: Mapping[str, object], /) -> tuple[str, ...]:
        """Return a scenario file's description beyond its title, for the list of targets.

        Args:
            content: of the file; nothing of it has been checked.
        """
        return ()

    def need_words(self, need: str, subject: str, site: Site | None) -> str:
        """Return one of its capabilities as an experiment needs it, with the site's state of it."""
        words, names = self.system.capabilities[need], ", ".join(self.names_found(need, site))
        return f"{words} {_('(found here: {names})').format(names=names)}" if names else words

    def names_found(self, need: str, site: Site | None) -> Sequence[str]:
        """Return the names of a capability's objects at a site."""
        return ()

    # What was discovered

    def reached(self, discovered: Any | None, /) -> str:
        """Return in one sentence the servers reached; of None that it is not there, "" where that goes without
        saying."""
        if discovered is None:
            return ""
        return _("Reached: {name}.").format(name=", ".join(server.name for server in self.servers(discovered)))

    def nothing_found(self, discovered: Any | None, /) -> str:
        """Return in one sentence that there is nothing to work with, "" where there is; of None as `reached`."""
        return ""

    def not_asked(self, discovered: Any, /) -> tuple[str, ...]:
        """Return one sentence for each server that could not be asked."""
        return ()

    def can_be_observed(self, discovered: Any, /) -> bool:
        """Tell whether there is something to look at without an experiment."""
        return True

    def servers(self, discovered: Any, /) -> tuple[ServerInfo, ...]:
        """Return the servers it stands on."""
        return self.system.servers_of(discovered)

    def tree(self, discovered: Any, /) -> tuple[Node, ...]:
        """Return the topology as a tree: the nodes with parameters, else its servers."""
        names = self.system.in_effect(discovered) or [server.name for server in self.servers(discovered)]
        return tuple(Node(name, self.json_key, name, name, tuned=name, opens=True) for name in names)

    def node_parameters(self, discovered: Any, node: Node, /, *, only_different: bool) -> NodeParameters | None:
        """Return the parameters in effect of a node, None where it has none or is another system's."""
        own = self.system.in_effect(discovered).get(node.tuned)
        if own is None:
            return None
        shown = [parameter for parameter in own if not only_different or differs(parameter)]
        summary = _("Parameters: {count}.").format(count=len(own))
        return NodeParameters(in_effect_table(shown), summary, _("All are at their defaults."))

    def discovered_lines(self, discovered: Any, /) -> list[str]:
        """Return everything there is as lines of text: its servers, and the parameters in effect."""
        from app.reporting.render.terminal import table_lines  # only where lines are written

        lines = [_("Servers:"), *table_lines(servers_table(self.servers(discovered)))]
        for owner, own in self.system.in_effect(discovered).items():
            lines += ["", f"{owner}:", *table_lines(in_effect_table(own))]
        return lines

    def discovered_json(self, discovered: Any | None, /) -> Mapping[str, object]:
        """Return its part of the JSON of a discovery, null where nothing of it is there."""
        return {self.json_key: None if discovered is None else asdict(discovered)}

    # What was seen without an experiment

    def look_line(self, observation: Any, /) -> str:
        """Return in one sentence the servers looked at: the first of its lines."""
        return f"{self.look_lines(observation)[0]}."

    def look_lines(self, observation: Any, /) -> list[str]:
        """Return all observations as lines of text: the topology, for a look that does no more than read."""
        return self.discovered_lines(observation.found)

    def look_json(self, observation: Any | None, /) -> Mapping[str, object]:
        """Return its part of the JSON of a look, null where nothing of it is there."""
        return {self.json_key: None if observation is None else asdict(observation)}

    def look_content(self, observation: Any, /) -> Mapping[str, Content]:
        """Return the contents of its pages' parts, by name: all lines, on a page of `found_page`."""
        return {"found_text": "\n".join(self.look_lines(observation))}

    def history(self, seen: Any, /) -> TableContent | None:
        """Return the history as written to a file, None where it keeps none."""
        return None

    # How the site stands

    def picture(self, discovered: Any, observation: Any | None, readings: Sequence[Any], /) -> SitePicture | None:
        """Return the servers with the flow between them, None where there is nothing to draw.

        Args:
            observation: of the newest look, None before the first.
            readings: what its `read_now` returned, oldest first; empty before the first.
        """
        return None

    def subject_of(self, discovered: Any, key: str, /) -> Mapping[str, str]:
        """Return a plan's names of what a box of the picture stands for, {} where it cannot be experimented on.

        Args:
            key: of the box.
        """
        return {}

    def suggestions(
        self,
        _discovered: Any,
        _observation: Any,
        _families: Mapping[str, ExperimentFamily],
        _sites: Mapping[tuple[str, str], Site],
    ) -> Sequence[Suggestion]:
        """Return suggestions for experiments from the observations, in any order.

        Args:
            _families: its own that have a site here, by id. _sites: what was read for them, by system and subject.
        """
        return ()

    # Before a run

    def origin_text(self, origin: str, /) -> str:
        """Return where a parameter's value comes from, as shown."""
        return origin

    def consequence(self, role: str, dry: "DryRun", /) -> str:
        """Return in one sentence a run's consequence at a server, which is to be agreed to.

        Args:
            role: of the server, as the system calls it.
        """
        ...

    # While a run goes on, and after it

    def series_title(self, stream: str, /) -> str:
        """Return a time series' title on screen, "" for one that is named in whole words."""
        return ""

    def live_total(self, samples: Sequence[Sample], /) -> LiveTotal | None:
        """Return the total whose rate is shown, from the readings of one tick; None where there is none."""
        return None

    def begins_at_rest(self, plan: Plan, /) -> bool:
        """Tell whether trials begin with nothing done yet, so that their first reading gives a rate, too."""
        return False


def views_of(system: System) -> SystemViews:
    """Return the views of a system; loads them when they are first asked for."""
    views: SystemViews = system.load_views()
    return views
