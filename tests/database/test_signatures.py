"""The access of a signer's page by its token, and the lock of a contract out for signature."""

from hashlib import sha256

import psycopg
import pytest

from tests.database.conftest import here

RLS = "row-level security policy"
TABLES = ("signature_requests", "signature_signers", "signature_links", "contracts", "files")


def digest(secret):
    return sha256(secret.encode()).hexdigest()


class Page:
    """A connection with two open requests of acme, the first with two signers; `enter` makes it the first's page."""

    def __init__(self, owner, world):
        self.owner, self.acme = owner, world["acme"]
        here(owner, world)
        # The sweep of another module may have ended it.
        open_request = "status = 'sent', ended_at = null, expires_at = now() + interval '1 day'"
        self.arrange("signature_requests", open_request)
        self.request, self.signer = self.acme["signature_requests"], self.acme["signature_signers"]
        self.colleague = self._signer(self.request)
        self.other = self._copy("signature_requests", contract_id=self._copy("contracts", contract_number="'X'"))
        self.stranger = self._signer(self.other)
        self.insert("signature_links", request_id=self.other, signer_id=self.stranger, token_hash=digest("stranger"))

    def arrange(self, table, change):
        """Change all rows that acme has, as the superuser."""
        organization = self.acme["organizations"]
        self.owner.execute(f"update app.{table} set {change} where organization_id = %s", [organization])

    def insert(self, table, **values):
        columns, marks = ", ".join(f'"{name}"' for name in values), ", ".join(["%s"] * len(values))
        statement = f"insert into app.{table} ({columns}) values ({marks}) returning id"
        return self.owner.execute(statement, list(values.values())).fetchone()[0]

    def _signer(self, request):
        named = {"name": "Pat", "email": "pat@s.example", "party": "licensee", "status": "sent"}
        return self.insert("signature_signers", request_id=request, **named)

    def _copy(self, table, **changes):
        """A copy of acme's row, with a file of its own where it has one."""
        names = self.owner.execute(
            "select string_agg(quote_ident(attname), ', ') from pg_attribute where attrelid = %s::regclass"
            " and attnum > 0 and attgenerated = '' and attidentity = '' and attname <> all(%s)",
            (f"app.{table}", list(changes)),
        ).fetchone()[0]
        columns, values = ", ".join(changes), ", ".join(map(str, changes.values()))
        statement = f"insert into app.{table} ({names}, {columns}) select {names}, {values} from app.{table}"
        return self.owner.execute(f"{statement} where id = %s returning id", [self.acme[table]]).fetchone()[0]

    def enter(self, token="signer acme", secret=""):
        """Become the page of a token, in a browser with a secret."""
        for name, value in {"signing_token": digest(token), "signing_secret": secret}.items():
            self.owner.execute("select set_config('app.' || %s, %s, true)", (name, value))
        self.owner.execute("set local role pipeline_public")

    def ids(self, table):
        return {id for (id,) in self.owner.execute(f"select id from app.{table}").fetchall()}

    def changes(self, table, change, id):
        return self.owner.execute(f"update app.{table} set {change} where id = %s", [id]).rowcount


@pytest.fixture
def page(owner, world):
    return Page(owner, world)


def test_a_token_shows_its_request_with_signers_contract_and_files(page):
    page.enter()
    acme = page.acme
    assert page.ids("signature_requests") == {page.request}
    assert page.ids("signature_signers") == {page.signer, page.colleague}
    assert page.ids("signature_links") == {acme["signature_links"]}
    assert (page.ids("contracts"), page.ids("files")) == ({acme["contracts"]}, {acme["files"]})


@pytest.mark.parametrize("token", ["", "unknown"])
def test_without_a_known_token_nothing_is_seen(page, token):
    page.enter(token)
    assert [page.ids(table) for table in TABLES] == [set()] * len(TABLES)


def test_another_contract_and_another_file_are_not_seen(page):
    page.insert("files", filename="b.pdf", content_type="application/pdf", size=1, sha256="1" * 64)
    page.enter("stranger")
    assert page.ids("signature_requests") == {page.other}
    assert page.acme["contracts"] not in page.ids("contracts")
    assert page.ids("files") == {page.acme["files"]}


