import pytest
from psycopg import errors

from tests.database.conftest import ask
from tests.database.test_accounts import invite, link

# What ends an invitation; what ends its links; whose address is nobody's yet.
ENDED = "invitations set outcome = 'declined', ended_at = now()"
LATE = "invitations set expires_at = now()"
UNCONFIRMED = "users set confirmed_at = null, password_hash = null"


@pytest.fixture
def invited(owner, world):
    """(the id of an invitation to acme for the person of globex, the hash of its link's token)."""
    made = invite(owner, "REP@globex.example", world["acme"])
    return made, link(owner, world["acme"], made)


def seats(owner, world):
    found = "select count(*) from app.organization_users where organization_id = %s and user_id = %s"
    return owner.execute(found, (world["acme"]["organizations"], world["globex"]["users"])).fetchone()[0]


def outcome(owner, invited):
    """The outcome of an invitation, and how many of its links are still open."""
    return owner.execute(
        "select i.outcome, (select count(*) from app.account_links l where l.invitation_id = i.user_id "
        "and l.used_at is null) from app.invitations i where i.user_id = %s",
        (invited[0],),
    ).fetchone()


def test_an_invitation_is_settled_once_in_its_own_organization_and_only_acceptance_makes_a_seat(owner, world, invited):
    acme, globex = world["acme"], world["globex"]

    def settle(organization, word):
        given = organization["organizations"], invited[0], word, globex["users"]
        was_open = ask(owner, "invitation_settle(%s, %s, %s, %s)", *given)
        return was_open, outcome(owner, invited), seats(owner, world)

    assert settle(globex, "accepted") == (False, (None, 1), 0)
    assert settle(acme, "declined") == (True, ("declined", 0), 0)
    assert settle(acme, "accepted") == (False, ("declined", 0), 0)


@pytest.mark.parametrize(
    ("change", "good"),
    [
        ("users set name = name", True),
        ("account_links set used_at = now()", False),
        ("account_links set expires_at = now()", False),
        (ENDED, False),
    ],
)
def test_a_link_answers_while_it_is_unused_in_time_and_its_invitation_open(owner, invited, change, good):
    owner.execute(f"update app.{change}")
    assert ask(owner, "invitation_decline(%s)", invited[1]) is good


def test_a_link_tells_what_was_answered(owner, invited):
    ask(owner, "invitation_decline(%s)", invited[1])
    assert owner.execute("select state from app.account_link(%s)", (invited[1],)).fetchone() == ("declined",)


@pytest.mark.parametrize(
    ("change", "who", "shown"),
    [
        ("users set name = name", "globex", True),
        ("users set name = name", "acme", False),
        (ENDED, "globex", False),
        (LATE, "globex", False),
        (UNCONFIRMED, "globex", False),
    ],
)
def test_a_person_sees_and_answers_open_invitations_to_their_confirmed_address(
    owner, world, invited, change, who, shown
):
    owner.execute(f"update app.{change}")
    person = world[who]["users"]
    seen = owner.execute("select id from app.invitations_of(%s)", (person,)).fetchall()
    assert seen == ([(invited[0],)] if shown else [])
    assert (ask(owner, "invitation_answer(%s, %s, 'declined')", person, invited[0]) is not None) is shown


def test_an_address_is_invited_again_only_when_its_invitation_has_ended(owner, world, invited):
    with pytest.raises(errors.UniqueViolation), owner.transaction():
        invite(owner, "rep@globex.EXAMPLE", world["acme"])
    owner.execute(f"update app.{ENDED}")
    assert invite(owner, "rep@globex.EXAMPLE", world["acme"]) > invited[0]
