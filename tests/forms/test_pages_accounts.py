import ast
import inspect
import uuid
from dataclasses import replace

import pytest
from zxcvbn import feedback

from pipeline.forms.translations import CATALOGUES
from tests.conftest import PASSWORD
from tests.forms.paper import Paper

STRONG = "violet harbour 7 lanterns"
WEAK = "Password123"
FORGOT = "/forms/forgot"
EXPIRE = "update app.account_links set expires_at = now() where organization_id = %s"


@pytest.fixture
def email():
    return f"kim.{uuid.uuid4().hex[:12]}@new.example"


@pytest.fixture
def open_invitation(organization, anonymous, post):
    def open_one(email, **body):
        organization.admin.post("/api/users", {"email": email, **body}, status=201)
        return Paper(anonymous.app, post.path(organization))

    return open_one


def login(anonymous, email, password):
    return anonymous.post("/api/auth/login", {"email": email, "password": password}).status_int


def test_a_new_person_gives_name_and_password_which_no_log_line_holds_and_logs_in(
    open_invitation, anonymous, email, capsys
):
    paper = open_invitation(email, name="Kim")
    assert (paper.state, paper.value("email"), paper.value("name")) == ("activate", email, "Kim")
    assert paper.fill(name="Kim Lee", password=STRONG).press("accept").state == "accepted"
    token, logged = paper.path.rpartition("/")[2].partition("?")[0], capsys.readouterr().out
    assert "route=/forms/activate/{token}" in logged
    assert (token in logged, STRONG in logged) == (False, False)
    assert login(anonymous, email, STRONG) == 200


def test_the_page_says_who_invites_in_their_colours_and_no_name_turns_that_around(
    organization, owner, open_invitation, email
):
    owner.execute("update app.users set name = %s where id = %s", ["\u202eAda", organization.users["admin"]])
    organization.admin.patch("/api/organization", {"branding": {"primary_color": "#aa0011"}}, status=200)
    paper = open_invitation(email)
    name = f"\u2068{organization.name}\u2069"
    assert paper.text("h1") == [f"Join {name}"]
    assert paper.text(".lead")[0] == f"\u2068Ada\u2069 invites you to work in {name}."
    assert "\u202e" not in paper.response.text
    assert "/forms/brand/aa0011.css" in paper.response.text


def test_a_known_person_gives_their_own_password_and_no_name(open_invitation, new_organization):
    other = new_organization()
    paper = open_invitation(f"member@{other.name}.example")
    assert paper.html.select("[name=name]") == []
    assert paper.fill(password="wrong").press("accept", status=422).errors() == {"password": "The password is wrong."}
    assert paper.fill(password=PASSWORD).press("accept").state == "accepted"


def test_a_missing_value_is_named_beside_its_field_and_above(open_invitation, email):
    paper = open_invitation(email).press("accept", status=422)
    assert paper.errors() == {"name": "Please give your name.", "password": "Please give a password."}
    assert [link["href"] for link in paper.html.select("#errors a")] == ["#f-name", "#f-password"]
    assert paper.text("title") == [f"Error: {paper.text('h1')[0]}"]


def test_a_password_never_comes_back_in_a_page(open_invitation, email):
    for typed in (WEAK, "short"):
        paper = open_invitation(f"{typed}.{email}", name="Kim").fill(password=typed, name="Kim Lee")
        paper.press("accept", status=422)
        assert paper.value("name") == "Kim Lee"
        assert f'value="{typed}"' not in paper.response.text


def test_advice_about_a_weak_password_comes_in_the_pages_language(open_invitation, email):
    paper = open_invitation(email, name="Kim").open("?lang=de")
    texts = CATALOGUES["de"]
    said = paper.fill(password=WEAK).press("accept", status=422).errors()["password"]
    assert said.startswith(texts("account.error.weak_password"))
    assert texts("advice.Add another word or two. Uncommon words are better.") in said


@pytest.mark.parametrize("language", CATALOGUES)
def test_every_advice_of_the_judge_is_translated(language):
    calls = [node for node in ast.walk(ast.parse(inspect.getsource(feedback))) if isinstance(node, ast.Call)]
    said = [call.args[0].value for call in calls if getattr(call.func, "id", "") == "_"]
    assert len(said) > 20
    assert [text for text in said if f"advice.{text}" not in CATALOGUES[language].words] == []


def test_looking_at_a_link_uses_nothing_up_and_once_used_it_says_what_has_become_of_it(open_invitation, email):
    paper = open_invitation(email, name="Kim")
    for method in ("GET", "HEAD", "GET"):
        paper.app.request(paper.path, method=method, status=200)
    again = paper.fill(password=STRONG).form_pairs("accept")
    assert paper.press("accept").state == "accepted"
    assert paper.open("", status=200).state == "accepted"
    paper.app.post(paper.path, again, status=303)


