"""The code by email: it opens the link in one browser, and nothing shows the contract without it."""

import re
from http import cookies

import pytest
from webtest import TestApp

from tests.forms.paper import Paper
from tests.signing.conftest import agree, beside, code_in, end, send


@pytest.fixture
def browse(wsgi):
    """browse(token): the page of a link in a browser of its own."""
    return lambda token: Paper(TestApp(wsgi, extra_environ={"wsgi.url_scheme": "https"}), f"/sign/{token}")


@pytest.fixture
def sent(requested, signing):
    """sent(*orders): a request with codes, and a token for each signer."""

    def ask(*orders):
        request = requested(*orders, verify_email=True)
        return request, *(signing.link(signer) for signer in request["signers"])

    return ask


@pytest.fixture
def code(deliver):
    """code(page): asks for a code; returns the one in the email."""

    def ask(page):
        page.press("code")
        return code_in(deliver()[-1])

    return ask


@pytest.fixture
def page(browse, sent):
    return browse(sent()[1])


@pytest.fixture
def opened(browse, sent, code):
    """opened(*orders): a request, its first link, and the page that a code has opened."""

    def arrive(*orders):
        request, token, *_ = sent(*orders)
        page = browse(token)
        page.fill(code=code(page)).press("check")
        assert page.state == "open"
        return request, token, page

    return arrive


def files(page):
    return [page.app.get(beside(page, name), status="*").status_int for name in ("document", "copy", "drawing")]


def test_a_code_opens_only_the_browser_that_asked_for_it_and_confirms_the_address(opened, browse, evidence):
    request, token, page = opened()
    other = browse(token)
    assert (other.state, other.html.select(".contract")) == ("code", [])
    assert files(other) == [303, 303, 303]
    assert send(other, "sign", signature="Pat").state == "code"
    assert page.open("", status=200).state == "open"
    found = evidence(request)
    assert [event["event"] for event in found["events"]] == ["sent", "code_sent", "verified", "viewed"]
    assert found["signers"][0]["verified_at"]
    assert found["signers"][0]["viewed_at"]


def test_the_cookie_is_of_the_signing_pages_alone_and_hidden_from_scripts(browse, sent):
    _, token = sent()
    page = browse(token)
    answer = page.app.post(page.path, "_go=code", headers=page.headers, status=303)
    (morsel,) = cookies.SimpleCookie(answer.headers["Set-Cookie"]).values()
    assert (morsel["path"], morsel["httponly"], morsel["secure"], morsel["samesite"]) == ("/sign/", True, True, "Lax")
    assert int(morsel["max-age"]) == 7200
    assert token not in answer.headers["Set-Cookie"]


def test_the_right_code_gives_the_browser_a_new_secret(page, code):
    found = code(page)
    ((name, before),) = page.app.cookies.items()
    page.fill(code=found).press("check")
    (after,) = page.app.cookies.values()
    page.app.set_cookie(name, before)
    assert (before != after, page.open("").state) == (True, "code")


def test_a_strange_cookie_is_ignored(page):
    page.press("code")
    (name,) = page.app.cookies
    for value in ("x", "%00", "0" * 64, "f" * 65, '"é"'):
        headers = {**page.headers, "Cookie": f"{name}={value}"}
        assert page.app.get(page.path, headers=headers, status=200).html.body["data-state"] == "code"


def test_after_signing_another_browser_sees_nothing_until_a_code_opens_the_copy(opened, browse, code, owner):
    request, token, page = opened(1, 1)
    assert agree(page).state == "signed"
    other = browse(token)
    assert (other.state, other.html.select(".contract, .given, .signers, .eyebrow")) == ("code", [])
    assert (files(other), files(page)[0]) == ([303, 303, 303], 200)
    end(owner, request, "completed")
    assert (other.open("").state, files(other)) == ("code", [303, 303, 303])
    assert other.fill(code=code(other)).press("check").state == "completed"
    assert other.app.get(beside(other, "copy"), status=200).content_type == "application/pdf"


