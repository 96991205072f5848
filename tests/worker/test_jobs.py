"""Jobs by time change only due rows, in every organization; repeated and concurrent runs do no harm."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from pipeline.worker.jobs import JOBS
from pipeline.worker.jobs import run as run_job

LONG_AGO, JUST_NOW, SOON = (datetime.now(UTC) + timedelta(hours=hours) for hours in (-25, -1, 1))


@pytest.fixture
def run(jobs, settings):
    return lambda name: run_job(jobs, settings, name)


def twice_at_once(run, name):
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(run, [name] * 2))


def stored(owner, table, id):
    return owner.execute(f"select status from app.{table} where id = %s", (id,)).fetchone()[0]


def test_invites_whose_time_is_over_expire_and_those_in_other_hands_the_next_time(organization, owner, run):
    template = organization.template()
    over, open_ = organization.invite(template), organization.invite(template)
    organization.expire_by_time(over)
    with owner.transaction():
        held = "select from app.interview_invites where organization_id = %s and id = %s for update"
        owner.execute(held, (organization.id, over["id"]))
        run("expire_invites")
    assert stored(owner, "interview_invites", over["id"]) == "pending"
    for _ in range(2):
        run("expire_invites")
        assert stored(owner, "interview_invites", over["id"]) == "expired"
    assert stored(owner, "interview_invites", open_["id"]) == "pending"


@pytest.mark.parametrize(
    ("status", "days", "after"),
    [
        ("active", -1, "expired"),
        ("executed", -1, "expired"),
        ("active", 0, "active"),
        ("active", 1, "active"),
        ("draft", -1, "draft"),
        ("terminated", -1, "terminated"),
        ("archived", -1, "archived"),
    ],
)
@pytest.mark.parametrize("time_zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_contracts_expire_after_their_last_day_where_the_organization_is(
    organization, owner, run, status, days, after, time_zone
):
    owner.execute("update app.organizations set time_zone = %s where id = %s", (time_zone, organization.id))
    today = owner.execute("select cast(now() at time zone %s as date)", (time_zone,)).fetchone()[0]
    contract = contract_until(organization, status, today + timedelta(days))
    run("expire_contracts")
    assert stored(owner, "contracts", contract) == after


def contract_until(organization, status, last_day):
    """The id of a contract whose term ends on a day."""
    template = organization.insert("contract_templates", name="Licence", content="<p>Licence</p>")
    return organization.insert(
        "contracts",
        contract_number="RO-1",
        name="Licence",
        content="",
        status=status,
        template_id=template,
        term_months=12,
        effective_date="2020-01-01",
        termination_date=last_day,
        created_by=organization.users["member"],
    )


def test_the_lead_count_is_folded_into_one_row(organization, owner, run):
    for _ in range(5):
        organization.insert("leads", first_name="Pat")
    assert deltas(owner, organization) == (5, 5)
    twice_at_once(run, "fold_record_counts")
    assert deltas(owner, organization) == (1, 5)
    run("fold_record_counts")
    assert deltas(owner, organization) == (1, 5)
    assert organization.member.get("/api/leads", status=200).json["total"] == 5


def test_the_lead_count_stays_right_while_leads_come_in(organization, owner, run):
    with ThreadPoolExecutor(3) as threads:
        folding = [threads.submit(run, "fold_record_counts") for _ in range(6)]
        for number in range(30):
            organization.member.post("/api/leads", {"first_name": f"Lead {number}"}, status=201)
        assert [future.exception() for future in folding] == [None] * 6
    assert deltas(owner, organization)[1] == 30


def deltas(owner, organization):
    """(rows, sum) of the organization's counted changes."""
    return owner.execute(
        "select count(*), sum(delta)::int from app.record_count_deltas where organization_id = %s and kind = 'leads'",
        (organization.id,),
    ).fetchone()


