"""A database with rows is distributed, and each statement of sql/ is executed for one of its organizations."""

import contextlib
from collections import Counter

import pytest

from pipeline.database.cluster.distribution import distribute, make_schema
from tests.citus.census import DENIED, met
from tests.citus.cluster import SHARDS, Cluster
from tests.database.conftest import seed

pytestmark = pytest.mark.timeout(600)
TABLES = "select tablename from pg_tables where schemaname = 'app' and tablename !~ '_[0-9]{6}$' order by 1"
# What writes tables that are on every server, or asks for what is beyond one organization, does so from node to node.
BEYOND = {
    "account_link",
    "account_rename",
    "contract_delete",
    "file_storage_total",
    "form_logo_content",
    "interview_template_delete",
    "invitation_activate",
    "invitation_answer",
    "invitation_decline",
    "invitation_join",
    "invitations_of",
    "login_failed",
    "membership_list",
    "outbox_backlog",
    "password_change",
    "password_forgot",
    "password_reset",
    "person_invites_delete",
    "person_signers_delete",
    "session_end",
    "session_logout",
    "session_start",
    "sessions_end",
    "sessions_purge",
    "webhooks_counted",
}
# The command line's, as the owner.
OWNERS = {
    "changes_renumber",
    "organization_insert",
    "seat_put",
    "session_open",
    "user_find",
    "user_put",
    "user_set_password",
}


def counted(node):
    """{table: how many rows it has}."""
    return {name: node.rows(f"select count(*) from app.{name}")[0][0] for (name,) in node.rows(TABLES)}


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """(a Cluster whose database was distributed with two organizations in it, one's ids, the rows counted before)."""
    with contextlib.closing(Cluster(tmp_path_factory.mktemp("filled"))) as cluster:
        cluster.start()
        url = cluster.coordinator.url()
        make_schema(url)
        made = [seed(url, slug) for slug in ("acme", "globex")]
        before = counted(cluster.coordinator)
        distribute(url, shards=SHARDS)
        yield cluster, made[0], before


def test_the_rows_that_were_there_are_there_and_none_was_taken_for_a_new_one(filled):
    cluster, _, before = filled
    after = counted(cluster.coordinator)
    assert {name: after[name] for name in before} == before


def test_each_key_and_link_that_was_there_leads_to_its_organization(filled):
    cluster, _, _ = filled
    kinds = cluster.coordinator.rows("select kind, count(distinct organization_id) from app.global_keys group by 1")
    assert dict(kinds) == dict.fromkeys(("organization", "slug", "token", "api_key", "link", "signing"), 2)


def test_each_statement_is_executed_on_the_worker_of_its_organization_alone(filled, capsys):
    """No role may leave the worker, nor may here the one that asks beyond one organization."""
    cluster, made, _ = filled
    for node in cluster.nodes:
        with node.connect() as connection:
            connection.execute("set citus.enable_ddl_propagation = off")
            connection.execute("alter role pipeline_lookup nologin")
    found = met(cluster.worker(made["organizations"]), made)
    with capsys.disabled():
        print("", *Counter("executed" if answer is None else "named" for answer in found.values()).items(), sep="\n")
    assert {name for name, answer in found.items() if answer == DENIED} == OWNERS
    unmet = {name for name, answer in found.items() if answer not in (None, DENIED)}
    # Those of an import follow each other in one transaction, whose own tables they name: citus_imports.py.
    assert {name for name in unmet if not name.startswith("lead_import_")} == BEYOND
