import itertools
from concurrent.futures import ThreadPoolExecutor

import pytest
from webtest import TestApp

from tests.forms.paper import Paper
from tests.http.applications import application
from tests.http.target import assert_problem
from tests.support import Api

ANSWERS = {"product_line": "server"}
DAY = 24 * 60 * 60
NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def counting(settings, redis_url):
    """Two applications, as two processes are, that count for real: quotas of 5 emails, 3 leads a form, 5 in all."""
    quotas = {"mail_quota_per_day": 5, "capture_quota_per_form": 3, "capture_quota_per_organization": 5}
    options = {"rate_limit_factor": 1, "redis_url": redis_url, "database_pool": 4, **quotas}
    with application(settings, **options) as first, application(settings, **options) as second:
        yield [first, second]


@pytest.fixture
def organization(counting, new_organization):
    """An organization that works with the first of these applications."""
    return new_organization(counting[0])


@pytest.fixture
def invite(organization):
    """invite(**changes): the answer to a new invite that is to be mailed."""
    template = organization.template()

    def post(app=organization.app, headers=None, **changes):
        body = {"template_id": template["id"], "recipient_email": "pat@prospect.example", "send_email": True, **changes}
        client = Api(app, **organization.member.headers)
        return client.post("/api/interview-invites", body, headers=headers)

    return post


def test_beyond_the_mail_quota_an_invite_is_refused_and_nothing_is_stored_until_the_next_day(
    organization, invite, owner
):
    assert [invite().status_int for _ in range(5)] == [201] * 5
    refused = invite()
    assert_problem(refused, 429, "mail_quota")
    assert 0 < int(refused.headers["Retry-After"]) <= DAY
    stored = organization.rows()
    assert (len(stored["interview_invites"]), len(stored["outbox"])) == (5, 5)
    owner.execute("update app.mail_days set day = day - 1 where organization_id = %s", (organization.id,))
    assert invite().status_int == 201


def test_each_organization_has_a_mail_quota_of_its_own_which_is_exact_over_processes(
    counting, organization, new_organization, invite
):
    apps = [TestApp(app) for app in counting] * 8
    with ThreadPoolExecutor(8) as threads:
        answers = sorted(threads.map(lambda app: invite(app).status_int, apps))
    assert answers == [201] * 5 + [429] * 11
    assert len(organization.rows()["interview_invites"]) == 5
    assert new_organization(counting[0]).invite(send_email=True)["email_status"] == "queued"


def test_invitations_to_work_here_are_counted_too(organization, invite):
    people = iter(range(10))

    def offer():
        return organization.admin.post("/api/users", {"email": f"person-{next(people)}@x.example", "role": "member"})

    offered = [offer() for _ in range(3)]
    again = f"/api/users/{offered[0].json['id']}/invite"
    assert [answer.status_int for answer in offered] == [201] * 3
    assert (organization.admin.post(again).status_int, invite().status_int) == (200, 201)
    for refused in (offer(), organization.admin.post(again), invite()):
        assert_problem(refused, 429, "mail_quota")


def test_unsent_refused_and_replayed_emails_take_no_mail_quota(invite):
    key = {"Idempotency-Key": "once"}
    assert {invite(headers=key).status_int for _ in range(7)} == {201}
    assert {invite(send_email=False).status_int for _ in range(6)} == {201}
    assert {invite(lead_id=987_654_321).status_int for _ in range(6)} == {422}
    assert [invite().status_int for _ in range(5)] == [201] * 4 + [429]


def form(organization):
    """The slug of a further public form."""
    slug = f"{organization.name}-{next(NUMBERS)}"
    return organization.public_form(slug=slug, public_slug=slug)["public_slug"]


@pytest.fixture
def stranger(counting):
    """stranger(): a client of the next application at the next address."""

    def call():
        at = next(NUMBERS)
        return Api(TestApp(counting[at % 2], extra_environ={"REMOTE_ADDR": f"10.9.{at // 250}.{at % 250}"}))

    return call