@pytest.mark.parametrize("status", ["sent", "cancelled", "expired", "declined", "completed"])
def test_without_its_code_no_answer_names_the_contract(browse, sent, owner, contract, status):
    request, token, _ = sent(1, 1)
    if status != "sent":
        end(owner, request, status, days=31 if status == "completed" else 0)
    page = browse(token)
    answers = [page.response]
    answers += [page.app.get(beside(page, name), status="*") for name in ("document", "copy", "drawing")]
    answers += [send(page, go, signature="Pat", reason="No", code="1").response for go in ("sign", "decline", "check")]
    told = "".join(answer.text + str(answer.headers) for answer in answers)
    assert not any(word in told for word in (contract["name"], contract["contract_number"], "Signer 1"))


def test_malformed_codes_cost_no_try_and_digits_of_any_script_pass(page, code):
    found = code(page).translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))
    for typed in ("", " ", "12345", "x" * 20, "1234567"):
        page.fill(code=typed).press("check", status=422)
    assert page.fill(code=f"{found[:3]} {found[3:]}").press("check").state == "open"


def test_five_wrong_codes_end_a_code(page, code):
    found = code(page)
    for _ in range(5):
        page.fill(code="000000" if found != "000000" else "111111").press("check", status=422)
        assert "wrong or too old" in page.errors()["code"]
    page.fill(code=found).press("check", status=422)
    assert page.errors() == {"code": "This code no longer works here. Ask for a new code in this browser."}


def test_a_code_ends_after_ten_minutes_and_with_its_use(page, code, owner):
    found = code(page)
    later = "update app.signature_codes set expires_at = expires_at - interval '{}'"
    owner.execute(later.format("9 minutes 30 seconds"))
    ((name, secret),) = page.app.cookies.items()
    assert page.fill(code=found).press("check").state == "open"
    page.app.set_cookie(name, secret)
    assert send(page, "check", code=found).state == "code"


def test_a_code_that_is_ten_minutes_old_opens_nothing(page, code, owner):
    found = code(page)
    owner.execute("update app.signature_codes set expires_at = expires_at - interval '10 minutes'")
    assert page.fill(code=found).press("check", status=422).state == "code"


@pytest.mark.parametrize("status", ["cancelled", "expired", "declined"])
def test_a_browser_that_a_code_has_opened_ends_with_the_request(opened, owner, contract, status):
    request, _, page = opened()
    end(owner, request, status)
    page.open("", status="*")
    assert (page.html.select(".contract"), contract["contract_number"] in page.response.text) == ([], False)
    assert files(page)[0] == 303


def test_a_browser_that_a_code_has_opened_is_closed_after_two_hours(opened, owner):
    _, _, page = opened()
    for minutes, state in ((119, "open"), (1, "code")):
        owner.execute("update app.signature_codes set verified_at = verified_at - make_interval(mins => %s)", [minutes])
        assert page.open("").state == state


def test_a_code_that_nobody_asked_for_and_a_second_one_within_a_minute_are_refused(page):
    assert send(page, "check", code="123456").response.status_int == 422
    assert page.state == "code"
    page.open("").press("code").press("code", status=422)
    assert page.errors() == {"code": "We have just sent a code. Wait a minute before you ask for another one."}


def test_one_address_cannot_use_up_the_codes_of_a_link(counting, sent):
    _, token = sent()

    def ask(address):
        app = TestApp(counting.app, extra_environ={"REMOTE_ADDR": address})
        return Paper(app, f"/sign/{token}").press("code").response.status_int

    assert [ask("10.0.0.1") for _ in range(11)] == [200] * 10 + [422]
    assert ask("10.0.0.2") == 200


def test_no_quota_of_emails_stands_before_a_code(page, code, owner, organization):
    spent = "insert into app.mail_days (organization_id, day, kind, used) values (%s, current_date, %s, 1000000)"
    for kind in ("invited", "asked"):
        owner.execute(
            f"{spent} on conflict (organization_id, day, kind) do update set used = 1000000", [organization.id, kind]
        )
    assert page.fill(code=code(page)).press("check").state == "open"


def test_without_verify_email_no_code_is_sent(ask, deliver):
    _, page = ask()
    deliver()
    assert send(page, "code").response.status_int == 400
    assert deliver() == []


def test_no_line_of_the_log_has_the_link_its_code_or_its_cookie(page, code, capsys):
    found = code(page)
    (cookie,) = page.app.cookies.values()
    agree(page.fill(code=found).press("check"))
    logged = capsys.readouterr().out
    assert "route=/sign/{token}" in logged
    assert not re.search(rf"\b({found}|{cookie}|{page.path.split('/')[2].partition('?')[0]})\b", logged)
