import contextlib
import re
from datetime import UTC, datetime, timedelta

import pytest
from webtest import TestApp

from pipeline.forms.page.form import MOST_RECENT, Look, Recent
from tests.forms.browsing import GIVEN
from tests.http.applications import application, settings_of
from tests.interviews.test_public import age_submit
from tests.support import interview

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
CLOSED = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
}
NOBODYS = f"/forms/interview/{'0' * 64}"


@pytest.fixture
def path(invite):
    return f"/forms/interview/{invite['token']}"


@pytest.fixture
def wishes(owner, invite):
    told = "select count(*) from app.outbox where event = 'interview_link_asked' and payload ->> 'invite_id' = %s"
    return lambda: owner.execute(told, [str(invite["id"])]).fetchone()[0]


def test_an_expired_invite_is_gone_and_says_what_to_do(organization, invite, paper):
    organization.expire_by_time(invite)
    assert paper.fill(your_name="Ada").press(status=410).state == "expired"
    assert paper.open("", status=410).state == "expired"
    assert paper.text("h1") == ["This link has expired"]
    assert re.fullmatch("[0-9a-f]{32}", paper.html.body["data-store"])
    assert paper.text(".organization") == [organization.name]


def test_a_late_visitor_asks_for_a_new_link_once_a_day(organization, invite, paper, owner, wishes):
    organization.expire_by_time(invite)
    for _ in range(2):
        assert paper.open("?lang=de", status=410).text("button") == ["Neuen Link erbitten"]
        assert paper.press("ask").text("button, form") == []
        assert paper.text(".lead")[0].startswith("Wir haben der Person Bescheid gesagt")
    assert wishes() == 1
    owner.execute("update app.outbox set key = key || ' the day before' where event = 'interview_link_asked'")
    paper.open("?lang=de").press("ask")
    assert wishes() == 2


def test_nobody_asks_for_a_link_that_still_works_or_for_one_that_never_was(anonymous, path, wishes):
    ask = {"_go": "ask"}
    anonymous.app.post(path, ask, headers={"Sec-Fetch-Site": "same-origin"}, status=303)
    anonymous.app.post(path, ask, headers={"Sec-Fetch-Site": "cross-site"}, status=403)
    for go in ("ask", "next"):
        assert anonymous.app.post(NOBODYS, {"_go": go}, status=404).html.h1
    assert wishes() == 0


def test_a_submitted_interview_gives_thanks_and_for_thirty_days_its_answers(anonymous, invite, path, paper, owner):
    anonymous.post(interview(invite) + "/submit", {"answers": GIVEN}, status=200)
    thanks = ("submitted", ["We will be in touch within one working day."])
    paper.open(path, status=200)
    assert (paper.state, paper.text(".lead")) == thanks
    assert dict(zip(paper.text("dt"), paper.text("dd"), strict=True))["How many seats?"] == "1,500 seats"
    assert paper.html.select("input, button, form, .change") == []
    assert re.match(r"Sent on \w+ \d+, \d{4}\.", paper.text(".muted")[0])
    age_submit(owner, invite, "30 days")
    paper.open(path, status=200)
    assert (paper.state, paper.text(".lead"), paper.text("dt, h2")) == (*thanks, [])


def test_answers_are_shown_again_only_where_the_template_says_so(small):
    paper = small(thank_you={"redirect_url": "https://example.com/next?a=1&b=2"})
    paper.fill(product_line="server").press().press("submit")
    assert (paper.text("h1"), paper.text("dl")) == (["Thank you"], [])
    link = paper.html.select_one("main a")
    assert (link["href"], link.get_text()) == ("https://example.com/next?a=1&b=2", "Continue to example.com")


@pytest.mark.parametrize(
    "address",
    [NOBODYS, "/forms/interview/" + "A" * 64, "/forms/interview/x", "/forms/interview/a/b"]
    + ["/forms/capture/none", "/forms/capture/%27", "/forms/", "/forms/elsewhere"],
)
def test_whatever_is_unknown_is_the_same_page_byte_by_byte(address, anonymous):
    answers = [anonymous.app.get(one, status=404) for one in (address, "/forms/interview/" + "f" * 64)]
    assert answers[0].body == answers[1].body
    assert answers[0].html.body["data-state"] == "unknown"


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, "_go=next", 403),
        ({"Sec-Fetch-Site": "same-site"}, "_go=next", 403),
        ({"Content-Type": "application/json"}, "{}", 415),
        ({}, "a=%ff", 400),
        ({}, "a=1&" * 6000, 400),
        ({}, "a=" + "x" * 1024 * 1024, 413),
    ],
    ids=["another site", "a sibling site", "no form", "not UTF-8", "too many fields", "too large"],
)
def test_a_form_that_cannot_be_accepted_is_refused_by_a_page(headers, body, status, anonymous, path):
    headers = {"Content-Type": "application/x-www-form-urlencoded", **headers}
    answer = anonymous.app.post(path, body, headers=headers, status=status)
    assert answer.html.body["data-state"] == "refused"


