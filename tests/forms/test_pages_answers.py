import base64
import dataclasses
import time

import jwt
import pytest

from pipeline.http import signed_links
from pipeline.http.signed_links import answers_url, read_answers
from pipeline.validation.errors import Problem
from tests.forms.paper import Paper
from tests.forms.test_responses import HINTS, QUESTIONS
from tests.interviews.language import question, template
from tests.support import interview

HOST = "https://pipeline.example"
PAPERS = question("papers", "file", label="Papers")


def upload(anonymous, invite):
    path = f"{interview(invite)}/files?question=papers"
    return anonymous.app.post(path, upload_files=[("file", "a.csv", b"1,2")]).json["answers"]["papers"][0]["id"]


@pytest.fixture
def invite(answered, anonymous):
    """An invite of a lead's that is being answered, with a consent and a file."""
    answers = {"name": "<b>Ada</b>", "sso": False, "order": ["b", "a"], "terms": True}
    invite = answered(*QUESTIONS, PAPERS, hints=HINTS, answers=answers)
    upload(anonymous, invite)
    return invite


@pytest.fixture
def link(settings, organization, invite):
    """link(**changes): the path of the member's link to the invite's answers."""

    def make(**changes):
        whose = {"invite_id": invite["id"], "user_id": organization.users["member"], **changes}
        return answers_url(settings, **{"organization_id": organization.id, **whose}).removeprefix(HOST)

    return make


@pytest.fixture
def open_link(anonymous, link):
    return lambda status=200, **changes: Paper(anonymous.app, link(**changes)).open("", status)


def test_a_rep_reads_the_answers_in_words_with_flags_tips_consents_and_their_day(anonymous, invite, open_link):
    paper = open_link()
    assert (paper.state, paper.text("h1")) == ("answers", ["Answers from Pat Prospect"])
    assert paper.text(".flags li") == ["Plain deal"]
    assert paper.text(".lead") == ["Not submitted yet: these are the answers so far."]
    shown = dict(zip(paper.text("dt"), paper.text("dd"), strict=True))
    assert (shown["Company"], shown["Name"], shown["SSO?"]) == ("Engines & Co", "<b>Ada</b> Tip: Call.", "No")
    assert (shown["Order"], "Which?" in shown) == ("1. B 2. A", False)
    assert shown["I accept the terms"].startswith("Yes Agreed on ")
    anonymous.post(f"{interview(invite)}/submit", {"answers": {"sso": False}}, status=200)
    assert open_link().text(".lead")[0].startswith("Submitted on ")


def test_it_writes_nothing_runs_nothing_and_is_kept_by_nobody(open_link, anonymous, link):
    headers = open_link().response.headers
    assert "script-src" not in headers["Content-Security-Policy"]
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert (headers["Cache-Control"], headers["Referrer-Policy"]) == ("no-store", "no-referrer")
    assert headers["X-Robots-Tag"] == "noindex, nofollow"
    assert open_link().html.select("script, form, input, button") == []
    anonymous.app.post(link(), status=405)


@pytest.mark.parametrize(("language", "direction", "title"), [("de", "ltr", "Antworten von"), ("ar", "rtl", "إجابات")])
def test_it_speaks_the_organizations_language_unless_asked(owner, organization, open_link, language, direction, title):
    owner.execute("update app.organizations set locale = %s where id = %s", (language, organization.id))
    paper = open_link()
    assert (paper.html.html["lang"], paper.html.html["dir"]) == (language, direction)
    assert paper.text("h1")[0].startswith(title)
    assert paper.open("?lang=en").text("h1") == ["Answers from Pat Prospect"]


def test_its_files_are_downloads_and_no_others(anonymous, organization, open_link, link):
    (address,) = [found["href"] for found in open_link().html.select("dd a")]
    answer = anonymous.app.get(address, status=200)
    assert (answer.body, answer.headers["Content-Disposition"][:10]) == (b"1,2", "attachment")
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    other = organization.invite(organization.template(slug="other", **template(PAPERS)))
    for foreign in (upload(anonymous, other), "0", "9" * 30, "x"):
        anonymous.app.get(f"{link()}/files/{foreign}", status=404)


def test_a_link_is_over_after_two_weeks(monkeypatch, settings, link, open_link):
    left = read_answers(settings, link().rpartition("/")[2]).expires - time.time()
    assert 14 * 86_400 - 60 < left <= 14 * 86_400
    monkeypatch.setattr(signed_links, "ANSWERS_SECONDS", 0)
    paper = open_link(410)
    assert (paper.state, paper.text("dl, .eyebrow")) == ("answers_expired", [])


def test_a_link_ends_with_the_seat_of_its_reader_and_with_the_interview(organization, invite, open_link):
    open_link()
    organization.deactivate("member")
    assert open_link(404).state == "unknown"
    open_link(user_id=organization.users["admin"])
    organization.admin.delete(f"/api/interview-invites/{invite['id']}", status=204)
    assert open_link(404, user_id=organization.users["admin"]).state == "unknown"


def test_even_a_signed_link_shows_nothing_of_another_organization(new_organization, invite, open_link):
    other = new_organization()
    open_link(404, organization_id=other.id)
    open_link(404, organization_id=other.id, user_id=other.users["member"])
    open_link(404, user_id=other.users["member"])


def test_whatever_is_changed_in_a_link_it_opens_nothing(anonymous, settings, organization, invite, link):
    path, _, signed = link().rpartition("/")
    head, body, signature = signed.split(".")
    claims = {"org": organization.id, "invite": invite["id"], "user": organization.users["member"], "exp": 2**33}
    plain = base64.urlsafe_b64encode(b'{"alg":"none","kid":"1"}').decode().rstrip("=")
    forged = [
        f"{head}.{body}.{'A' * len(signature)}",
        f"{head}.{body[:-4]}AAAA.{signature}",
        f"{plain}.{body}.",
        f"{head}.{body}",
        "x",
        jwt.encode(claims, settings.jwt_secret, "HS256", headers={"kid": "1"}),
        jwt.encode(claims, "the key of somebody else, long enough", "HS256", headers={"kid": "1"}),
        jwt.encode(claims, "the key of somebody else, long enough", "HS256", headers={"kid": "2"}),
        organization.member.headers["Authorization"].removeprefix("Bearer "),
        invite["token"],
    ]
    for text in forged:
        assert Paper(anonymous.app, f"{path}/{text}").open("", 404).state == "unknown", text
    anonymous.app.get("/api/leads", headers={"Authorization": f"Bearer {signed}"}, status=401)


def test_a_retired_secret_still_reads_and_a_public_key_signs_nothing(settings):
    settings = dataclasses.replace(settings, jwt_secret="an-older-secret-of-the-tests-for-HS256")
    whose = {"organization_id": 1, "invite_id": 2, "user_id": 3}
    signed = answers_url(settings, **whose).rpartition("/")[2]
    new = {"jwt_secret": "another secret of the tests, for HS256", "jwt_key_id": "2"}
    rotated = dataclasses.replace(settings, **new, jwt_retired_keys=f"1:{settings.jwt_secret}")
    assert read_answers(rotated, signed)[:3] == (1, 2, 3)
    foreign = dataclasses.replace(rotated, jwt_algorithm="RS256", jwt_secret="")
    assert answers_url(foreign, **whose) is None
    with pytest.raises(Problem, match="not_found"):
        read_answers(foreign, signed)
