"""The effect of each changing statement on the lab's servers."""

from app.drivers.sqlserver.errors import SqlError
from app.drivers.sqlserver.lab.answer import Answers, Parameters, Result, meets
from app.drivers.sqlserver.lab.time_answers import local_text
from app.drivers.sqlserver.session import Place
from app.systems.transactional_replication.lab_server.answers import position_text
from app.systems.transactional_replication.lab_server.profiles import LabProfile
from app.systems.transactional_replication.lab_server.site import PRIMARY, LabAgent
from app.systems.transactional_replication.lab_server.state import LabState, PostedToken
from app.systems.transactional_replication.lab_server.steps import find_tokens, masked_hash, with_token
from app.systems.transactional_replication.server.documented import AGENT_TYPES

# SQL Server Agent takes a moment to launch a job; with it no two sessions of an agent start at the same time.
_LAUNCH_S = 0.1
_MOST_COMMANDS = 10_000_000  # in one statement; the simulation keeps each transaction in memory


class ChangeActions(Answers):
    """Jobs, profiles, job steps, tracer tokens and the test workload."""

    def __init__(self, state: LabState) -> None:
        self._state = state
        self._site = state.site

    def _job(self, values: Parameters) -> LabAgent:
        job_id = str(values["job_id"])
        agent = self._site.agent_of_job(job_id)
        if agent is None:
            raise SqlError(14262, f"The specified @job_id ('{job_id}') does not exist.", "42000")
        return agent

    def _start_job(self, _place: Place, values: Parameters) -> Result:
        agent = self._job(values)
        if self._state.is_job_running(agent):
            raise SqlError(22022, f"Request to run job {agent.name} refused because the job is already running.")
        self._state.advance(_LAUNCH_S)
        if why := self._state.why_no_start(agent):
            self._state.note_failure(agent, why)
            return []
        if self._state.distribution_role != PRIMARY:
            self._state.note_outcome(agent, was_stopped=False)  # it cannot write its history, and ends
            return []
        self._state.start(agent)
        return []

    def _stop_job(self, _place: Place, values: Parameters) -> Result:
        agent = self._job(values)
        if not self._state.is_job_running(agent):
            raise SqlError(22022, f"Request to stop job {agent.name} refused because the job is not currently running.")
        self._state.stop(agent)
        self._state.note_outcome(agent, was_stopped=True)
        return []

    def _set_job_enabled(self, _place: Place, values: Parameters) -> Result:
        agent = self._site.agent_of_job(str(values["job_id"]))
        if agent is None:
            return []
        is_expected = meets(values, int(agent.job_id not in self._state.disabled))
        if is_expected:
            (self._state.disabled.discard if int(values["enabled"]) else self._state.disabled.add)(agent.job_id)
        return [(int(is_expected),)]

    def _dedicated(self, values: Parameters) -> LabProfile | None:
        return self._state.profiles.find_dedicated(int(values["agent_type"]), str(values["profile_name"]))

    def _add_profile(self, _place: Place, values: Parameters) -> Result:
        name, profile = str(values["profile_name"]), self._dedicated(values)
        if int(values["agent_type"]) not in AGENT_TYPES.values():
            raise SqlError(20058, f"Agent type {values['agent_type']} is not known.", "42000")
        if profile is None and name.startswith("Replitune "):
            profile = self._state.profiles.add(int(values["agent_type"]), name)
        return _id_of(profile)

    def _copy_profile_parameters(self, _place: Place, values: Parameters) -> Result:
        profile = self._dedicated(values)
        source = self._state.profiles.get(int(values["source_profile_id"]))
        if profile is not None and source is not None:
            profile.values = dict(source.values)
        return [(*_id_of(profile)[0], 0 if profile is None else len(profile.values))]

    def _set_profile_parameter(self, _place: Place, values: Parameters) -> Result:
        profile, name = self._dedicated(values), str(values["parameter_name"])
        is_expected = _has_expected(profile, values)
        if profile is not None and is_expected:
            profile.values[name] = str(values["parameter_value"])
        return [(*_id_of(profile)[0], int(is_expected))]

    def _drop_profile_parameter(self, _place: Place, values: Parameters) -> Result:
        profile = self._dedicated(values)
        is_expected = _has_expected(profile, values)
        if profile is not None and is_expected:
            profile.values.pop(str(values["parameter_name"]), None)
        return [(*_id_of(profile)[0], int(is_expected))]

    def _assign_profile(self, _place: Place, values: Parameters) -> Result:
        agent_type, profile_id = int(values["agent_type"]), int(values["profile_id"])
        agent = self._site.agent_of_type(agent_type, int(values["agent_id"]))
        profile = self._state.profiles.get(profile_id)
        if agent is None or profile is None or profile.agent_type != agent_type:
            raise SqlError(20066, f"Profile {profile_id} or agent {values['agent_id']} does not exist.", "42000")
        is_expected = meets(values, self._state.profile_ids[agent.job_id])
        if is_expected:
            self._state.profile_ids[agent.job_id] = profile_id
        return [(int(is_expected),)]

    def _drop_profile(self, _place: Place, values: Parameters) -> Result:
        profile = self._dedicated(values)
        if profile is None:
            return [(0,)]
        using = sum(1 for profile_id in self._state.profile_ids.values() if profile_id == profile.profile_id)
        if using == 0:
            self._state.profiles.drop(profile.profile_id)
        return [(using,)]

    def _set_job_step_token(self, _place: Place, values: Parameters) -> Result:
        agent = self._site.agent_of_job(str(values["job_id"]))
        parameter, value = str(values["parameter"]), str(values["value"])
        if agent is None:
            return []
        before = self._state.steps[agent.job_id]
        tokens = find_tokens(before, parameter)
        is_expected = meets(values, tokens[0].value if tokens else "")
        if is_expected and (not value or value.isdigit()) and parameter.startswith("-"):
            self._state.steps[agent.job_id] = with_token(before, parameter, value)
        return [(1, masked_hash(before, parameter), int(is_expected))]

    def _post_tracer_token(self, place: Place, values: Parameters) -> Result:
        pair = self._site.pair_of_publication(place.database, str(values["publication"]))
        now_local = local_text(self._state.lab.now_s)
        if not str(values["from_local"]) <= now_local < str(values["until_local"]):
            return [(None,)]
        if pair is None:
            raise SqlError(20026, f"The publication '{values['publication']}' does not exist.", "42000")
        token = self._state.lab.post_tracer(pair)
        tracer_id = -1 - token  # the server's ids are negative, too
        self._state.tokens[tracer_id] = PostedToken(token, pair, now_local)
        return [(tracer_id,)]

    def _delete_tracer_token(self, _place: Place, values: Parameters) -> Result:
        self._state.tokens.pop(int(values["tracer_id"]), None)
        return []

    def _write_load(self, place: Place, values: Parameters) -> Result:
        transactions = max(0, int(values["transactions"]))
        low, high = max(1.0, float(values["commands_low"])), max(1.0, float(values["commands_high"]))
        if transactions * high > _MOST_COMMANDS:
            raise SqlError(9002, f"The transaction log for database '{place.database}' is full.", "42000")
        pair = self._site.pair_of_publication_db(place.database)
        commands = self._state.lab.write_transactions(pair, transactions, (low, high), abs(int(values["seed"])))
        return [(commands, position_text(self._state.lab.written(pair)))]


def _has_expected(profile: LabProfile | None, values: Parameters) -> bool:
    value = "" if profile is None else profile.values.get(str(values["parameter_name"]), "")
    return meets(values, value)


def _id_of(profile: LabProfile | None) -> Result:
    return [(None if profile is None else profile.profile_id,)]
