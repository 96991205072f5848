"""The functions beyond one organization: their callers, and results about the caller's own rows only."""

import pytest

from tests.database.conftest import MAY, ask, here

STATE_OF = "select state from app.account_link(encode(sha256(convert_to(%s, 'UTF8')), 'hex'))"

# What each login, and each role that it may become, may call; an administrator what a member may, too.
CALLABLE = {
    "pipeline_app": "account account_link api_key_used authenticate authenticate_key "
    "invitation_activate invitation_decline invitation_join login_account login_failed login_recorded memberships "
    "outbox_backlog password_change password_forgot password_hash password_reset "
    "refresh_token_rotate session_end session_list session_logout session_start sessions_end storage_total "
    "webhook_backlog webhooks_counted",
    "pipeline_member": "account account_rename company_similar form_logo invitation_answer invitations_of "
    "is_active_seat memberships search_ids session_end session_list sessions_end",
    "pipeline_admin": "account account_rename company_similar invitation_answer invitation_send invitations_of "
    "changes_erase export_recorded form_logo is_active_seat memberships person_notifications "
    "search_ids session_end session_list sessions_end traces_erase",
    "pipeline_forms": "capture_by_slug invite_by_token logo_by_sha256 signature_by_token",
    "pipeline_public": "form_logo is_active_seat lead_is_new signature_by_token signature_code_ask signature_code_try",
    "pipeline_jobs": "account_link_issue changes_purge organization_ids outbox_lease overdue_end "
    "session_purge signature_code_issue signature_link_issue webhook_lease webhooks_behind",
}


# A call of a function for nulls that are known only when it is executed: else a strict one would not be called.
CALL = """
select proname from pg_proc
where pronamespace = 'app'::regnamespace and prosecdef and prorettype <> 'trigger'::regtype and pg_temp.may((
    select format(
        'select app.%I(%s) from (select %s offset 0) as given', proname,
        coalesce(string_agg('a' || n, ', ' order by n), ''),
        coalesce(string_agg(format('null::%s as a%s', format_type(kind, null), n), ', ' order by n), '')
    )
    from unnest(proargtypes) with ordinality as argument (kind, n)
))"""


@pytest.mark.parametrize("role", CALLABLE)
def test_a_role_may_call_only_the_look_ups_meant_for_it(owner, role):
    owner.execute(MAY)
    owner.execute(f"set local role {role}")
    assert {name for (name,) in owner.execute(CALL)} == set(CALLABLE[role].split())


def with_logo(owner, ids, content_type="image/png"):
    """Make the organization's file its logo: its SHA-256, which is the organization's own."""
    sha256 = f"{ids['organizations']:064x}"
    made = "update app.files set content_type = %s, sha256 = %s where id = %s"
    owner.execute(made, (content_type, sha256, ids["files"]))
    shown = "update app.organizations set logo_file_id = %s where id = %s"
    owner.execute(shown, (ids["files"], ids["organizations"]))
    return sha256


def test_a_form_names_the_logo_of_its_own_organization(owner, world):
    shown = {name: with_logo(owner, world[name]) for name in world}
    for name in world:
        here(owner, world, name)
        assert owner.execute("select app.form_logo()").fetchall() == [(shown[name],)]


def test_only_a_picture_that_is_a_logo_is_found_by_its_hash_and_only_by_it(owner, world):
    sha256 = with_logo(owner, world["acme"])
    with_logo(owner, world["globex"])
    find = "select content from app.logo_by_sha256(%s)"
    assert owner.execute(find, (sha256,)).fetchall() == [(b"x",)]
    assert owner.execute(find, ("f" * 64,)).fetchall() == []
    owner.execute("update app.organizations set logo_file_id = null")
    assert owner.execute(find, (sha256,)).fetchall() == []
    with_logo(owner, world["acme"], "application/pdf")
    here(owner, world)
    assert owner.execute("select app.form_logo()").fetchall() in ([], [(None,)])
    assert owner.execute(find, (sha256,)).fetchall() == []


def test_a_person_is_looked_up_and_renamed_alone(owner, world):
    mine, other = world["acme"]["users"], world["globex"]["users"]
    owner.execute("select app.account_rename(%s, 'Kim')", (mine,))
    found = [owner.execute("select user_id, name from app.account(%s)", (one,)).fetchall() for one in (mine, other)]
    assert found == [[(mine, "Kim")], [(other, "Rep")]]


def test_a_persons_memberships_are_their_own_active_seats(owner, world):
    for name in world:
        found = owner.execute("select id from app.memberships(%s)", (world[name]["users"],)).fetchall()
        assert found == [(world[name]["organizations"],)]
    owner.execute("update app.organization_users set seat_active = false")
    assert owner.execute("select * from app.memberships(%s)", (world["acme"]["users"],)).fetchall() == []


