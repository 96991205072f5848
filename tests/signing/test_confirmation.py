"""The code by email: it opens the link in one browser, and nothing shows the contract without it."""

import re
from http import cookies

import pytest
from webtest import TestApp

from pipeline.signing import service
from tests.forms.paper import Paper
from tests.signing.conftest import CLIENT, path_of, tokens
from tests.signing.paths import code_in, end
from tests.signing.test_page_verification import counting as counting
from tests.signing.test_pages import agree, beside, send


@pytest.fixture
def browse(wsgi):
    """browse(token): the page of a link in a browser of its own."""
    return lambda token: Paper(TestApp(wsgi, extra_environ={"wsgi.url_scheme": "https"}), f"/sign/{token}")


@pytest.fixture
def sent(request_signatures, signing):
    """sent(*orders): a request with codes, and a token for each signer."""

    def ask(*orders, **changes):
        request = request_signatures(*orders, verify_email=True, **changes)
        return request, *(signing.link(signer) for signer in request["signers"])

    return ask


@pytest.fixture
def code(post, organization):
    """code(page): asks for a code; returns the one in the email."""

    def ask(page):
        page.press("code")
        return code_in(post.deliver(organization)[-1])

    return ask


@pytest.fixture
def opened(browse, sent, code):
    """A request, its first link, and the page that a code has opened."""

    def arrive(*orders):
        request, token, *_ = sent(*orders)
        page = browse(token)
        page.fill_code = lambda: page.fill(code=code(page)).press("check")
        page.fill_code()
        assert page.state == "open"
        return request, token, page

    return arrive


def files(page):
    """The statuses of the files of a link."""
    return [page.app.get(beside(page, name), status="*").status_int for name in ("document", "copy", "drawing")]


def test_a_code_opens_only_the_browser_that_asked_for_it(opened, browse):
    _, token, page = opened()
    other = browse(token)
    assert (other.state, other.html.select(".contract")) == ("code", [])
    assert files(other) == [303, 303, 303]
    assert send(other, "sign", signature="Pat").state == "code"
    assert page.open("", status=200).state == "open"


def test_a_code_does_not_work_in_another_browser(browse, sent, code):
    _, token = sent()
    mine, other = browse(token), browse(token)
    found, _ = code(mine), code(other)
    other.fill(code=found).press("check", status=422)
    assert other.state == "code"
    assert mine.fill(code=found).press("check").state == "open"


def test_the_cookie_is_of_the_signing_pages_alone_and_hidden_from_scripts(browse, sent):
    _, token = sent()
    page = browse(token)
    answer = page.app.post(page.path, "_go=code", headers=page.headers, status=303)
    (morsel,) = cookies.SimpleCookie(answer.headers["Set-Cookie"]).values()
    assert (morsel["path"], morsel["httponly"], morsel["secure"], morsel["samesite"]) == ("/sign/", True, True, "Lax")
    assert int(morsel["max-age"]) == 7200
    assert token not in answer.headers["Set-Cookie"]


def test_the_right_code_gives_the_browser_a_new_secret(browse, sent, code):
    _, token = sent()
    page = browse(token)
    found = code(page)
    (before,) = page.app.cookies.values()
    page.fill(code=found).press("check")
    (after,) = page.app.cookies.values()
    page.app.set_cookie(*next(iter({name: before for name in page.app.cookies}.items())))
    assert (before != after, page.open("").state) == (True, "code")


def test_after_two_hours_a_new_code_is_needed(opened, owner):
    _, _, page = opened()
    owner.execute("update app.signature_codes set verified_at = verified_at - interval '121 minutes'")
    assert send(page, "sign", signature="Pat").state == "code"


def test_after_signing_another_browser_sees_and_gets_nothing(opened, browse):
    _, token, page = opened(1, 1)
    assert agree(page).state == "signed"
    other = browse(token)
    assert (other.state, other.html.select(".contract, .given, .signers, .eyebrow")) == ("code", [])
    assert files(other) == [303, 303, 303]
    assert files(page)[0] == 200


def test_a_code_opens_the_signed_copy(opened, browse, code, owner):
    request, token, page = opened()
    agree(page)
    end(owner, request, "completed")
    other = browse(token)
    assert (other.state, files(other)) == ("code", [303, 303, 303])
    assert other.fill(code=code(other)).press("check").state == "completed"
    assert other.app.get(beside(other, "copy"), status=200).content_type == "application/pdf"


@pytest.mark.parametrize("status", ["cancelled", "expired", "declined"])
def test_the_end_is_told_without_the_contract(status, sent, browse, owner, contract):
    request, token = sent()
    end(owner, request, status)
    page = browse(token)
    assert page.state in (status, "declined_other")
    assert page.html.select("form, .signers, .eyebrow") == []
    assert contract["contract_number"] not in page.response.text
    assert contract["name"] not in page.response.text
    assert send(page, "code").response.status_int in (200, 410)


