"""The tables of the Distributor that scripts for a DBA look into, from the lab's state."""

from collections.abc import Iterable
from functools import partial

from app.drivers.sqlserver.lab.tables import LookUp, LookUps
from app.drivers.sqlserver.lab.time_answers import local_text
from app.drivers.sqlserver.session import Place
from app.foundation.rows import Cell
from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.lab_server.site import DISTRIBUTION_DB, DISTRIBUTOR, LabAgent
from app.systems.transactional_replication.lab_server.state import LabState

Rows = Iterable[tuple[Cell, ...]]


def look_ups_of(state: LabState) -> LookUps:
    """Return profiles and their parameters, agents, and the activity of their jobs; none anywhere else."""
    agents = ("id", "name", "publisher_db", "profile_id", "job_id")
    return {
        "msdb.dbo.msagent_profiles": LookUp(
            ("profile_id", "profile_name", "agent_type", "type"), partial(_profiles, state)
        ),
        "msdb.dbo.msagent_parameters": LookUp(("profile_id", "parameter_name", "value"), partial(_parameters, state)),
        "msdb.dbo.sysjobactivity": LookUp(
            ("job_id", "session_id", "start_execution_date", "stop_execution_date"), partial(_activity, state)
        ),
        f"{DISTRIBUTION_DB}.dbo.mslogreader_agents": LookUp(agents, partial(_agents, state, AgentKind.LOG_READER)),
        f"{DISTRIBUTION_DB}.dbo.msdistribution_agents": LookUp(agents, partial(_agents, state, AgentKind.DISTRIBUTION)),
    }


def _is_there(state: LabState, place: Place) -> bool:
    return place.server == DISTRIBUTOR and not state.is_elsewhere(DISTRIBUTOR)


def _profiles(state: LabState, place: Place) -> Rows:
    if not _is_there(state, place):
        return ()
    return [(one.profile_id, one.name, one.agent_type, one.profile_type) for one in state.profiles.all()]


def _parameters(state: LabState, place: Place) -> Rows:
    if not _is_there(state, place):
        return ()
    return [(one.profile_id, name, value) for one in state.profiles.all() for name, value in one.values.items()]


def _own_agents(state: LabState, place: Place) -> Iterable[LabAgent]:
    return state.site.live_agents if _is_there(state, place) else ()


def _activity(state: LabState, place: Place) -> Rows:
    for agent in _own_agents(state, place):
        began_s = state.agent_state(agent).session_start_s
        is_running = state.is_job_running(agent) and began_s is not None
        yield (agent.job_id, 1, local_text(began_s or 0.0), None if is_running else local_text(state.lab.now_s))


def _agents(state: LabState, kind: AgentKind, place: Place) -> Rows:
    for agent in _own_agents(state, place):
        if agent.kind is kind:
            database = state.site.pairs[agent.pair].publisher_db
            yield (agent.agent_id, state.site.name_of(agent), database, state.profile_ids[agent.job_id], agent.job_id)
