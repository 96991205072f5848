"""The suites of one PostgreSQL on a cluster (`make citus-suites`): what is run there, and what is not, with the reason.

Of the tests named test_* those are run that ask for the database. What is left out belongs to one server by its nature;
nothing that a customer does may stand here.
"""

import pytest

PLANS = "the plans of one PostgreSQL: the shards have tests of their own (tests/citus)"
TURNS = "organizations of one server take turns; these may be on different ones"
# What begins with a key, a file or a test of it, is skipped.
LEFT_OUT = {
    "leads/test_list.py::test_a_transaction_that_is_rolled_back_does_not_cost_the_connection_its_plans": PLANS,
    "webhooks/test_sending.py::test_organizations_take_turns": TURNS,
}


def choose(config, items):
    """Leave out of the collected tests what does not ask for the database, and skip what LEFT_OUT names.

    Raises pytest.UsageError for a name that no test of its file has any longer.
    """
    suites = [item for item in items if item.path.name.startswith("test_")]
    config.hook.pytest_deselected(items=[item for item in suites if "owner_url" not in item.fixturenames])
    items[:] = [item for item in items if item not in suites or "owner_url" in item.fixturenames]
    files = {item.nodeid.partition("::")[0] for item in items}
    for name, reason in LEFT_OUT.items():
        named = [item for item in items if f"{item.nodeid}[".startswith((f"{name}[", f"{name}::"))]
        if name.partition("::")[0] in files and not named:
            raise pytest.UsageError(f"There is no {name} to be left out.")
        for item in named:
            item.add_marker(pytest.mark.skip(reason=reason))