def test_an_expired_an_unknown_and_a_withdrawn_link_say_what_to_do(open_invitation, organization, owner, email):
    paper = open_invitation(email, name="Kim")
    owner.execute(EXPIRE, [organization.id])
    assert paper.open("", status=410).state == "activate_expired"
    owner.execute("delete from app.invitations where organization_id = %s", [organization.id])
    assert paper.open("", status=404).state == "link_unknown"
    assert paper.open("/forms/activate/" + "0" * 64, status=404).state == "link_unknown"


def test_links_of_one_kind_open_no_page_of_the_other_and_an_expired_one_for_a_password_says_so(
    open_invitation, organization, anonymous, post, email
):
    paper = open_invitation(email)
    assert paper.open(paper.path.replace("activate", "reset"), status=404).state == "link_unknown"
    anonymous.post("/api/auth/password/forgot", {"email": f"member@{organization.name}.example"}, status=202)
    address = post.path(organization)
    assert paper.open(address.replace("reset", "activate"), status=404).state == "link_unknown"
    organization.owner.execute(EXPIRE, [organization.id])
    assert paper.open(address, status=410).state == "reset_expired"
    assert paper.html.select_one("main a")["href"].startswith(FORGOT)


def test_a_forgotten_password_is_asked_for_sent_and_set_to_one_that_is_hard_to_guess(organization, anonymous, post):
    email = f"member@{organization.name}.example"
    paper = Paper(anonymous.app, FORGOT)
    assert paper.fill(email=email).press("send").state == "forgot_sent"
    paper.open(post.path(organization))
    assert (paper.state, paper.value("email")) == ("reset", email)
    assert paper.fill(password=WEAK).press("save", status=422).errors().keys() == {"password"}
    paper.fill(password="short").press("save", status=422)
    assert paper.errors() == {"password": "Please choose at least 10 characters."}
    assert paper.fill(password=STRONG).press("save").state == "reset_done"
    assert [login(anonymous, email, password) for password in (PASSWORD, STRONG)] == [401, 200]


def test_asking_for_a_link_says_the_same_for_every_address(anonymous, organization):
    pages = [
        Paper(anonymous.app, FORGOT).fill(email=email).press("send").response.body
        for email in (f"member@{organization.name}.example", "nobody@nowhere.example")
    ]
    assert pages[0] == pages[1]
    assert Paper(anonymous.app, FORGOT).fill(email="nobody").press("send", status=422).errors() == {
        "email": "Please write an email address such as name@example.com."
    }


def test_pages_speak_the_organizations_language_unless_asked_otherwise(organization, owner, open_invitation, email):
    owner.execute("update app.organizations set locale = 'ar-EG' where id = %s", [organization.id])
    paper = open_invitation(email)
    assert (paper.html.html["lang"], paper.html.html["dir"]) == ("ar", "rtl")
    assert paper.open("?lang=de").html.html["lang"] == "de"
    assert paper.fill(name="Kim", password="x").press("accept", status=422).html.html["lang"] == "de"
    assert {link["hreflang"] for link in paper.html.select(".languages a")} == set(CATALOGUES)


@pytest.mark.parametrize("app_url", ["", "https://app.example"])
def test_the_way_on_leads_to_the_application_if_there_is_one(app_url, open_invitation, email, wsgi, monkeypatch):
    monkeypatch.setattr(wsgi.registry, "pipeline", replace(wsgi.registry.pipeline, app_url=app_url))
    declined = open_invitation(f"no.{email}").press("decline")
    assert (declined.state, declined.html.select("main a, form")) == ("declined", [])
    paper = open_invitation(email, name="Kim").fill(password=STRONG).press("accept")
    assert [link["href"] for link in paper.html.select("main a")] == ([app_url] if app_url else [])


@pytest.mark.parametrize(("name", "state"), [("Kim\x07", "activate"), ("Kim\0Lee", "accepted")])
def test_a_name_that_no_name_can_be_is_asked_for_again_and_is_no_crash(name, state, open_invitation, email):
    paper = open_invitation(email).fill(name=name, password=STRONG).press("accept")
    assert (paper.state, paper.errors()) == (state, {"name": "Please give your name."} if state == "activate" else {})


@pytest.mark.parametrize("address", ["", "/forms/activate/x", FORGOT])
def test_pages_of_accounts_hold_no_script_and_give_nothing_away(address, open_invitation, email):
    paper = open_invitation(email).open(address)
    policy = paper.response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src")
    assert paper.response.headers["Referrer-Policy"] == "no-referrer"
    assert paper.response.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert paper.response.headers["Cache-Control"] == "no-store"
    assert paper.html.select("script, style, [style], img[src^=http], link[href^=http]") == []
    assert paper.html.find(string=paper.path) is None


@pytest.mark.parametrize("address", ["/forms/activate/" + "0" * 64, "/forms/reset/" + "0" * 64, FORGOT])
def test_a_form_that_another_site_sends_is_refused(address, anonymous):
    headers = {"Sec-Fetch-Site": "cross-site", "Content-Type": "application/x-www-form-urlencoded"}
    assert anonymous.app.post(address, "_go=accept", headers=headers, status=403).html.body["data-state"] == "refused"