def test_in_the_database_a_token_without_its_code_shows_neither_contract_nor_file(sent, signing):
    _, token = sent()
    tables = ("signature_requests", "contracts", "files", "file_chunks", "signature_codes")
    signing("send_code", token)
    with signing.forms.transaction() as connection:
        service.open_signing(token, CLIENT)
        counts = [connection.execute(f"select from {table}").rowcount for table in tables]
        changed = connection.execute("update signature_signers set status = 'viewed'").rowcount
    assert (counts, changed) == ([1, 0, 0, 0, 0], 0)


def test_what_is_no_code_costs_no_try(browse, sent, code):
    _, token = sent()
    page = browse(token)
    found = code(page)
    for typed in ("", " ", "12345", "x" * 20, "1234567"):
        page.fill(code=typed).press("check", status=422)
    assert page.fill(code=found).press("check").state == "open"


def test_a_code_may_have_the_digits_of_any_script(browse, sent, code):
    _, token = sent()
    page = browse(token)
    typed = code(page).translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))
    assert page.fill(code=f"{typed[:3]} {typed[3:]}").press("check").state == "open"


def wrong(code):
    """Another code."""
    return "000000" if code != "000000" else "111111"


def test_five_wrong_codes_end_a_code(browse, sent, code):
    _, token = sent()
    page = browse(token)
    found = code(page)
    for _ in range(5):
        page.fill(code=wrong(found)).press("check", status=422)
        assert "wrong or too old" in page.errors()["code"]
    page.fill(code=found).press("check", status=422)
    assert page.errors() == {"code": "This code no longer works here. Ask for a new code in this browser."}


def test_wrong_codes_in_another_browser_do_not_spend_one(browse, sent, code):
    _, token = sent()
    mine, thief = browse(token), browse(token)
    found, other = code(mine), code(thief)
    for _ in range(6):
        thief.fill(code=wrong(other)).press("check", status=422)
    assert mine.fill(code=found).press("check").state == "open"


def test_a_code_works_once_and_ten_minutes(browse, sent, code, owner):
    _, token = sent()
    page = browse(token)
    found = code(page)
    owner.execute("update app.signature_codes set expires_at = now()")
    page.fill(code=found).press("check", status=422)
    owner.execute("update app.signature_codes set expires_at = now() + interval '1 minute'")
    pairs = page.fill(code=found).form_pairs("check")
    assert page.fill(code=found).press("check").state == "open"
    again = page.app.post(page.path, dict(pairs), headers=page.headers, status=303)
    assert "Set-Cookie" not in again.headers


def test_a_second_code_for_a_browser_within_a_minute_is_refused(browse, sent):
    _, token = sent()
    page = browse(token)
    page.press("code").press("code", status=422)
    assert page.errors() == {"code": "We have just sent a code. Wait a minute before you ask for another one."}


@pytest.mark.long
def test_a_link_sends_twenty_codes_and_a_reminder_has_a_link_with_new_ones(
    member, browse, sent, post, organization, owner
):
    request, token = sent()
    states = [browse(token).press("code").response.status_int for _ in range(21)]
    assert (states[:20], states[20]) == ([200] * 20, 422)
    post.deliver(organization)
    member.post(path_of(request, "/remind"), status=200)
    fresh = browse(tokens(post.deliver(organization))["s0@signers.example"])
    assert fresh.press("code").response.status_int == 200
    statement = "select count(*) from app.emails where organization_id = %s and signer_part = 'code'"
    post.deliver(organization)
    assert owner.execute(statement, [organization.id]).fetchone() == (21,)


def test_one_address_cannot_use_up_the_codes_of_a_link(counting, sent):
    _, token = sent()

    def ask(address):
        app = TestApp(counting.app, extra_environ={"REMOTE_ADDR": address})
        return Paper(app, f"/sign/{token}").press("code").response.status_int

    assert [ask("10.0.0.1") for _ in range(11)] == [200] * 10 + [422]
    assert ask("10.0.0.2") == 200


def test_without_verify_email_no_code_is_sent(request_signatures, signing, browse, post, organization):
    request = request_signatures()
    page = browse(signing.link(request["signers"][0]))
    post.deliver(organization)
    assert send(page, "code").response.status_int == 400
    assert post.deliver(organization) == []


def test_a_strange_cookie_is_ignored(browse, sent):
    _, token = sent()
    page = browse(token)
    page.press("code")
    (name,) = page.app.cookies
    for value in ("x", "%00", "0" * 64, "f" * 65, '"é"'):
        headers = {**page.headers, "Cookie": f"{name}={value}"}
        assert page.app.get(page.path, headers=headers, status=200).html.body["data-state"] == "code"


def test_the_address_is_recorded_as_confirmed_and_the_page_as_viewed(opened, member):
    request, _, _ = opened()
    found = member.get(f"/api/contracts/{request['contract_id']}/signature", status=200).json
    assert [event["event"] for event in found["events"]] == ["sent", "code_sent", "verified", "viewed"]
    assert found["signers"][0]["verified_at"]
    assert found["signers"][0]["viewed_at"]


def test_a_code_is_no_line_of_the_log(browse, sent, code, capsys):
    _, token = sent()
    page = browse(token)
    found = code(page)
    (secret,) = page.app.cookies.values()
    page.fill(code=found).press("check")
    logged = capsys.readouterr().out
    assert secret not in logged
    assert not re.search(rf"\b{found}\b", logged)