def test_kept_answers_go_when_their_time_is_over(organization, owner, run):
    answer = {"scope": "user:1", "request_hash": "", "status": 201, "headers": "{}", "body": b""}
    for key, expires_at in (("old", JUST_NOW), ("young", SOON)):
        organization.insert("idempotency_keys", "key", key=key, expires_at=expires_at, **answer)
    run("purge_idempotency_keys")
    rows = owner.execute("select key from app.idempotency_keys where organization_id = %s", (organization.id,))
    assert rows.fetchall() == [("young",)]


def test_drafts_of_public_forms_go_with_their_files_when_their_time_is_over(organization, owner, run):
    draft = {"template_id": organization.template()["id"], "answers": "{}", "agreed": ""}
    for token, expires_at in (("a" * 64, JUST_NOW), ("b" * 64, SOON)):
        organization.insert("capture_drafts", "token", token=token, expires_at=expires_at, **draft)
        file = {"filename": "a.txt", "content_type": "text/plain", "size": 1, "sha256": token}
        organization.insert("files", **file, draft_token=token)
    run("purge_capture_drafts")
    for table, column in (("capture_drafts", "token"), ("files", "draft_token")):
        rows = owner.execute(f"select {column} from app.{table} where organization_id = %s", (organization.id,))
        assert rows.fetchall() == [("b" * 64,)]


def test_closed_events_go_after_a_month_and_open_ones_never(outbox, owner, run):
    old, young, still_open = outbox.add(), outbox.add(), outbox.add(age="90 days")
    owner.execute("update app.outbox set done_at = now() - interval '31 days' where id = %s", (old,))
    owner.execute("update app.outbox set done_at = now() - interval '29 days' where id = %s", (young,))
    twice_at_once(run, "purge_outbox")
    assert outbox.state(old) is None
    assert outbox.state(young)
    assert outbox.state(still_open)


@pytest.mark.parametrize("over", ["expires_at", "ended_at"])
def test_a_session_its_tokens_and_a_link_go_a_day_after_they_were_over(over, organization, owner, run):
    person = organization.users["member"]
    sessions = {moment: organization.session(person) for moment in (LONG_AGO, JUST_NOW)}
    for moment, session in sessions.items():
        organization.refresh_token(session)
        owner.execute(f"update app.sessions set {over} = %s where id = %s", (moment, session))
        organization.insert("account_links", kind="reset", user_id=person, expires_at=moment)
    run("purge_sessions")
    for table, column in (("sessions", "id"), ("refresh_tokens", "session_id")):
        rows = owner.execute(f"select {column} from app.{table} where {column} = any(%s)", (list(sessions.values()),))
        assert rows.fetchall() == [(sessions[JUST_NOW],)]
    rows = owner.execute("select expires_at from app.account_links where organization_id = %s", (organization.id,))
    assert rows.fetchall() == [(JUST_NOW,)]


def test_a_refresh_token_of_a_living_session_goes_a_day_after_it_ran_out(organization, owner, run):
    organization.refresh_token(organization.session(organization.users["member"]))
    run_out = "update app.refresh_tokens set expires_at = %s where organization_id = %s"
    owner.execute(run_out, (LONG_AGO, organization.id))
    run("purge_sessions")
    rows = owner.execute("select from app.refresh_tokens where organization_id = %s", (organization.id,))
    assert rows.fetchall() == []


def test_a_job_that_fails_for_one_organization_is_done_for_the_others(organization, new_organization, owner, run):
    broken, sound = organization, new_organization()
    contracts = [contract_until(each, "active", "2020-12-31") for each in (broken, sound)]
    owner.execute("update app.organizations set time_zone = 'Nowhere/Else' where id = %s", (broken.id,))
    run("expire_contracts")
    assert [stored(owner, "contracts", id) for id in contracts] == ["active", "expired"]
    owner.execute("update app.organizations set time_zone = 'UTC' where id = %s", (broken.id,))


def test_every_job_runs_with_the_rights_of_the_jobs_login(run):
    for name in JOBS:
        run(name)