def test_while_the_database_is_away_a_page_keeps_what_was_typed_and_says_whose_it_is(own_server):
    typed = {"_step": "you", "_asked": "name", "name": "Ada & <Co>"}
    with application(settings_of(own_server)) as app, contextlib.ExitStack() as afterwards:
        own_server.stop()
        afterwards.callback(own_server.start)
        app.registry.forms.pool.timeout = 0.1  # nobody waits for it
        app.registry.form_looks.remember("/forms/capture/trial", Look("Engines Ltd", {"primary_color": "#aa0011"}))
        sent = TestApp(app).post(f"{NOBODYS}?step=you", typed, status=503)
        seen = TestApp(app).get("/forms/capture/trial", status=503)
    assert int(sent.headers["Retry-After"]) > 0
    assert sent.html.body["data-state"] == "unavailable"
    assert {field["name"]: field["value"] for field in sent.html.select("form input")} == typed
    assert sent.html.form.get("action") is None
    assert seen.html.select_one(".organization").get_text() == "Engines Ltd"
    assert "/forms/brand/aa0011.css" in seen.text
    assert seen.html.select_one("main a")["href"] == ""


def test_looks_are_forgotten_before_they_are_too_many():
    looks = Recent()
    for number in range(MOST_RECENT + 1):
        looks.remember(f"/{number}", Look(str(number)))
    assert (looks.find("/0", Look()), looks.find("/1", Look()).organization) == (Look(), "1")


def test_a_day_is_that_of_the_organization_and_not_of_greenwich_and_there_is_a_last_one(organization, owner, visit):
    owner.execute("update app.organizations set time_zone = 'Pacific/Auckland' where id = %s", [organization.id])
    template = organization.template()
    late = (datetime.now(UTC) + timedelta(days=9)).replace(hour=20)
    day = visit(organization.invite(template, expires_at=late.isoformat())).text("footer p")[1].removesuffix(".")
    assert day.endswith(f" {(late + timedelta(days=1)).day}, {(late + timedelta(days=1)).year}")
    for_good = organization.invite(template, expires_at="9999-12-31T23:59:59Z")
    assert "December 31, 9999" in visit(for_good).text("footer p")[1]


def test_every_page_is_closed_to_others(anonymous, path):
    app = anonymous.app
    step, head = app.get(f"{path}?step=you"), app.head(f"{path}?step=you")
    for answer in (step, head, app.post(path, {"_go": "back"}), app.get(f"{path}x", status=404)):
        assert {name: answer.headers[name] for name in CLOSED} == CLOSED
    assert head.body == b""


def test_no_page_holds_inline_style_or_script_or_another_servers_address(paper):
    html = paper.html
    scripts = [script for script in html.select("script") if script.get("type") != "application/json"]
    assert all(script["src"].startswith("/forms/static/") for script in scripts)
    assert html.select("style, [style]") == []
    assert not [name for tag in html.find_all() for name in tag.attrs if name.startswith("on")]
    assert not re.findall(r"(?:src|href)=\"(?!/forms/|#|\?)[^\"]+", paper.response.text)


def test_redirects_are_relative_whatever_the_host_says(anonymous, path):
    headers = {"Host": "evil.example", "Content-Type": "application/x-www-form-urlencoded"}
    answer = anonymous.app.post(path, "_go=back", headers=headers, status=303)
    assert answer.headers["Location"].startswith(path + "?lang=en&step=")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("address", ["/forms/interview/x", "/forms/capture/x"])
def test_other_methods_are_refused_by_a_page(anonymous, method, address):
    answer = anonymous.app.request(address, method=method, status=405)
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS, POST"
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert answer.html.body["data-state"] == "refused"


@pytest.mark.parametrize("address", ["/forms/capture/%ff", "/forms/interview/%00?lang=de", "/forms/%c3"])
def test_an_address_that_cannot_be_read_is_refused_by_a_page(anonymous, address):
    answer = anonymous.app.get(address, status=400)
    assert answer.html.body["data-state"] == "refused"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["X-Request-Id"]


@pytest.mark.parametrize("query", ["?lang=%ff", "?lang=%00", "?step=%ff&lang=de", "?r=%ff&%00"])
def test_a_query_that_cannot_be_read_costs_nobody_the_form(anonymous, path, query):
    assert anonymous.app.get(path + query).maybe_follow().html.body["data-state"] == "step"


def test_no_token_is_ever_logged(anonymous, invite, path, capfd, paper):
    paper.fill(your_name="Ada").press()
    anonymous.app.patch_json(f"{path}/answers", {"answers": {"company": "Engines"}}, status=200)
    anonymous.app.get(f"{path}0", status=404)
    out, err = capfd.readouterr()
    assert "/forms/interview/{token}" in out + err
    assert invite["token"] not in out + err
