"""The documented parameters agree with the facts collected from the vendor's pages."""

import pytest

from app.systems.transactional_replication.agent_kind import AgentKind
from app.systems.transactional_replication.server.documented import DocumentedParameter, documented, goes_by_step
from tests.facts.sqlserver import read_facts

COMPONENTS = {AgentKind.LOG_READER: "log_reader_agent", AgentKind.DISTRIBUTION: "distribution_agent"}
PAGES = {
    (entry["component"], entry["name"].removeprefix("-")): entry
    for entry in read_facts("parameters.json")["parameters"]
}
ALL = [parameter for kind in AgentKind for parameter in documented(kind).values()]


@pytest.mark.parametrize("parameter", ALL, ids=lambda parameter: f"{parameter.agent.value}.{parameter.name}")
def test_default_and_limits_are_the_documented_ones(parameter: DocumentedParameter) -> None:
    """Name, default and limits are those of the facts."""
    page = PAGES[COMPONENTS[parameter.agent], parameter.name]
    if parameter.name == "SubscriptionStreams":
        assert page["default"] == "absent = one stream"
        assert parameter.default == "1"
    else:
        assert str(page["default"]) == parameter.default
    assert (page["min"], page["max"]) == (parameter.low, parameter.high)


def test_every_numeric_parameter_is_there() -> None:
    """No parameter with a numeric default is missing."""
    for (component, name), page in PAGES.items():
        kinds = [kind for kind, label in COMPONENTS.items() if label == component]
        if kinds and str(page["default"]).isdigit():
            assert name.lower() in documented(kinds[0]), name


@pytest.mark.parametrize("parameter", ALL, ids=lambda parameter: f"{parameter.agent.value}.{parameter.name}")
def test_what_no_profile_takes_goes_by_the_job_step(parameter: DocumentedParameter) -> None:
    """The vendor's page says of each agent apart what a profile takes; what the step names is changed there."""
    how = PAGES[COMPONENTS[parameter.agent], parameter.name]["how_to_change"]
    assert goes_by_step(parameter.agent, parameter.name, "profile") is not how.startswith("EXEC sp_")
    assert goes_by_step(parameter.agent, parameter.name, "job step")
