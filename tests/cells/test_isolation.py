"""The isolation matrix over cells: each kind of token is served by the cell of its organization alone.

Its organization has a copy in both cells, as after a restore, and the map places it.
"""

import hashlib
import secrets

import psycopg
import pytest

from pipeline.database import queries, savepoint
from pipeline.database.cells import is_not_here
from tests.isolation import prepared
from tests.support import OWNED, Api
from tests.waiting import wait_until

# What the map says, and the cell that serves the organization.
PLACES = {
    "in north": ("north", "here", "north"),
    "in home": ("home", "here", "home"),
    "being moved": ("north", "fenced", None),
    "in no cell": ("south", "here", None),
}
# {kind of token: (login, the function that opens an organization by it)}.
DOORS = {
    "seat": ("pipeline_app", "app.authenticate(%(user)s, %(organization)s, %(session)s)"),
    "key": ("pipeline_app", "app.authenticate_key(%(key_hash)s)"),
    "invite": ("pipeline_forms", "app.invite_by_token(%(invite)s)"),
    "slug": ("pipeline_forms", "app.capture_by_slug(%(slug)s)"),
    "signer": ("pipeline_forms", "app.signature_by_token(%(link_hash)s)"),
    "worker": ("pipeline_jobs", "app.check_here(%(organization)s)"),
}
PLACE = "update cells.placements set cell = %s, state = %s, placed_at = clock_timestamp() where organization_id = %s"
PLACED = "select 1 from cells.placements where organization_id = %s and cell = %s and state = %s"


def hashed(text):
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture(scope="module")
def doubled(new_company, cells, owners):
    """An organization with a copy in each cell, that of home with another name; `tokens` open it."""
    made = new_company()
    key, signable, link = made.key(), prepared.signable(made), secrets.token_hex(32)
    made.insert(
        "signature_links", request_id=signable["requestId"], signer_id=signable["signerId"], token_hash=hashed(link)
    )
    form = made.public_form()
    invite, user = made.invite(form)["token"], made.users["member"]
    program = key.headers["Authorization"].removeprefix("Bearer ")
    made.tokens_of = {"user": user, "organization": made.id, "session": made.sessions[user]}
    made.tokens_of |= {"key_hash": hashed(program), "invite": invite, "slug": form["public_slug"]}
    made.tokens_of |= {"link_hash": hashed(link)}
    public = Api(made.app)
    made.asks = {
        "seat": lambda: made.member.get("/api/organization"),
        "key": lambda: key.get("/api/organization"),
        "invite": lambda: public.get(f"/api/public/interview/{invite}"),
        "slug": lambda: public.get(f"/api/public/interview/capture/{form['public_slug']}"),
        "signer": lambda: made.app.get(f"/sign/{link}", status="*"),
    }
    cells("move", made.name, "--to", "north", "--keep")
    with owners["home"].transaction():
        owners["home"].execute("set local session_replication_role = replica")
        owners["home"].execute("update app.organizations set name = 'Stale' where id = %s", [made.id])
    yield made
    owners["home"].execute(PLACE, ["north", "here", made.id])
    wait_until(lambda: owners["north"].execute(PLACED, [made.id, "north", "here"]).fetchone())
    cells("move", made.name, "--to", "north")


@pytest.fixture(params=PLACES, scope="module")
def placed(request, doubled, owners):
    """The cell that serves the organization."""
    cell, state, serving = PLACES[request.param]
    owners["home"].execute(PLACE, [cell, state, doubled.id])
    for owner in owners.values():
        wait_until(lambda owner=owner: owner.execute(PLACED, [doubled.id, cell, state]).fetchone())
    return serving


@pytest.mark.parametrize("kind", DOORS)
def test_a_cell_opens_an_organization_only_if_the_map_places_it_there(kind, placed, doubled, servers):
    login, door = DOORS[kind]
    for cell, server in servers.items():
        with psycopg.connect(server.url(login)) as connection:
            if cell == placed:
                assert len(connection.execute(f"select * from {door}", doubled.tokens_of).fetchall()) == 1
                continue
            with pytest.raises(psycopg.DatabaseError) as refused:
                connection.execute(f"select * from {door}", doubled.tokens_of)
            assert is_not_here(refused.value), cell


@pytest.mark.parametrize("kind", [kind for kind in DOORS if kind != "worker"])
def test_a_token_reaches_its_organizations_cell_or_gets_503(kind, placed, doubled, monkeypatch):
    monkeypatch.setattr("pipeline.database.cells.SWITCH_SECONDS", 0.2)
    answer = doubled.asks[kind]()
    assert answer.status_int == (200 if placed else 503), answer.text
    assert (b"Stale" in answer.body) == (placed == "home" and kind != "signer")
    assert bool(placed) != ("Retry-After" in answer.headers)


def test_row_level_security_shows_nothing_where_the_organization_is_not(placed, doubled, cell_jobs, app):
    for pool in (*app.registry.app.cells, *app.registry.forms.cells, *cell_jobs.cells):
        with pool.transaction() as connection:
            if pool.cell != placed:
                with pytest.raises(psycopg.DatabaseError), savepoint():
                    queries.organization_enter(organization_id=doubled.id, request_id=None)
                assert seen(connection, doubled.id) == {}


def seen(connection, organization):
    """{(role, table): rows} of the organization, by all roles that the login may take."""
    found = {}
    for role in ("none", "pipeline_member", "pipeline_admin", "pipeline_public"):
        may = "select pg_has_role(session_user, %s, 'member') as may"
        if role != "none" and not connection.execute(may, [role]).fetchone()["may"]:
            continue
        connection.execute("select set_config('role', %s, true)", [role])
        for row in connection.execute(OWNED).fetchall():
            name = f"app.{row['relname']}"
            if connection.execute("select has_table_privilege(%s, 'select') as may", [name]).fetchone()["may"]:
                count = f"select count(*) as rows from {name} where organization_id = %s"
                if rows := connection.execute(count, [organization]).fetchone()["rows"]:
                    found[role, name] = rows
    return found