def test_a_signer_changes_only_its_own_row(page):
    page.enter()
    signed = "status = 'viewed', viewed_at = now()"
    found = [page.changes("signature_signers", signed, id) for id in (page.signer, page.colleague, page.stranger)]
    assert found == [1, 0, 0]


@pytest.mark.parametrize("status", ["waiting", "declined"])
def test_a_signer_who_is_not_asked_changes_nothing(page, status):
    reason = "'No'" if status == "declined" else "null"
    page.arrange("signature_signers", f"status = '{status}', decline_reason = {reason}")
    page.enter()
    assert page.changes("signature_signers", "viewed_at = now()", page.signer) == 0


@pytest.mark.parametrize(
    ("request_is", "table", "change"),
    [
        ("status = 'sent'", "signature_signers", "status = 'waiting'"),
        ("status = 'sent'", "signature_requests", "status = 'cancelled', ended_at = now()"),
        ("verify_email = true", "signature_requests", "signed_at = now()"),
    ],
    ids=["a turn given back", "a request cancelled", "a request ended without its code"],
)
def test_a_signer_does_nothing_else(page, request_is, table, change):
    page.arrange("signature_requests", request_is)
    page.enter()
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match=RLS):
        page.changes(table, change, page.signer if table == "signature_signers" else page.request)


def test_a_signer_ends_only_its_own_open_request(page):
    page.enter()
    declined = "status = 'declined', ended_at = now()"
    assert [page.changes("signature_requests", declined, id) for id in (page.other, page.request)] == [0, 1]
    assert page.changes("signature_requests", "signed_at = now()", page.request) == 0


@pytest.mark.parametrize("signer", ["colleague", "stranger", None])
def test_a_signer_tells_only_its_own_events(page, signer):
    page.enter()
    told = "insert into app.signature_events (request_id, signer_id, event) values (%s, %s, 'viewed')"
    page.owner.execute(told, (page.request, page.signer))
    request = page.other if signer == "stranger" else page.request
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match=RLS):
        page.owner.execute(told, (request, signer and getattr(page, signer)))


def confirm(page, age="0", link=None):
    """The requests ask for a code, and a browser entered the right one for a link, the page's unless one is given."""
    page.arrange("signature_requests", "verify_email = true")
    page.owner.execute(
        "insert into app.signature_codes (link_id, browser_hash, verified_at) values (%s, %s, now() - %s::interval)",
        (link or page.acme["signature_links"], digest("browser"), age),
    )


@pytest.mark.parametrize(
    ("secret", "age", "opens"),
    [("browser", "0", True), ("browser", "3 hours", False), ("other", "0", False), ("", "0", False)],
)
def test_a_code_opens_the_contract_for_two_hours_in_its_browser(page, secret, age, opens):
    confirm(page, age=age)
    page.enter(secret=secret)
    assert (page.ids("contracts"), page.ids("files")) == (
        ({page.acme["contracts"]}, {page.acme["files"]}) if opens else (set(), set())
    )
    assert page.changes("signature_signers", "viewed_at = now()", page.signer) == opens


def test_a_code_for_another_link_opens_nothing(page, owner):
    link = owner.execute("select id from app.signature_links where signer_id = %s", [page.stranger]).fetchone()[0]
    confirm(page, link=link)
    page.enter(secret="browser")
    assert (page.ids("contracts"), page.owner.execute("select from app.signature_codes").rowcount) == (set(), 0)


ALL_SIGNED = "expires_at = now(), signed_at = now()"
COMPLETED = "status = 'completed', ended_at = now(), sealed_file_id = document_file_id"


@pytest.mark.parametrize(
    ("request_is", "change", "code"),
    [
        ("status = status", "update app.contracts set name = 'X'", "PI004"),
        ("status = status", "delete from app.contracts", "PI004"),
        (ALL_SIGNED, "update app.contracts set name = 'X'", "PI004"),
        (COMPLETED, "delete from app.contracts", "PI005"),
    ],
    ids=["changed while open", "deleted while open", "changed after all have signed", "deleted when completed"],
)
def test_a_contract_is_held_by_its_request(page, request_is, change, code):
    page.owner.execute(f"update app.signature_requests set {request_is} where id = %s", [page.request])
    with pytest.raises(psycopg.Error) as raised:
        page.owner.execute(f"{change} where id = %s", [page.acme["contracts"]])
    assert raised.value.sqlstate == code


