"""The functions beyond one organization: their callers, and answers about the caller's own rows only."""

import pytest

from tests.database.conftest import MAY, each, named, short, told

# What each login, and each role that it may become, may call; an administrator what a member may, too.
CALLABLE = {
    "pipeline_app": "account account_link account_make account_rename api_key_used authenticate authenticate_key "
    "cell_beat check_here holder invitation_activate invitation_answer invitation_decline "
    "invitation_join invitations_of login_account login_failed login_recorded memberships "
    "name_claim outbox_backlog password_change password_forgot password_hash password_reset "
    "placements refresh_token_rotate reset_links_end seat_choose session_arrived session_end "
    "session_list session_logout session_start sessions_end storage_total webhook_backlog "
    "webhooks_counted",
    "pipeline_member": "account account_rename changed_fields company_similar feed_offset field_hits form_logo "
    "invitation_answer invitations_of is_active_seat memberships own_key search_ids session_end "
    "session_list sessions_end signature_links_end",
    "pipeline_admin": "account account_rename changed_fields changes_erase company_similar export_recorded "
    "feed_offset field_hits form_logo invitation_answer invitation_send invitations_of "
    "is_active_seat memberships own_key person_notifications search_ids session_end session_list "
    "sessions_end signature_links_end traces_erase",
    "pipeline_forms": "capture_by_slug cell_beat check_here holder invite_by_token logo_by_sha256 placements "
    "signature_by_token",
    "pipeline_public": "form_logo is_active_seat lead_is_new signature_by_token signature_code_ask signature_code_try "
    "signature_reading_copy",
    "pipeline_jobs": "account_link_issue cell_beat changes_purge check_here feed_offset organization_ids "
    "outbox_lease overdue_end placements session_purge signature_code_issue signature_link_issue "
    "statistics_renew webhook_lease webhooks_behind",
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


UNSEATED = "update app.organization_users set seat_active = false"
# The file of each organization is its logo; its SHA-256 is the organization's own.
LOGO = (
    "update app.files set content_type = 'image/png', sha256 = lpad(organization_id::text, 64, '0') "
    "where id in (acme.files, globex.files); update app.organizations as owner set logo_file_id = file.id "
    "from app.files as file where file.organization_id = owner.id and file.id in (acme.files, globex.files)"
)
NO_PICTURE = f"{LOGO}; update app.files set content_type = 'application/pdf' where id = acme.files"
LOGO_FOUND = "select count(*) from app.logo_by_sha256({})"
LINK_ISSUED = "select length(app.account_link_issue({}))"


def traces(slug):
    """What messages, exports and changes of an organization still say of a person."""
    of = f"where organization_id = {slug}.organizations"
    return (
        f"select (select string_agg(distinct body, ' ') from app.webhook_deliveries {of}), "
        "string_agg(distinct details #>> '{filter,search}', ' '), string_agg(distinct changed #>> '{email,old}', ' ') "
        f"from app.changes {of}"
    )


def erased(call):
    return f"""
        update app.webhook_deliveries set body = '{{"data": "ada@x.example"}}', record_type = 'leads';
        update app.changes set action = 'exported', details = '{{"filter": {{"search": "ada"}}}}', type = 'leads',
            record_id = 1, parent_type = null, parent_id = null,
            changed = '{{"email": {{"old": "ada@x.example", "new": null}}}}'; select app.{call}"""


def copies(slug):
    """Whether an organization has a stored response, and what the report of its import says."""
    of = f"where organization_id = {slug}.organizations"
    return (
        f"select (select body <> '' from app.idempotency_keys {of}), "
        f"(select report -> 'warnings' from app.lead_imports {of})"
    )


COPIES = """
    update app.idempotency_keys
    set body = convert_to('{"created": [{"id": 1, "disqualify_reason": null}], "upserted": []}', 'UTF8');
    update app.lead_imports set report = '{"warnings": [1]}';
    select app.traces_erase('{1}', '{}', '{}', '{}', '{/leads/1}', '{}', '{}')"""
FIELDS = """update app.leads set fields = '{"seats": 5, "code": "5"}' where id in (acme.leads, globex.leads)"""
FIELD_HITS = "select ids from app.field_hits('leads', {}, {}, {}, null)"
PLACE = "insert into app.field_places (organization_id, kind, key, is_date, place) "
# Other places of the key belong to another type, kind of records or organization.
PLACES = f"""{PLACE} values
    (acme.organizations, 'leads', 'seats', false, 1), (acme.organizations, 'leads', 'seats', true, 2),
    (acme.organizations, 'deals', 'seats', false, 2), (globex.organizations, 'leads', 'seats', false, 2);
    {FIELDS}"""
NUMBERS = "select field_numbers from app.leads where id = acme.leads"
OWN_PLACES = "from app.field_places where organization_id = acme.organizations"
DEFINED = "insert into app.fields (organization_id, kind, key, label, type) values "
KEYS = f"""{DEFINED}
    (globex.organizations, 'lead', 'a', 'A', 'number'), (acme.organizations, 'deal', 'b', 'B', 'number'),
    (acme.organizations, 'lead', 'c', 'C', 'date'), (acme.organizations, 'lead', 'd', 'D', 'money')"""
AGAIN = f"delete from app.fields where key = 'd'; {DEFINED} (acme.organizations, 'lead', 'd', 'D', 'money')"
FULL = f"{PLACE} select acme.organizations, 'leads', 'k' || i, false, i from generate_series(1, 300) as i; "
MANY = (
    "insert into app.leads (organization_id, first_name, fields) "
    """select acme.organizations, 'Pat', '{"seats": 9}' from generate_series(1, 10001)"""
)
TRACES = erased("traces_erase('{}', '{}', '{}', '{}', '{}', '{ada@x.example}', '{Ada}')")
KEPT = '{"data": "ada@x.example"} ada ada@x.example'
PURGED = "update app.changes set transaction_id = 1, at = at - interval '500 days'; select app.changes_purge(400)"
CHANGES = "select count(*) > 0 from app.changes where organization_id = {}.organizations"
QUEUED = """
    update app.outbox set done_at = now(), due_at = now() - interval '1 hour';
    insert into app.outbox (event, key, due_at, leased_until) values
        ('told', 'due', now() - interval '5 seconds', null), ('told', 'leased', now(), now() + interval '1 minute'),
        ('told', 'later', now() + interval '1 minute', null)"""
# {what is asked in acme: {after a change: the answer}}
ANSWERS = {
    "select user_id, name from app.account(acme.users)": {
        "": "acme.users Rep",
        "select app.account_rename(acme.users, 'Kim')": "acme.users Kim",
        "select app.account_rename(globex.users, 'Kim')": "acme.users Rep",
    },
    "select id from app.memberships(acme.users)": {"": "acme.organizations", UNSEATED: ""},
    "select app.is_active_seat(acme.users), app.is_active_seat(globex.users)": {
        "": "True False",
        UNSEATED: "False False",
    },
    "select app.form_logo() = lpad('acme.organizations', 64, '0')": {LOGO: "True", NO_PICTURE: "None"},
    LOGO_FOUND.format("lpad('acme.organizations', 64, '0')"): {
        LOGO: "1",
        f"{LOGO}; update app.organizations set logo_file_id = null": "0",
        NO_PICTURE: "0",
    },
    LOGO_FOUND.format("repeat('f', 64)"): {LOGO: "0"},
    LINK_ISSUED.format("acme.account_links"): {
        "": "64",
        "update app.account_links set used_at = now()": "None",
        "update app.account_links set mailed_at = now()": "None",
        "update app.account_links set expires_at = now()": "None",
    },
    LINK_ISSUED.format("globex.account_links"): {"": "None"},
    # A new token ends the former one.
    "select count(*) from app.account_link(encode(sha256('link acme'), 'hex'))": {
        "": "1",
        LINK_ISSUED.format("acme.account_links"): "0",
    },
    "select app.invitation_send(acme.invitations, acme.users)": {
        "": "True",
        "update app.invitations set outcome = 'declined', ended_at = now()": "False",
    },
    "select app.invitation_send(globex.invitations, acme.users)": {"": "False"},
    # The last link is the only open one.
    "select count(*) from app.account_links where invitation_id = acme.invitations and used_at is null": {
        "select app.invitation_send(acme.invitations, acme.users) from generate_series(1, 2)": "1"
    },
    "select invite_id from app.invite_by_token(encode(sha256('token acme'), 'hex'))": {"": "acme.interview_invites"},
    "select organization_id from app.capture_by_slug('acme-form')": {
        "": "acme.organizations",
        "update app.interview_templates set lead_capture_enabled = false": "",
        "update app.interview_templates set deleted_at = now()": "",
    },
    "select key_id, good from app.authenticate_key(encode(sha256('key acme'), 'hex'))": {
        "": "acme.api_keys True",
        "update app.api_keys set expires_at = now() + interval '1 day'": "acme.api_keys True",
        "update app.api_keys set expires_at = now()": "acme.api_keys False",
        "update app.api_keys set revoked_at = now()": "acme.api_keys False",
    },
    "select id from app.person_notifications('{7}', '{}')": {
        """update app.notifications set data = '{"lead_id": 7}'""": "acme.notifications"
    },
    "select app.search_ids('leads', array['angstr', 'zoe'])": {"": "[acme.leads]"},
    "select app.search_ids('leads', array['angstr', 'nobody'''])": {"": "[]"},
    FIELD_HITS.format("""'{"seats": 5}'""", "null", "null"): {FIELDS: "[acme.leads]"},
    FIELD_HITS.format("""'{"seats": 6}'""", "null", "null"): {FIELDS: "[]"},
    FIELD_HITS.format("null", """'{"seats": 5}'""", """'{"seats": 5}'"""): {
        FIELDS: "[acme.leads]",
        PLACES: "[acme.leads]",
    },
    FIELD_HITS.format("null", """'{"seats": 6}'""", "null"): {FIELDS: "[]"},
    FIELD_HITS.format("null", "null", """'{"code": 9}'"""): {FIELDS: "[]"},
    FIELD_HITS.format("""'{"seats": 9}'""", "null", "null").replace("ids", "total, ids"): {MANY: "10001 None"},
    NUMBERS: {PLACES: "[5.0, None]", PLACES.replace('"seats": 5', '"seats": "5"'): "None"},
    f"select string_agg(key || place, ' ' order by key) {OWN_PLACES} and length(key) = 1": {
        KEYS: "b1 c1 d2",
        f"{KEYS}; {AGAIN}": "b1 c1 d2",
    },
    f"select count(*) {OWN_PLACES} and kind = 'leads'": {FULL + KEYS: "300"},
    copies("acme"): {COPIES: "False []"},
    copies("globex"): {COPIES: "True [1]"},
    "select id from app.company_similar('Muller and Sohn')": {"": "acme.companies"},
    traces("acme"): {
        TRACES: '{"data": {"id": 1}} None None',
        erased("changes_erase('leads', '{1}')"): '{"data": {"id": 1}} ada None',
        erased("changes_erase('deals', '{1}')"): KEPT,
    },
    traces("globex"): {TRACES: KEPT, erased("changes_erase('leads', '{1}')"): KEPT},
    CHANGES.format("acme"): {PURGED: "False"},
    CHANGES.format("globex"): {PURGED: "True"},
    "select key from app.outbox_lease('mail', 9, 9, '1s') join app.outbox using (id)": {QUEUED: "due"},
    "select queue, waiting, cast(oldest_seconds as integer) from app.outbox_backlog()": {
        QUEUED: "conversions 0 0 documents 0 0 mail 2 5"
    },
}


@pytest.mark.parametrize(("question", "change", "answer"), each(ANSWERS), ids=short)
def test_a_look_up_answers_about_the_callers_own_rows_only(owner, world, question, change, answer):
    assert told(owner, world, question, change) == named(world, answer)