@pytest.fixture
def begin(stranger):
    """begin(slug): the page after the first step that a stranger sends."""
    return lambda slug: Paper(stranger().app, f"/forms/capture/{slug}").fill(product_line="server").press()


@pytest.fixture
def capture(stranger):
    def post(slug, answers=ANSWERS, headers=None, **members):
        path = f"/api/public/interview/capture/{slug}/submit"
        return stranger().post(path, {"answers": answers, **members}, headers=headers)

    return post


def test_beyond_its_quota_of_which_strangers_learn_nothing_a_form_takes_no_lead_from_anybody_and_the_others_go_on(
    organization, capture
):
    flooded, other = form(organization), form(organization)
    for _ in range(3):
        taken = capture(flooded)
        assert taken.status_int == 201
        assert "capture" not in taken.headers["RateLimit"] + taken.headers["RateLimit-Policy"]
    for _ in range(7):
        refused = capture(flooded)
        assert_problem(refused, 429, "capture_quota")
    assert 0 < int(refused.headers["Retry-After"]) <= 3600
    # The organization's forms have a quota together.
    assert [capture(slug).status_int for slug in (other, form(organization), form(organization))] == [201, 201, 429]
    assert len(organization.leads()) == 5


def test_the_capture_quota_is_exact_over_processes_however_many_come_at_once(organization, capture):
    slug = form(organization)
    with ThreadPoolExecutor(8) as threads:
        answers = sorted(threads.map(lambda _: capture(slug).status_int, range(16)))
    assert answers == [201] * 3 + [429] * 13
    assert len(organization.leads()) == 3


def test_replays_and_requests_that_store_nothing_take_no_form_quota(organization, capture):
    slug, key = form(organization), {"Idempotency-Key": "click"}
    for _ in range(4):
        assert capture(slug, {}).status_int == 422
        assert capture(slug, website_confirm="https://spam.example").status_int == 201
        assert capture(slug, headers=key).status_int == 201
    assert [capture(slug).status_int for _ in range(3)] == [201, 201, 429]


def test_a_hosted_form_beyond_its_quota_says_so_and_keeps_what_was_typed(organization, capture, begin):
    slug = form(organization)
    for _ in range(3):
        capture(slug)
    typed = {"_go": "submit", "_step": "check-answers", "_agreed": "Ada & Co"}
    page = organization.app.post(begin(slug).path, typed, status=429)
    assert page.html.body["data-state"] == "crowded"
    assert page.html.select_one("[name=_agreed]")["value"] == typed["_agreed"]
    assert 0 < int(page.headers["Retry-After"]) <= 3600
    assert "minutes" in page.html.select_one("p.lead").text


def drafts(organization, owner):
    counted = "select count(*) from app.capture_drafts where organization_id = %s group by template_id order by 1"
    return [row[0] for row in owner.execute(counted, (organization.id,))]


def test_a_stranger_with_many_addresses_cannot_fill_the_table_of_drafts(organization, begin, owner):
    flooded, other = form(organization), form(organization)
    states = [begin(flooded).state for _ in range(17)]
    assert states == ["review"] * 15 + ["crowded"] * 2
    assert [begin(other).state for _ in range(11)] == ["review"] * 10 + ["crowded"]
    assert drafts(organization, owner) == [10, 15]


def test_a_crowded_form_keeps_what_was_typed_and_a_draft_of_it_is_finished_and_sent(organization, begin):
    slug = form(organization)
    mine, *_, crowded = (begin(slug) for _ in range(16))
    assert (crowded.response.status_int, crowded.value("product_line")) == (429, "server")
    assert 0 < int(crowded.response.headers["Retry-After"]) <= 3600
    assert mine.press("step:needs").fill(seats="7").press().press("submit").state == "done"
    assert len(organization.leads()) == 1


def test_the_bound_of_drafts_is_exact_however_many_come_at_once(organization, begin, owner):
    slug = form(organization)
    with ThreadPoolExecutor(8) as threads:
        states = sorted(threads.map(lambda _: begin(slug).state, range(20)))
    assert states == ["crowded"] * 5 + ["review"] * 15
    assert drafts(organization, owner) == [15]