@pytest.mark.parametrize("end", ["expires_at = now()", "status = 'cancelled', ended_at = now()"])
def test_a_contract_whose_request_ended_is_free(page, end):
    page.owner.execute(f"update app.signature_requests set {end} where id = %s", [page.request])
    changed = page.owner.execute("update app.contracts set name = 'X' where id = %s", [page.acme["contracts"]])
    assert changed.rowcount == 1


def test_a_view_is_recorded_as_a_change_of_the_request(page):
    viewed = "update app.signature_signers set status = 'viewed' where id = %s"
    page.owner.execute(viewed, [page.signer])
    recorded = "select changed from app.changes where type = 'signature-requests' and record_id = %s order by id"
    changed = page.owner.execute(recorded, [page.request]).fetchall()[-1][0]["signers"]
    was, now = ([one["status"] for one in changed[name]] for name in ("old", "new"))
    assert (was, now) == (["sent", "sent"], ["viewed", "sent"])


def test_a_token_leads_to_its_own_signer(page):
    found = "select signer_id from app.signature_by_token(%s)"
    assert page.owner.execute(found, [digest("signer acme")]).fetchall() == [(page.signer,)]
    assert page.owner.execute(found, [digest("stranger")]).fetchall() == [(page.stranger,)]


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("signature_signers", "status = 'waiting'"),
        ("signature_requests", "expires_at = now()"),
        ("signature_requests", "status = 'cancelled', ended_at = now()"),
    ],
)
def test_a_link_is_issued_only_here_to_a_signer_whose_turn_it_is(page, world, table, change):
    issued = "select app.signature_link_issue(%s)"
    assert len(page.owner.execute(issued, [page.signer]).fetchone()[0]) == 64
    here(page.owner, world, "globex")
    assert page.owner.execute(issued, [page.signer]).fetchone() == (None,)
    here(page.owner, world)
    page.arrange(table, change)
    assert page.owner.execute(issued, [page.signer]).fetchone() == (None,)


def ask(page, browser="browser"):
    """(id, result) of a question for a code."""
    return page.owner.execute("select * from app.signature_code_ask(%s)", [digest(browser)]).fetchone()


def enter_code(page, code):
    return page.owner.execute("select app.signature_code_try(%s, %s)", (code, digest("new"))).fetchone()[0]


def opened(page, secret="browser", token="signer acme"):
    """The page's settings, with the rights of the superuser."""
    page.enter(token, secret)
    page.owner.execute("set local role none")


def test_a_browser_asks_once_in_a_minute_and_a_link_is_asked_for_twenty_codes(page):
    opened(page)
    assert [ask(page)[1], ask(page)[1], ask(page, "second")[1]] == ["asked", "soon", "asked"]
    page.arrange("signature_codes", "created_at = now() - interval '61 seconds'")
    assert ask(page)[1] == "asked"
    for number in range(17):
        ask(page, str(number))
    assert ask(page, "another")[1] == "spent"
    opened(page, token="unknown")
    assert ask(page)[1] == "spent"


def test_the_right_code_works_once_here_in_the_browser_that_asked(page, world):
    opened(page)
    id, _asked = ask(page)
    issued = "select app.signature_code_issue(%s)"
    here(page.owner, world, "globex")
    assert page.owner.execute(issued, [id]).fetchone() == (None,)
    here(page.owner, world)
    code = page.owner.execute(issued, [id]).fetchone()[0]
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    for other in ({"secret": "other"}, {"token": "stranger"}):
        opened(page, **other)
        assert enter_code(page, code) == "spent"
    opened(page)
    assert [enter_code(page, wrong), enter_code(page, code), enter_code(page, code)] == ["wrong", "right", "spent"]
    assert page.owner.execute(issued, [id]).fetchone() == (None,)


@pytest.mark.parametrize("spent", ["expires_at = now()", "tries = 5"])
def test_a_code_ends_after_ten_minutes_or_five_tries(page, spent):
    opened(page)
    id, _asked = ask(page)
    code = page.owner.execute("select app.signature_code_issue(%s)", [id]).fetchone()[0]
    page.owner.execute(f"update app.signature_codes set {spent} where id = %s", [id])
    assert enter_code(page, code) == "spent"