def test_an_inactive_seat_and_another_organizations_seat_are_none(owner, world):
    here(owner, world)
    mine, other = world["acme"]["users"], world["globex"]["users"]
    assert [ask(owner, "is_active_seat(%s)", one) for one in (mine, other)] == [True, False]
    owner.execute("update app.organization_users set seat_active = false")
    assert ask(owner, "is_active_seat(%s)", mine) is False


@pytest.mark.parametrize(
    ("change", "state"), [("used_at = null", "open"), ("used_at = now()", "used"), ("expires_at = now()", "expired")]
)
def test_a_link_tells_of_itself_alone_and_whether_it_is_good(owner, world, change, state):
    owner.execute("update app.account_links set " + change)
    hashes = "select organization_id, token_hash from app.account_links where organization_id = any(%s) order by 1"
    organizations = [ids["organizations"] for ids in world.values()]
    for organization, token_hash in owner.execute(hashes, (organizations,)).fetchall():
        find = "select organization_id, state from app.account_link(%s)"
        assert owner.execute(find, (token_hash,)).fetchall() == [(organization, state)]


def test_a_token_is_made_for_an_open_link_of_the_organization_and_ends_the_former_one(owner, world):
    here(owner, world)
    mine, other = world["acme"]["account_links"], world["globex"]["account_links"]
    kept = "select token_hash from app.account_links where id = %s and organization_id = %s"
    before = owner.execute(kept, (other, world["globex"]["organizations"])).fetchone()
    first, second = (ask(owner, "account_link_issue(%s)", mine) for _ in range(2))
    states = [owner.execute(STATE_OF, (token,)).fetchone() for token in (first, second)]
    assert (len(second), states) == (64, [None, ("open",)])
    assert ask(owner, "account_link_issue(%s)", other) is None
    assert owner.execute(kept, (other, world["globex"]["organizations"])).fetchone() == before


@pytest.mark.parametrize("change", ["used_at = now()", "mailed_at = now()", "expires_at = now()"])
def test_no_token_is_made_for_a_link_that_is_over_or_whose_email_was_sent(owner, world, change):
    owner.execute(f"update app.account_links set {change} where organization_id = %s", [here(owner, world)])
    assert ask(owner, "account_link_issue(%s)", world["acme"]["account_links"]) is None


def test_an_invitation_is_sent_again_in_its_organization_while_it_is_open_and_ends_its_earlier_links(owner, world):
    here(owner, world)
    mine, other, user = world["acme"]["invitations"], world["globex"]["invitations"], world["acme"]["users"]
    assert [ask(owner, "invitation_send(%s, %s)", one, user) for one in (mine, mine, other)] == [True, True, False]
    open_ones = "select count(*) from app.account_links where invitation_id = %s and used_at is null"
    assert owner.execute(open_ones, (mine,)).fetchone() == (1,)
    owner.execute("update app.invitations set outcome = 'declined', ended_at = now() where user_id = %s", (mine,))
    assert ask(owner, "invitation_send(%s, %s)", mine, user) is False


def test_an_invite_is_found_by_its_token_alone(owner, world):
    for ids in world.values():
        token = owner.execute(
            "select token from app.interview_invites where id = %s", (ids["interview_invites"],)
        ).fetchone()
        found = owner.execute("select organization_id, invite_id from app.invite_by_token(%s)", token).fetchall()
        assert found == [(ids["organizations"], ids["interview_invites"])]


@pytest.mark.parametrize(
    ("change", "open"),
    [("lead_capture_enabled = true", True), ("lead_capture_enabled = false", False), ("deleted_at = now()", False)],
)
def test_a_capture_form_is_found_by_its_slug_while_it_is_open(owner, world, change, open):
    owner.execute(f"update app.interview_templates set {change} where public_slug is not null")
    for slug, ids in world.items():
        found = owner.execute("select organization_id from app.capture_by_slug(%s)", (f"{slug}-form",)).fetchall()
        assert found == ([(ids["organizations"],)] if open else [])


@pytest.mark.parametrize(
    ("change", "good"),
    [
        ("expires_at = null", True),
        ("expires_at = now() + interval '1 day'", True),
        ("expires_at = now()", False),
        ("revoked_at = now()", False),
    ],
)
def test_a_key_is_known_by_its_hash_alone_and_good_until_it_ends_or_is_revoked(owner, world, change, good):
    owner.execute(f"update app.api_keys set {change}")
    for ids in world.values():
        key_hash = owner.execute("select key_hash from app.api_keys where id = %s", (ids["api_keys"],)).fetchone()
        found = owner.execute("select key_id, good from app.authenticate_key(%s)", key_hash).fetchall()
        assert found == [(ids["api_keys"], good)]


def test_notifications_about_a_person_are_found_in_the_organization_alone(owner, world):
    owner.execute("""update app.notifications set data = '{"lead_id": 7}'""")
    mine = "select id from app.notifications where organization_id = %s"
    found = owner.execute(mine, [here(owner, world)]).fetchall()
    assert owner.execute("select id from app.person_notifications('{7}', '{}')").fetchall() == found != []
